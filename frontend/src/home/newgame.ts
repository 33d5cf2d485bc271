// The form of a new game.

import { api, Refused } from "../api.ts";
import { fill, h } from "../dom.ts";
import type { Control, Opponent } from "../protocol.ts";
import { go } from "../router.ts";
import { memory } from "../settings.ts";
import { choice, notice } from "../widgets.ts";

const HUMAN = "human";
const LAST = "obscuro:new-game";

interface Last {
  color: "white" | "black" | "random";
  opponent: string;
  clock: string;
  casual: boolean;
  minutes: number;
  increment: number;
}

const CLOCKS: [string, string, Control | null][] = [
  ["1+1", "1+1", { base: 60, increment: 1 }],
  ["3+2", "3+2", { base: 180, increment: 2 }],
  ["10+5", "10+5", { base: 600, increment: 5 }],
  ["30+20", "30+20", { base: 1800, increment: 20 }],
  ["none", "Unlimited", null],
];

export function newGame(): HTMLElement {
  const last: Last = {
    color: "random",
    opponent: "",
    clock: "3+2",
    casual: true,
    minutes: 5,
    increment: 3,
    ...memory.read<Partial<Last>>(LAST),
  };
  const opponents = h("div", { class: "contents" });
  const message = h("div", { role: "alert" });

  const minutes = h("input", {
    id: "minutes",
    type: "number",
    min: 0.25,
    max: 180,
    step: 0.25,
    value: last.minutes,
    class: "field numbers",
  });
  const increment = h("input", {
    id: "increment",
    type: "number",
    min: 0,
    max: 180,
    step: 1,
    value: last.increment,
    class: "field numbers",
  });
  const own = h(
    "div",
    { class: "row own-clock" },
    h("label", { class: "labelled" }, h("span", { class: "small" }, "Minutes"), minutes),
    h("label", { class: "labelled" }, h("span", { class: "small" }, "Seconds a move"), increment),
  );
  const clock = choice(
    "Clock",
    "clock",
    [...CLOCKS.map(([value, label]) => ({ value, label })), { value: "own", label: "Other" }],
    last.clock,
    (value) => (own.hidden = value !== "own"),
  );
  own.hidden = last.clock !== "own";
  const color = choice(
    "Your colour",
    "color",
    [
      { value: "white", label: "White" },
      { value: "random", label: "Random" },
      { value: "black", label: "Black" },
    ],
    last.color,
  );
  const casual = h("input", { type: "checkbox", id: "casual", checked: last.casual });
  const start = h("input", {
    id: "start",
    class: "field numbers",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "A FEN; both players know it",
  });
  const button = h("button", { class: "button primary large", type: "submit" }, "Play");

  const form = h(
    "form",
    { class: "stack", novalidate: true },
    h("fieldset", { class: "plain" }, h("legend", {}, "Opponent"), opponents),
    color.element,
    clock.element,
    own,
    h("label", { class: "row check" }, casual, h("span", {}, "Casual: moves can be taken back")),
    h(
      "details",
      { class: "more" },
      h("summary", {}, "Another start position"),
      h("label", { class: "labelled", for: "start" }, h("span", { class: "small" }, "Start position"), start),
    ),
    message,
    button,
  );

  void api.opponents().then(
    (list) => fill(opponents, opponentCards(list, last.opponent)),
    (error: unknown) =>
      fill(message, notice(String(error instanceof Error ? error.message : error), "danger")),
  );

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wish = new FormData(form);
    const chosen: Last = {
      color: color.value() as Last["color"],
      opponent: String(wish.get("opponent") ?? ""),
      clock: clock.value(),
      casual: casual.checked,
      minutes: minutes.valueAsNumber,
      increment: increment.valueAsNumber,
    };
    memory.write(LAST, chosen);
    button.disabled = true;
    void api
      .begin({
        color: chosen.color,
        opponent: chosen.opponent,
        control:
          chosen.clock === "own"
            ? { base: Math.round(chosen.minutes * 60), increment: chosen.increment }
            : (CLOCKS.find(([value]) => value === chosen.clock)?.[2] ?? null),
        casual: chosen.casual,
        start: start.value.trim() || null,
      })
      .then(({ token, invitation }) => {
        // Whoever opens it sits down: it is kept where only this browser sees it.
        if (invitation) memory.write(`obscuro:invitation:${token}`, invitation);
        go(`/game/${token}`);
      })
      .catch((error: unknown) => {
        fill(message, notice(error instanceof Refused ? error.message : String(error), "danger"));
        button.disabled = false;
      });
  });
  return form;
}

function opponentCards(list: Opponent[], wanted: string): HTMLElement {
  const chosen = [...list.map(({ key }) => key), HUMAN].includes(wanted)
    ? wanted
    : (list.find((one) => one.default)?.key ?? HUMAN);
  const cards = list.map((one) =>
    card(one.key, one.label, one.description, one.key === chosen, one.elo === null ? null : `${one.elo} Elo`),
  );
  cards.push(
    card(HUMAN, "A friend", "You get a link to send. Each side has its own.", chosen === HUMAN, null),
  );
  return h("div", { class: "opponents" }, ...cards);
}

function card(
  value: string,
  label: string,
  words: string,
  checked: boolean,
  note: string | null,
): HTMLElement {
  return h(
    "label",
    { class: "option" },
    h("input", { type: "radio", name: "opponent", value, checked }),
    h(
      "span",
      { class: "option-words" },
      h("span", { class: "option-name" }, label, note && h("span", { class: "tag" }, note)),
      h("span", { class: "small muted" }, words),
    ),
  );
}
