// A game as its seat knows it: what the server has told so far, and what follows from it.

import { read, type View } from "../fog.ts";
import type { Color, Now, Ply, ServerMessage, Snapshot } from "../protocol.ts";
import { other } from "../protocol.ts";

export class GameState {
  readonly me: Color;
  history: Ply[];
  now: Now;
  /** When `now` was told, by the browser's own monotonic clock. */
  toldAt: number;
  private readonly first: Color;
  private readonly firstNumber: number;
  private views: View[] = [];

  constructor(readonly snapshot: Snapshot) {
    this.me = snapshot.color;
    this.history = snapshot.history;
    this.now = snapshot.now;
    this.toldAt = performance.now();
    const start = read(snapshot.start);
    this.first = start.turn;
    this.firstNumber = start.fullmove;
  }

  /** Takes a message in; false if a ply is missing before it, so that all must be asked for again. */
  take(message: Extract<ServerMessage, { now: Now }>): boolean {
    if (message.type === "ply") {
      if (message.number !== this.history.length) return false;
      this.history.push(message.ply);
    }
    this.now = message.now;
    this.toldAt = performance.now();
    return true;
  }

  get opponent(): Color {
    return other(this.me);
  }

  get plies(): number {
    return this.history.length - 1;
  }

  get over(): boolean {
    return this.now.status === "over";
  }

  get myTurn(): boolean {
    return this.now.status === "playing" && this.now.turn === this.me;
  }

  /** What was seen after so many plies. */
  view(plies: number): View {
    const known = this.views[plies];
    if (known) return known;
    const view = read(this.history[plies]?.fen ?? "");
    this.views[plies] = view;
    return view;
  }

  /** Who made the ply of this number, the first being 1. */
  mover(ply: number): Color {
    return ply % 2 === 1 ? this.first : other(this.first);
  }

  /** The number of the move that a ply belongs to. */
  moveNumber(ply: number): number {
    return this.firstNumber + Math.floor((ply - 1 + (this.first === "black" ? 1 : 0)) / 2);
  }

  /** The last own move among the first plies. */
  lastOwn(plies: number): string | undefined {
    for (let ply = plies; ply > 0; ply -= 1) {
      const move = this.history[ply]?.uci;
      if (move) return move;
    }
    return undefined;
  }

  /** Pieces taken among the first plies, as FEN writes them: ours, and those that we took. */
  captures(plies: number): { lost: string[]; taken: string[] } {
    const lost: string[] = [];
    const taken: string[] = [];
    this.history.slice(1, plies + 1).forEach((ply, index) => {
      if (ply.took) taken.push(ply.took);
      const victim = ply.lost && this.view(index).pieces.get(ply.lost as never);
      if (victim) lost.push(letter(victim.role, victim.color));
    });
    return { lost: sorted(lost), taken: sorted(taken) };
  }
}

const LETTERS: Record<string, string> = {
  pawn: "p",
  knight: "n",
  bishop: "b",
  rook: "r",
  queen: "q",
  king: "k",
};
const ORDER = "kqrbnp";

export function letter(role: string, color: Color): string {
  const small = LETTERS[role] ?? "p";
  return color === "white" ? small.toUpperCase() : small;
}

function sorted(letters: string[]): string[] {
  return letters.sort((a, b) => ORDER.indexOf(a.toLowerCase()) - ORDER.indexOf(b.toLowerCase()));
}
