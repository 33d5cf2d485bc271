// The face of one player's clock. The clock itself runs on the server; this only shows it.

import { h } from "../dom.ts";
import type { Color } from "../protocol.ts";
import { clockWords } from "../words.ts";
import type { GameState } from "./state.ts";

const LOW_MS = 20_000;

export class ClockFace {
  readonly element = h("div", { class: "clock numbers", role: "timer", hidden: true });
  private shown = "";

  constructor(private readonly color: Color) {}

  /** Milliseconds left, or nothing where there are no clocks. */
  left(state: GameState): number | null {
    const clock = state.now.clock;
    if (!clock) return null;
    const spent = clock.running === this.color ? performance.now() - state.toldAt : 0;
    return Math.max(0, clock[this.color] - spent);
  }

  draw(state: GameState): void {
    const left = this.left(state);
    this.element.hidden = left === null;
    if (left === null) return;
    const words = clockWords(left);
    if (words !== this.shown) this.element.textContent = this.shown = words;
    this.element.classList.toggle("running", state.now.clock?.running === this.color);
    this.element.classList.toggle("low", left < LOW_MS && !state.over);
  }
}
