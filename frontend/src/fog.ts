// What a fog FEN says, and how two of them differ.

import type { Key, Piece, Role } from "chessground/types";
import type { Color } from "./protocol.ts";

export interface View {
  /** The FEN's board with every square of the fog empty, as chessground reads it. */
  board: string;
  pieces: Map<Key, Piece>;
  fog: Set<Key>;
  turn: Color;
  fullmove: number;
}

export const ROLES: Record<string, Role> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

export function piece(letter: string): Piece {
  const role = ROLES[letter.toLowerCase()] ?? "pawn";
  return { role, color: letter === letter.toUpperCase() ? "white" : "black" };
}

/** Reads a FEN or a fog FEN. */
export function read(fen: string): View {
  const fields = fen.split(" ");
  const board = fields[0] ?? "";
  const pieces = new Map<Key, Piece>();
  const fog = new Set<Key>();
  board.split("/").forEach((rank, down) => {
    let file = 0;
    for (const letter of rank) {
      const empty = Number(letter);
      if (empty > 0) {
        file += empty;
        continue;
      }
      const key = `${"abcdefgh"[file]}${8 - down}` as Key;
      if (letter === "?") fog.add(key);
      else pieces.set(key, piece(letter));
      file += 1;
    }
  });
  return {
    board: board
      .replaceAll("?", "1")
      .replace(/[1-8]+/g, (run) => String([...run].reduce((sum, n) => sum + Number(n), 0))),
    pieces,
    fog,
    turn: fields[1] === "b" ? "black" : "white",
    fullmove: Number(fields[5] ?? 1),
  };
}

/** How a square differs from what it was: a piece came or went in sight, or the sight itself did. */
export type Change = "piece" | "lifted" | "fallen";

export function changes(before: View, after: View): Map<Key, Change> {
  const found = new Map<Key, Change>();
  for (const file of "abcdefgh") {
    for (const rank of "12345678") {
      const key = `${file}${rank}` as Key;
      const was = before.pieces.get(key);
      const is = after.pieces.get(key);
      if (before.fog.has(key) !== after.fog.has(key)) {
        if (is && before.fog.has(key)) found.set(key, "piece");
        else found.set(key, after.fog.has(key) ? "fallen" : "lifted");
      } else if (was?.role !== is?.role || was?.color !== is?.color) {
        found.set(key, "piece");
      }
    }
  }
  return found;
}

/** What stands on a square, in words. */
export function words(view: View, key: Key): string {
  if (view.fog.has(key)) return "fog";
  const found = view.pieces.get(key);
  return found ? `${found.color} ${found.role}` : "empty";
}
