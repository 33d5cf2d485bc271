// The list of moves with their marks.

import { fill, h, iconButton } from "../dom.ts";
import type { GameRecord } from "../protocol.ts";
import type { Short } from "./data.ts";
import { luckOf, markOf, SIGNS, type Thresholds } from "./review.ts";

export class Moves {
  private readonly list = h("ol", { class: "analysed-moves numbers", tabindex: 0, "aria-label": "Moves" });
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[] = [];

  /** `step` goes to the position in which the move was to be chosen. */
  constructor(record: GameRecord, step: (ply: number) => void, mistake: (direction: 1 | -1) => void) {
    let at = 0;
    const relative = (by: number): void => step(at + by);
    this.element = h(
      "section",
      { class: "card moves-card", "aria-label": "Moves" },
      this.list,
      h(
        "div",
        { class: "row steps" },
        iconButton("first", "To the start (↑)", () => step(0)),
        iconButton("back", "One ply back (←)", () => relative(-1)),
        iconButton("forward", "One ply forward (→)", () => relative(1)),
        iconButton("last", "To the end (↓)", () => step(Infinity)),
      ),
      h(
        "div",
        { class: "row mistakes" },
        h("button", { type: "button", class: "button quiet", onclick: () => mistake(-1) }, "‹ mistake"),
        h("button", { type: "button", class: "button quiet", onclick: () => mistake(1) }, "next mistake ›"),
      ),
    );
    this.point = (ply) => {
      at = ply;
      this.buttons.forEach((button, place) => {
        button.classList.toggle("current", place === ply);
        if (place === ply) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
      this.reveal(this.buttons[ply]);
    };
    this.build(record, step);
  }

  /** Shows where the game stands. */
  readonly point: (ply: number) => void;

  mark(plies: ReadonlyMap<number, Short>, thresholds: Thresholds): void {
    this.buttons.forEach((button, ply) => {
      const short = plies.get(ply);
      const mark = markOf(short, thresholds);
      const luck = luckOf(short, thresholds);
      button.classList.toggle("pending", !short);
      const place = button.querySelector(".move-mark");
      if (!place) return;
      place.className = `move-mark ${mark ?? ""}`;
      place.textContent = `${mark ? SIGNS[mark] : ""}${luck === "lucky" ? " ↑" : luck === "unlucky" ? " ↓" : ""}`;
      const words = [mark, luck].filter(Boolean).join(", ");
      button.title = words;
      place.setAttribute("aria-label", words);
    });
  }

  private build(record: GameRecord, step: (ply: number) => void): void {
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    record.sans.forEach((san, ply) => {
      const fields = (record.positions[ply] ?? "").split(" ");
      const white = fields[1] !== "b";
      if (white || !row) {
        row = h("li", {}, h("span", { class: "move-number", "aria-hidden": "true" }, `${fields[5] ?? ""}.`));
        rows.push(row);
        if (!white) row.append(h("span", { class: "move-none" }, "…"));
      }
      const button = h(
        "button",
        { type: "button", class: "move", onclick: () => step(ply) },
        san,
        h("span", { class: "move-mark" }),
      );
      this.buttons.push(button);
      row.append(button);
    });
    const end = h(
      "button",
      { type: "button", class: "move", onclick: () => step(record.moves.length) },
      record.result,
    );
    this.buttons.push(end);
    rows.push(h("li", {}, h("span", { class: "move-number" }), end));
    fill(this.list, ...rows);
  }

  /** Scrolls the list, and nothing but the list. */
  private reveal(button: HTMLElement | undefined): void {
    if (!button) return;
    const list = this.list.getBoundingClientRect();
    const box = button.getBoundingClientRect();
    if (box.top < list.top) this.list.scrollTop -= list.top - box.top;
    else if (box.bottom > list.bottom) this.list.scrollTop += box.bottom - list.bottom;
  }
}
