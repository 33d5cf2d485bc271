// Ghosts: the player's own guesses of what stands in the fog. They never leave the browser.

import type { Key } from "../board.ts";
import { fill, h, icon } from "../dom.ts";
import type { Color } from "../protocol.ts";
import { memory, settings } from "../settings.ts";
import { miniPiece } from "./pieces.ts";
import { type GameState, letter } from "./state.ts";

const LETTERS = ["p", "n", "b", "r", "q", "k"] as const;
const NAMES: Record<string, string> = {
  p: "Pawn",
  n: "Knight",
  b: "Bishop",
  r: "Rook",
  q: "Queen",
  k: "King",
};

export class Ghosts {
  /** The pieces to choose from, shown while ghosts are being placed. */
  readonly element: HTMLElement;
  readonly placed: Map<Key, string>;
  active = false;
  private chosen = "p";
  private readonly place = h("div", {
    class: "ghost-pieces",
    role: "group",
    "aria-label": "The ghost to place",
  });

  constructor(
    private readonly token: string,
    private readonly enemy: Color,
    private readonly onChange: () => void,
  ) {
    this.placed = new Map(
      Object.entries(memory.read<Record<string, string>>(this.key) ?? {}) as [Key, string][],
    );
    this.element = h(
      "section",
      { class: "card ghosts", "aria-label": "Ghosts", hidden: true },
      h("p", { class: "small muted" }, "Choose a piece, then squares of the fog. Only you see your guesses."),
      this.place,
      h(
        "button",
        { type: "button", class: "button quiet", onclick: () => this.clear() },
        icon("trash"),
        "Take all away",
      ),
    );
    fill(this.place, ...LETTERS.map((one) => this.pieceButton(one)));
    this.drawPieces();
  }

  toggle(on = !this.active): void {
    this.active = on;
    this.element.hidden = !on;
    this.onChange();
  }

  /** Chooses by letter; false if there is no such piece. */
  choose(wanted: string): boolean {
    if (!LETTERS.some((one) => one === wanted)) return false;
    this.chosen = wanted;
    this.drawPieces();
    return true;
  }

  /** Puts the chosen piece on a square, or takes it away if it is there. */
  put(key: Key): void {
    const piece = this.enemy === "white" ? this.chosen.toUpperCase() : this.chosen;
    if (this.placed.get(key) === piece) this.placed.delete(key);
    else this.placed.set(key, piece);
    this.keep();
  }

  /** After a ply: what is seen needs no guess, and what went out of sight may leave one. */
  follow(state: GameState): void {
    const after = state.view(state.plies);
    let changed = false;
    if (settings.get("remember") && state.plies > 0) {
      for (const [key, piece] of state.view(state.plies - 1).pieces) {
        if (piece.color !== this.enemy || !after.fog.has(key)) continue;
        this.placed.set(key, letter(piece.role, piece.color));
        changed = true;
      }
    }
    for (const key of [...this.placed.keys()]) {
      if (!after.fog.has(key)) changed = this.placed.delete(key) || changed;
    }
    if (changed) this.keep();
  }

  /** The game is over: there is nothing to guess any more. */
  forget(): void {
    this.placed.clear();
    memory.remove(this.key);
    if (this.active) this.toggle(false);
  }

  private clear(): void {
    this.placed.clear();
    this.keep();
  }

  private keep(): void {
    if (this.placed.size > 0) memory.write(this.key, Object.fromEntries(this.placed));
    else memory.remove(this.key);
    this.onChange();
  }

  private drawPieces(): void {
    for (const button of this.place.children) {
      if (button instanceof HTMLElement)
        button.setAttribute("aria-pressed", String(button.dataset["piece"] === this.chosen));
    }
  }

  private pieceButton(one: string): HTMLElement {
    const button = h(
      "button",
      {
        type: "button",
        class: "ghost-piece",
        "aria-label": NAMES[one] ?? one,
        title: `${NAMES[one]} (${one})`,
        onclick: () => this.choose(one),
      },
      miniPiece(this.enemy === "white" ? one.toUpperCase() : one),
    );
    button.dataset["piece"] = one;
    return button;
  }

  private get key(): string {
    return `obscuro:ghosts:${this.token}`;
  }
}
