// Pictures of pieces outside of the board.

import { piece } from "../fog.ts";
import { h } from "../dom.ts";

/** A small picture of a piece, given as FEN writes it. */
export function miniPiece(letter: string): HTMLElement {
  const { role, color } = piece(letter);
  const picture = document.createElement("piece");
  picture.className = `${color} ${role}`;
  return h("span", { class: "cg-wrap mini" }, picture);
}
