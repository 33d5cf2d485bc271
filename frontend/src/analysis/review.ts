// Marks for mistakes by thresholds that the player can set, and each player's game in short.

import type { Color } from "../protocol.ts";
import { memory } from "../settings.ts";
import type { Short } from "./data.ts";

export type Mark = "inaccuracy" | "mistake" | "blunder";

export const SIGNS: Record<Mark, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Losses, and luck, from which a move is marked. A move that the engine plays itself never is. */
export interface Thresholds {
  inaccuracy: number;
  mistake: number;
  blunder: number;
  luck: number;
}

export const DEFAULTS: Thresholds = { inaccuracy: 0.1, mistake: 0.2, blunder: 0.4, luck: 0.3 };
const OWN = 0.1;
const KEY = "obscuro:thresholds";

export function readThresholds(): Thresholds {
  const kept = { ...DEFAULTS, ...memory.read<Partial<Thresholds>>(KEY) };
  return isSensible(kept) ? kept : DEFAULTS;
}

export function keepThresholds(thresholds: Thresholds): void {
  memory.write(KEY, thresholds);
}

/** Whether the thresholds grow, within the scale of values. */
export function isSensible({ inaccuracy, mistake, blunder, luck }: Thresholds): boolean {
  return (
    0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder && blunder <= 2 && 0 < luck && luck <= 2
  );
}

export function markOf(short: Short | undefined, thresholds: Thresholds): Mark | null {
  const judged = short?.judged;
  if (!judged || judged.probability >= OWN) return null;
  if (judged.loss >= thresholds.blunder) return "blunder";
  if (judged.loss >= thresholds.mistake) return "mistake";
  return judged.loss >= thresholds.inaccuracy ? "inaccuracy" : null;
}

export function luckOf(short: Short | undefined, thresholds: Thresholds): "lucky" | "unlucky" | null {
  const luck = short?.judged?.luck;
  if (luck === undefined || Math.abs(luck) < thresholds.luck) return null;
  return luck > 0 ? "lucky" : "unlucky";
}

export interface Summary {
  moves: number;
  loss: number | null;
  marks: Record<Mark, number>;
  luck: number;
  /** The geometric mean of |P| at the player's turns. */
  size: number | null;
}

export function summarise(plies: Iterable<Short>, color: Color, thresholds: Thresholds): Summary {
  const marks = { inaccuracy: 0, mistake: 0, blunder: 0 };
  let moves = 0;
  let loss = 0;
  let luck = 0;
  let logs = 0;
  let sizes = 0;
  for (const short of plies) {
    if (short.turn !== color) continue;
    const size = short[color]?.size;
    if (size && short.judged) {
      logs += Math.log(size);
      sizes += 1;
    }
    if (!short.judged) continue;
    moves += 1;
    loss += short.judged.loss;
    luck += short.judged.luck;
    const mark = markOf(short, thresholds);
    if (mark) marks[mark] += 1;
  }
  return {
    moves,
    loss: moves ? loss / moves : null,
    marks,
    luck,
    size: sizes ? Math.exp(logs / sizes) : null,
  };
}

/** A value with its sign. */
export function signed(value: number): string {
  if (Math.abs(value) < 0.005) return "0.00";
  return value > 0 ? `+${value.toFixed(2)}` : `−${(-value).toFixed(2)}`;
}

export function percent(share: number): string {
  if (share > 0 && share < 0.01) return "<1 %";
  return `${Math.round(share * 100)} %`;
}

export const count = (number: number): string =>
  Math.round(number).toLocaleString("en").replaceAll(",", "\u202f");
