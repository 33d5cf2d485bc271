// The line of a player, above or below the board: name, pieces taken, clock, and whether they think.

import { fill, h } from "../dom.ts";
import type { Color } from "../protocol.ts";
import { ClockFace } from "./clock.ts";
import { miniPiece } from "./pieces.ts";
import type { GameState } from "./state.ts";

export class Strip {
  readonly element: HTMLElement;
  readonly clock: ClockFace;
  private readonly name = h("span", { class: "strip-name" });
  private readonly presence = h("span", { class: "presence" });
  private readonly spoils = h("span", { class: "spoils" });
  private readonly bar = h("span", { class: "thinking-bar" });
  private readonly words = h("span", { class: "thinking-words small muted" });
  private readonly thinking = h(
    "span",
    { class: "thinking", hidden: true },
    this.words,
    h("span", { class: "thinking-track" }, this.bar),
  );
  private held = "";

  constructor(private readonly color: Color) {
    this.clock = new ClockFace(color);
    this.element = h(
      "div",
      { class: "strip" },
      h("span", { class: `side-dot ${color}`, "aria-hidden": "true" }),
      h(
        "div",
        { class: "strip-words" },
        h("div", { class: "strip-line" }, this.name, this.presence, this.thinking),
        this.spoils,
      ),
      this.clock.element,
    );
  }

  /** Draws what stands after so many plies. */
  draw(state: GameState, plies: number): void {
    const mine = state.me === this.color;
    const { snapshot, now } = state;
    const given = this.color === "white" ? snapshot.white : snapshot.black;
    const human = snapshot.opponent === "human";
    this.name.textContent =
      snapshot.opponent === "upload" ? given : mine ? "You" : human ? "Your opponent" : given;
    const away = !mine && human && now.status === "playing" && !now.here;
    fill(this.presence, away && h("span", { class: "tag warn" }, "not connected"));
    this.element.classList.toggle("to-move", now.status === "playing" && now.turn === this.color);
    this.drawSpoils(state, plies);
    this.clock.element.setAttribute("aria-label", mine ? "Your clock" : "Your opponent's clock");
    this.tick(state);
  }

  /** What moves on by itself: the clock, and the bar of the program's time. */
  tick(state: GameState): void {
    this.clock.draw(state);
    const thinks = state.me !== this.color && state.now.status === "playing" ? state.now.thinking : null;
    this.thinking.hidden = !thinks;
    if (!thinks) return;
    // Told by time alone: how far it has got would tell how hard its position is.
    this.words.textContent = thinks.queued ? "waits for its turn to think" : "thinks";
    const elapsed = thinks.queued ? 0 : thinks.elapsed + performance.now() - state.toldAt;
    const part = Math.min(1, elapsed / Math.max(1, thinks.budget));
    this.bar.style.setProperty("--part", part.toFixed(3));
  }

  private drawSpoils(state: GameState, plies: number): void {
    const { lost, taken } = state.captures(plies);
    const pieces = state.me === this.color ? taken : lost;
    const key = pieces.join("");
    if (key === this.held) return;
    this.held = key;
    fill(this.spoils, ...pieces.map((one) => miniPiece(one)));
    if (pieces.length > 0) {
      this.spoils.setAttribute("role", "img");
      const title =
        state.me === this.color ? "Pieces that you have captured" : "Your pieces that were captured";
      this.spoils.setAttribute("aria-label", `${title}: ${key}`);
      this.spoils.title = title;
    }
  }
}
