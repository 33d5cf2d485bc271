// The list of games that this browser has a seat in.

import { api } from "../api.ts";
import { fill, h, icon } from "../dom.ts";
import type { Listed } from "../protocol.ts";
import { other } from "../protocol.ts";
import { notice } from "../widgets.ts";
import { agoWords, controlWords, outcomeWord } from "../words.ts";

const FIRST = 8;

export function gameList(): { element: HTMLElement; refresh: () => Promise<void> } {
  const element = h("div", { class: "games", "aria-live": "polite" });
  let all = false;
  const refresh = async (): Promise<void> => {
    let games: Listed[];
    try {
      games = await api.games();
    } catch (error) {
      fill(element, notice(error instanceof Error ? error.message : String(error), "danger"));
      return;
    }
    if (games.length === 0) {
      fill(element, h("p", { class: "muted small" }, "None yet. They will be kept here."));
      return;
    }
    // Those that are not over come first.
    games.sort((a, b) => Number(a.status === "over") - Number(b.status === "over"));
    const shown = all ? games : games.slice(0, FIRST);
    fill(
      element,
      h("ul", { class: "plain-list" }, ...shown.map((game) => h("li", {}, row(game)))),
      games.length > shown.length &&
        h(
          "button",
          {
            type: "button",
            class: "button quiet",
            onclick: () => {
              all = true;
              void refresh();
            },
          },
          `All ${games.length}`,
        ),
    );
  };
  void refresh();
  return { element, refresh };
}

function row(game: Listed): HTMLElement {
  const running = game.status !== "over";
  const title =
    game.opponent === "upload" ? `${game.white} – ${game.black}` : `Against ${opponentName(game)}`;
  const details = [
    game.opponent === "upload" ? "uploaded" : controlWords(game.control),
    moveWords(game.plies),
    agoWords(game.updated),
  ].join(" · ");
  return h(
    "div",
    { class: "game-row" },
    h(
      "a",
      { class: "game-link", href: `/game/${game.token}` },
      h("span", { class: `side-dot ${game.color}`, title: `You are ${game.color}` }),
      h("span", { class: "game-title" }, title, state(game)),
      h("span", { class: "small muted game-details" }, details),
    ),
    !running &&
      h(
        "a",
        {
          class: "icon-button",
          href: `/analysis/${game.token}`,
          "aria-label": `Look behind the fog: ${title}`,
          title: "Look behind the fog",
        },
        icon("eye"),
      ),
  );
}

function moveWords(plies: number): string {
  const moves = Math.ceil(plies / 2);
  return `${moves} move${moves === 1 ? "" : "s"}`;
}

function opponentName(game: Listed): string {
  if (game.opponent === "human") return "a friend";
  return other(game.color) === "white" ? game.white : game.black;
}

function state(game: Listed): HTMLElement {
  if (game.status === "waiting") return h("span", { class: "tag warn" }, "Waiting");
  if (!game.result) {
    return h("span", { class: "tag accent" }, game.turn === game.color ? "Your turn" : "Playing");
  }
  if (game.opponent === "upload") return h("span", { class: "tag" }, game.result.score);
  const word = outcomeWord(game.result, game.color);
  const kind = word === "Won" ? "good" : word === "Lost" ? "danger" : "";
  return h("span", { class: `tag ${kind}`, title: game.result.reason }, word);
}
