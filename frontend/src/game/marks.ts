// What the opponent's ply has changed for us, as marks on squares and in words.

import type { Key } from "../board.ts";
import { changes, words } from "../fog.ts";
import type { GameState } from "./state.ts";

const CLASSES = { piece: "came", lifted: "lifted", fallen: "fallen" } as const;

/** The marks after so many plies; none after an own one, whose effects the player knows. */
export function marks(state: GameState, plies: number): Map<Key, string> {
  const found = new Map<Key, string>();
  const ply = state.history[plies];
  if (plies === 0 || !ply || ply.uci) return found;
  for (const [key, change] of changes(state.view(plies - 1), state.view(plies)))
    found.set(key, CLASSES[change]);
  if (ply.lost) found.set(ply.lost as Key, "lost");
  return found;
}

/** The last ply for a screen reader: what a sighted player sees at a glance. */
export function tidings(state: GameState): string {
  const ply = state.history[state.plies];
  if (!ply || state.plies === 0) return "";
  if (ply.uci) return `You played ${ply.san ?? ply.uci}.`;
  const said = ["Your opponent has moved."];
  const before = state.view(state.plies - 1);
  const after = state.view(state.plies);
  if (ply.lost) {
    const victim = before.pieces.get(ply.lost as Key);
    said.push(`Your ${victim?.role ?? "piece"} on ${ply.lost} was captured.`);
  }
  for (const [key, change] of changes(before, after)) {
    if (change !== "piece" || key === ply.lost) continue;
    said.push(after.pieces.has(key) ? `${words(after, key)} on ${key}.` : `${key} is empty now.`);
  }
  if (state.myTurn) said.push("It is your turn.");
  return said.join(" ");
}
