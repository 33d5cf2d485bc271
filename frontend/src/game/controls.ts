// What can be done beside moving: give up, take back, look from the other side, and what is on offer.

import { confirmDialog } from "../dialog.ts";
import { fill, h, icon } from "../dom.ts";
import type { ClientMessage } from "../protocol.ts";
import { memory } from "../settings.ts";
import { copyField } from "../widgets.ts";
import type { GameState } from "./state.ts";

export interface Doing {
  send(message: ClientMessage): boolean;
  flip(): void;
  ghosts(): void;
}

function tool(name: string, label: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", onclick }, icon(name), h("span", {}, label));
}

export class Controls {
  readonly element: HTMLElement;
  private state: GameState | null = null;
  private readonly ghost: HTMLButtonElement;
  private readonly takeback: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;

  constructor(doing: Doing) {
    this.ghost = tool("ghost", "Ghosts", () => doing.ghosts());
    this.takeback = tool("undo", "Take back", () => {
      if (this.state) doing.send({ type: "takeback", plies: this.state.plies });
    });
    this.resign = tool("flag", "Resign", () =>
      confirmDialog("Give the game up?", "Resign", () => doing.send({ type: "resign" })),
    );
    this.element = h(
      "div",
      { class: "tools", role: "group", "aria-label": "Game" },
      tool("flip", "Flip", () => doing.flip()),
      this.ghost,
      this.takeback,
      this.resign,
    );
  }

  draw(state: GameState, ghosting: boolean): void {
    this.state = state;
    const playing = state.now.status === "playing";
    this.ghost.hidden = state.over;
    this.ghost.setAttribute("aria-pressed", String(ghosting));
    this.resign.hidden = this.takeback.hidden = state.over;
    this.resign.disabled = !playing;
    this.takeback.hidden ||= !state.snapshot.casual;
    this.takeback.disabled =
      !playing || state.lastOwn(state.plies) === undefined || state.now.takeback === state.me;
  }
}

/** What waits for an answer of one of the players. */
export function offers(state: GameState, token: string, send: Doing["send"]): HTMLElement | null {
  const { now } = state;
  if (now.status === "waiting") return invitation(token);
  if (now.takeback === state.opponent) {
    return question("Your opponent would like to take the last move back.", [
      ["Allow it", true, () => send({ type: "answer-takeback", accept: true })],
      ["Play on", false, () => send({ type: "answer-takeback", accept: false })],
    ]);
  }
  if (now.takeback === state.me) {
    return h(
      "p",
      { class: "notice info" },
      "You asked to take your move back. Your opponent has yet to agree.",
    );
  }
  return null;
}

function question(words: string, answers: [string, boolean, () => void][]): HTMLElement {
  const element = h(
    "div",
    { class: "notice info stack tight" },
    h("p", {}, words),
    h("div", { class: "row" }),
  );
  const row = element.lastElementChild;
  if (row) {
    fill(
      row,
      ...answers.map(([label, primary, onclick]) =>
        h("button", { type: "button", class: primary ? "button primary" : "button", onclick }, label),
      ),
    );
  }
  return element;
}

function invitation(token: string): HTMLElement {
  const secret = memory.read<string>(`obscuro:invitation:${token}`);
  return h(
    "div",
    { class: "notice info stack tight" },
    h("p", {}, h("strong", {}, "Waiting for your opponent.")),
    secret
      ? h(
          "p",
          { class: "small" },
          "Send them this address. It leads to the other side of the board, and works once.",
        )
      : h(
          "p",
          { class: "small" },
          "The address for them is kept by the browser in which the game was begun.",
        ),
    secret && copyField("Address for the opponent", `${location.origin}/join/${secret}`),
  );
}
