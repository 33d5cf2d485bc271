// When the game is over: how it ended, the truth, and what can be done next.

import { api } from "../api.ts";
import { fill, h, icon } from "../dom.ts";
import type { GameRecord } from "../protocol.ts";
import { choice } from "../widgets.ts";
import { capital, outcomeWord } from "../words.ts";
import type { GameState } from "./state.ts";

/** Whose eyes a finished game is seen with. */
export type Eyes = "truth" | "white" | "black";

export class Ending {
  readonly element = h("section", {
    class: "card ending stack",
    "aria-labelledby": "ending-title",
    hidden: true,
  });
  eyes: Eyes = "truth";
  record: GameRecord | null = null;
  private key = "";

  constructor(
    private readonly token: string,
    private readonly onChange: () => void,
    private readonly rematch: () => void,
  ) {}

  draw(state: GameState): void {
    const { result, rematch } = state.now;
    this.element.hidden = result === null;
    const key = JSON.stringify([result, rematch, this.record !== null]);
    if (!result || key === this.key) return;
    this.key = key;
    const uploaded = state.snapshot.opponent === "upload";
    const word = outcomeWord(result, state.me);
    const title = uploaded
      ? result.score
      : { Won: "You won", Lost: "You lost", Draw: "A draw", Unfinished: "Unfinished" }[word];
    const kind = uploaded ? "" : { Won: "won", Lost: "lost", Draw: "", Unfinished: "" }[word];
    fill(
      this.element,
      h(
        "div",
        {},
        h("h1", { id: "ending-title", class: `ending-title ${kind}` }, title),
        h("p", { class: "muted" }, `${capital(result.reason)} · ${result.score}`),
      ),
      this.record ? this.sights(state) : h("p", { class: "small muted" }, "The fog is lifting…"),
      !uploaded && this.again(state),
      h(
        "div",
        { class: "row wrap" },
        h("a", { class: "button", href: `/analysis/${this.token}` }, icon("eye"), "Look behind the fog"),
        h(
          "a",
          { class: "button quiet", href: api.download(this.token, "pgn"), download: true },
          icon("download"),
          "PGN",
        ),
        h(
          "a",
          { class: "button quiet", href: api.download(this.token, "json"), download: true },
          icon("download"),
          "JSON",
        ),
      ),
    );
  }

  private sights(state: GameState): HTMLElement {
    const mine = (color: "white" | "black"): string =>
      state.snapshot.opponent === "upload" ? capital(color) : color === state.me ? "You saw" : "They saw";
    return choice(
      "Board",
      "eyes",
      [
        { value: "truth", label: "The truth" },
        { value: state.me, label: mine(state.me) },
        { value: state.opponent, label: mine(state.opponent) },
      ],
      this.eyes,
      (value) => {
        this.eyes = value as Eyes;
        this.onChange();
      },
    ).element;
  }

  private again(state: GameState): HTMLElement {
    const { rematch } = state.now;
    const asked = rematch === state.me;
    const label = asked ? "Rematch offered" : rematch ? "Accept the rematch" : "Rematch";
    return h(
      "div",
      { class: "stack tight" },
      rematch === state.opponent &&
        h("p", { class: "notice info" }, "Your opponent would like another game."),
      h(
        "div",
        { class: "row wrap" },
        h(
          "button",
          { type: "button", class: "button primary", disabled: asked, onclick: this.rematch },
          icon("again"),
          label,
        ),
        h("a", { class: "button", href: "/" }, icon("plus"), "New game"),
      ),
    );
  }
}
