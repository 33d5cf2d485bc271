// The list of moves: one's own, and a question mark for each that was not seen. Once the game is over
// and its truth is known, all of them.

import { fill, h, iconButton } from "../dom.ts";
import type { GameState } from "./state.ts";

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "moves numbers", tabindex: 0, "aria-label": "Moves" });
  private drawn = "";

  /** `step` is called with the number of plies that are to be shown. */
  constructor(private readonly step: (plies: number) => void) {
    this.element = h(
      "section",
      { class: "card moves-card", "aria-label": "Moves" },
      this.list,
      h(
        "div",
        { class: "row steps" },
        iconButton("first", "To the start (↑)", () => this.step(0)),
        iconButton("back", "One ply back (←)", () => this.step(this.shown - 1)),
        iconButton("forward", "One ply forward (→)", () => this.step(this.shown + 1)),
        iconButton("last", "To the end (↓)", () => this.step(Infinity)),
      ),
    );
    this.element.addEventListener("wheel", (event) => event.stopPropagation());
  }

  private shown = 0;

  draw(state: GameState, shown: number, truth: readonly string[] | null): void {
    const key = `${state.plies} ${truth !== null} ${state.history.at(-1)?.fen}`;
    this.shown = shown;
    if (key !== this.drawn) {
      this.drawn = key;
      this.build(state, truth);
    }
    for (const button of this.list.querySelectorAll("button")) {
      const current = Number(button.dataset["ply"]) === shown;
      button.classList.toggle("current", current);
      if (current) {
        button.setAttribute("aria-current", "step");
        this.reveal(button);
      } else {
        button.removeAttribute("aria-current");
      }
    }
  }

  private build(state: GameState, truth: readonly string[] | null): void {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    for (let ply = 1; ply <= state.plies; ply += 1) {
      const white = state.mover(ply) === "white";
      if (white || !row) {
        row = h(
          "li",
          {},
          h("span", { class: "move-number", "aria-hidden": "true" }, `${state.moveNumber(ply)}.`),
        );
        rows.push(row);
        if (!white) row.append(h("span", { class: "move-none" }, "…"));
      }
      row.append(this.button(state, ply, truth?.[ply - 1]));
    }
    if (rows.length === 0) fill(this.list, h("li", { class: "muted no-moves" }, "No moves yet"));
    else fill(this.list, ...rows);
  }

  private button(state: GameState, ply: number, truth: string | undefined): HTMLElement {
    const told = state.history[ply];
    const hidden = told?.uci === undefined;
    // That it was a capture, and where, is told to the one whose piece it was.
    const words = truth ?? told?.san ?? (told?.lost ? `?x${told.lost}` : "?");
    const label =
      hidden && !truth
        ? `Move ${state.moveNumber(ply)}, not seen`
        : `Move ${state.moveNumber(ply)}, ${words}`;
    const button = h(
      "button",
      { type: "button", class: hidden ? "move unseen" : "move", "aria-label": label },
      words,
    );
    button.dataset["ply"] = String(ply);
    button.addEventListener("click", () => this.step(ply));
    return button;
  }

  /** Scrolls the list, and nothing but the list. */
  private reveal(button: HTMLElement): void {
    const list = this.list.getBoundingClientRect();
    const box = button.getBoundingClientRect();
    if (box.top < list.top) this.list.scrollTop -= list.top - box.top;
    else if (box.bottom > list.bottom) this.list.scrollTop += box.bottom - list.bottom;
    if (box.left < list.left) this.list.scrollLeft -= list.left - box.left + 40;
    else if (box.right > list.right) this.list.scrollLeft += box.right - list.right;
  }
}
