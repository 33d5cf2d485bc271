// Both players' games in short, and the thresholds from which moves are marked.

import { fill, h } from "../dom.ts";
import type { Color, GameRecord } from "../protocol.ts";
import type { Short } from "./data.ts";
import { count, DEFAULTS, isSensible, keepThresholds, signed, summarise, type Thresholds } from "./review.ts";

const FIELDS: [keyof Thresholds, string][] = [
  ["inaccuracy", "?! inaccuracy"],
  ["mistake", "? mistake"],
  ["blunder", "?? blunder"],
  ["luck", "↑↓ luck"],
];

export class SummaryCard {
  private readonly cards = h("div", { class: "summary-cards" });
  private readonly complaint = h("p", { class: "small", role: "alert" });
  readonly element: HTMLElement;

  constructor(
    private readonly record: GameRecord,
    thresholds: Thresholds,
    changed: (thresholds: Thresholds) => void,
  ) {
    const inputs = FIELDS.map(([name, label]) => {
      const input = h("input", {
        class: "field numbers",
        type: "number",
        min: 0.01,
        max: 2,
        step: 0.01,
        value: thresholds[name],
      });
      return { name, label, input };
    });
    const take = (): void => {
      const wanted = { ...DEFAULTS };
      for (const { name, input } of inputs) wanted[name] = Number(input.value);
      const sensible = isSensible(wanted);
      this.complaint.textContent = sensible
        ? ""
        : "Expected numbers up to 2 that grow from inaccuracy to blunder.";
      if (!sensible) return;
      keepThresholds(wanted);
      changed(wanted);
    };
    const reset = (): void => {
      for (const { name, input } of inputs) input.value = String(DEFAULTS[name]);
      take();
    };
    for (const { input } of inputs) input.addEventListener("change", take);
    this.element = h(
      "section",
      { class: "card summary", "aria-label": "Summary" },
      this.cards,
      h(
        "details",
        { class: "more" },
        h("summary", {}, "Thresholds"),
        h(
          "div",
          { class: "thresholds" },
          ...inputs.map(({ label, input }) => h("label", { class: "labelled small" }, label, input)),
          h("button", { type: "button", class: "button", onclick: reset }, "Reset"),
        ),
        this.complaint,
        h(
          "p",
          { class: "small muted" },
          "Losses of value from which a move is marked; the whole scale is 2. A move that the engine would play itself, with a tenth or more, is never marked.",
        ),
      ),
    );
  }

  draw(plies: Iterable<Short>, thresholds: Thresholds): void {
    const all = [...plies];
    fill(this.cards, ...(["white", "black"] as const).map((color) => this.card(all, color, thresholds)));
  }

  private card(plies: Short[], color: Color, thresholds: Thresholds): HTMLElement {
    const { moves, loss, marks, luck, size } = summarise(plies, color, thresholds);
    const facts: [string, string][] = [
      ["Loss a move", loss === null ? "–" : loss.toFixed(3)],
      ["?! / ? / ??", `${marks.inaccuracy} / ${marks.mistake} / ${marks.blunder}`],
      ["Luck in all", moves ? signed(luck) : "–"],
      ["Typical |P|", size === null ? "–" : count(size)],
    ];
    return h(
      "div",
      { class: "summary-card" },
      h("h2", {}, h("span", { class: `side-dot ${color}`, "aria-hidden": "true" }), this.record[color]),
      h(
        "dl",
        {},
        ...facts.map(([what, words]) =>
          h("div", {}, h("dt", { class: "small muted" }, what), h("dd", { class: "numbers" }, words)),
        ),
      ),
    );
  }
}
