// What a pawn becomes: four pieces over the square that it goes to.

import type { Key } from "../board.ts";
import { h } from "../dom.ts";
import type { Color } from "../protocol.ts";
import { miniPiece } from "./pieces.ts";

const CHOICES = [
  ["q", "Queen"],
  ["n", "Knight"],
  ["r", "Rook"],
  ["b", "Bishop"],
] as const;

export type Promotion = (typeof CHOICES)[number][0];

/** Asks over a board; `null` if the player would rather not. Whoever asks again ends the first question. */
export function askPromotion(
  over: HTMLElement,
  to: Key,
  color: Color,
  orientation: Color,
): Promise<Promotion | null> {
  over.querySelector(".promotion")?.dispatchEvent(new Event("giveup"));
  return new Promise((resolve) => {
    const back = document.activeElement;
    const end = (chosen: Promotion | null): void => {
      veil.remove();
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
      resolve(chosen);
    };
    const buttons = CHOICES.map(([letter, name]) =>
      h(
        "button",
        {
          type: "button",
          class: "promotion-choice",
          "aria-label": name,
          title: name,
          onclick: () => end(letter),
        },
        miniPiece(color === "white" ? letter.toUpperCase() : letter),
      ),
    );
    const menu = h("div", { class: "promotion-menu", role: "group", "aria-label": "Promote to" }, ...buttons);
    const veil = h("div", { class: "promotion" }, menu);
    const file = "abcdefgh".indexOf(to[0] ?? "a");
    menu.style.setProperty("--column", String(orientation === "white" ? file : 7 - file));
    menu.classList.toggle("from-below", (to[1] === "8") !== (orientation === "white"));
    veil.addEventListener("giveup", () => end(null));
    veil.addEventListener("click", (event) => {
      if (event.target === veil) end(null);
    });
    veil.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const at = buttons.findIndex((button) => button === document.activeElement);
      if (event.key === "Escape") end(null);
      else if (event.key === "ArrowDown" || event.key === "ArrowRight") buttons[(at + 1) % 4]?.focus();
      else if (event.key === "ArrowUp" || event.key === "ArrowLeft") buttons[(at + 3) % 4]?.focus();
      else {
        const letter = CHOICES.find(([one]) => one === event.key)?.[0];
        if (!letter) return;
        end(letter);
      }
      event.preventDefault();
    });
    over.append(veil);
    buttons[0]?.focus({ preventScroll: true });
  });
}
