// What results, clocks and times are called.

import type { Color, Control, Result } from "./protocol.ts";

export function controlWords(control: Control | null): string {
  if (!control) return "no clock";
  const minutes = control.base / 60;
  const shown = Number.isInteger(minutes)
    ? String(minutes)
    : control.base < 60
      ? `${control.base} s`
      : minutes.toFixed(1);
  return `${shown}+${control.increment}`;
}

/** How a game ended for a colour. */
export function outcomeWord(result: Result, color: Color): "Won" | "Lost" | "Draw" | "Unfinished" {
  if (result.score === "*") return "Unfinished";
  if (result.winner === null) return "Draw";
  return result.winner === color ? "Won" : "Lost";
}

const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** When something was, in words; both in seconds of the epoch. */
export function agoWords(then: number, now: number = Date.now() / 1000): string {
  const seconds = Math.max(0, now - then);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return AGO.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86400) return AGO.format(-Math.round(seconds / 3600), "hour");
  if (seconds < 30 * 86400) return AGO.format(-Math.round(seconds / 86400), "day");
  return new Date(then * 1000).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** A clock's face: minutes and seconds, tenths below ten seconds. */
export function clockWords(milliseconds: number): string {
  if (milliseconds < 10_000) return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
