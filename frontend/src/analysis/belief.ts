// What a player believes: which pieces, where, and which boards are the likeliest.

import { Board, type Heat, type Key } from "../board.ts";
import { fill, h } from "../dom.ts";
import { piece, read } from "../fog.ts";
import type { Color } from "../protocol.ts";
import { other } from "../protocol.ts";
import { capital } from "../words.ts";
import type { Belief, Marginals, Report } from "./data.ts";
import { count, percent } from "./review.ts";

/** Which pieces the heat map shows: any, or one kind by its letter. */
export type Kind = "any" | "k" | "q" | "r" | "b" | "n" | "p" | "none";
/** How positions count: as the engine weighed them, or all that are possible alike. */
export type Weighing = "weighted" | "marginals";

export const KINDS: { value: Kind; label: string }[] = [
  { value: "any", label: "any" },
  { value: "k", label: "king" },
  { value: "q", label: "queen" },
  { value: "r", label: "rook" },
  { value: "b", label: "bishop" },
  { value: "n", label: "knight" },
  { value: "p", label: "pawn" },
  { value: "none", label: "off" },
];
const LEAST_HEAT = 0.01;
const LEAST_LABEL = 0.05;
const LEAST_GHOST = 0.3;

export function table(belief: Belief, weighing: Weighing): Marginals {
  return weighing === "weighted" && belief.weighed > 0 ? belief.weighted : belief.marginals;
}

/** How likely pieces stand in the fog; what is seen needs no number. */
export function heat(marginals: Marginals, kind: Kind, fen: string): Map<Key, Heat> {
  const { fog } = read(fen);
  const sums = new Map<Key, number>();
  for (const [letter, row] of Object.entries(marginals)) {
    if (kind !== "any" && letter.toLowerCase() !== kind) continue;
    for (const [name, value] of Object.entries(row)) {
      const key = name as Key;
      if (fog.has(key)) sums.set(key, (sums.get(key) ?? 0) + value);
    }
  }
  const drawn = new Map<Key, Heat>();
  for (const [key, value] of sums) {
    if (value < LEAST_HEAT) continue;
    const label = String(Math.min(100, Math.round(value * 100)));
    drawn.set(key, value < LEAST_LABEL ? { value } : { value, label });
  }
  return drawn;
}

/** The likeliest piece of each fogged square, where it is likely. */
export function ghosts(marginals: Marginals, fen: string): Map<Key, string> {
  const { fog } = read(fen);
  const best = new Map<Key, [string, number]>();
  for (const [letter, row] of Object.entries(marginals)) {
    for (const [name, value] of Object.entries(row)) {
      const key = name as Key;
      if (fog.has(key) && value >= LEAST_GHOST && value > (best.get(key)?.[1] ?? 0))
        best.set(key, [letter, value]);
    }
  }
  return new Map([...best].map(([key, [letter]]) => [key, letter]));
}

/** What may stand on a square, the likeliest first; what is left is that it is empty. */
function distribution(marginals: Marginals, key: Key): [string, number][] {
  const found = Object.entries(marginals)
    .map(([letter, row]): [string, number] => [letter, row[key] ?? 0])
    .filter(([, value]) => value > 0)
    .sort((one, two) => two[1] - one[1]);
  const left = 1 - found.reduce((sum, [, value]) => sum + value, 0);
  return left > 0.0005 ? [...found, ["", left]] : found;
}

const BOARDS = 6;

export class BeliefPanel {
  private readonly facts = h("dl", { class: "facts small" });
  private readonly square = h("div", { class: "square-distribution", "aria-live": "polite" });
  private readonly minis = h("div", { class: "minis" });
  private readonly title = h("h2", {}, "Belief");
  private readonly possible = h("h2", {}, "Possible boards");
  readonly element = h(
    "section",
    { class: "card belief", "aria-label": "Belief" },
    h("div", { class: "belief-words" }, this.title, this.facts, this.square),
    h("div", { class: "belief-boards" }, this.possible, this.minis),
  );
  private boards: Board[] = [];
  private drawn = "";

  draw(report: Report | null, color: Color, weighing: Weighing, key: Key | null): void {
    const belief = report?.[color] ?? null;
    const name = capital(color);
    this.title.textContent = `What ${name} can know`;
    if (!report || !belief) {
      fill(this.facts);
      fill(
        this.square,
        h(
          "p",
          { class: "small muted" },
          report ? "The game is over: nothing is hidden." : "Not analysed yet.",
        ),
      );
      this.drawBoards(null, "");
      return;
    }
    const { place } = belief;
    const about = place.estimated ? "about " : "";
    const exact = { exact: "", sample: " (a sample: there are more)", guess: " (a guess)" }[belief.exactness];
    const facts: [string, string][] = [
      ["Possible positions", `${count(belief.size)}${exact}`],
      [
        "Place of the truth",
        `${about}no. ${count(place.rank)}, ${percent((place.rank - 1) / Math.max(1, place.of - 1))} from the top`,
      ],
      [
        "Weighed by the engine",
        belief.weighed ? `${count(belief.weighed)}, the truth ${weight(belief)}` : "none",
      ],
    ];
    fill(this.facts, ...facts.flatMap(([what, words]) => [h("dt", {}, what), h("dd", {}, words)]));
    this.drawSquare(
      table(belief, weighing),
      key,
      read(report[`${color}_sees`]).pieces.get(key ?? "a1")?.color === color,
    );
    this.drawBoards(belief, `${report.ply} ${color} ${belief.size} ${report.search?.nodes}`);
  }

  destroy(): void {
    for (const board of this.boards) board.destroy();
    this.boards = [];
  }

  private drawSquare(marginals: Marginals, key: Key | null, own: boolean): void {
    if (!key) {
      fill(this.square, h("p", { class: "small muted" }, "Click on a square for what may stand there."));
      return;
    }
    if (own) {
      fill(this.square, h("p", { class: "small muted" }, `On ${key} stands a piece of their own.`));
      return;
    }
    const rows = distribution(marginals, key).map(([letter, value]) => {
      const bar = h("span", { class: "bar-all" });
      bar.style.setProperty("--share", value.toFixed(4));
      const name = letter ? piece(letter).role : "empty";
      return h(
        "li",
        {},
        h("span", {}, name),
        h("span", { class: "bar", "aria-hidden": "true" }, bar),
        h("span", { class: "numbers" }, percent(value)),
      );
    });
    fill(this.square, h("h3", {}, `On ${key}`), h("ul", { class: "plain-list" }, ...rows));
  }

  private drawBoards(belief: Belief | null, drawn: string): void {
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.destroy();
    const shown = belief?.boards.slice(0, BOARDS) ?? [];
    this.possible.textContent = belief?.weighed ? "The likeliest boards" : "Some possible boards";
    fill(
      this.minis,
      ...shown.map(({ epd, weight: share, is_truth }, place) => {
        const board = new Board({ orientation: "white", label: `Possible board ${place + 1}`, still: true });
        board.show({ fen: `${epd} 0 1` });
        this.boards.push(board);
        return h(
          "figure",
          { class: is_truth ? "true" : false },
          board.element,
          h(
            "figcaption",
            { class: "small" },
            percent(share),
            is_truth && h("span", { class: "tag good" }, "the truth"),
          ),
        );
      }),
    );
  }
}

function weight(belief: Belief): string {
  if (belief.truth_weight === null) return "not among them";
  return `with ${percent(belief.truth_weight)}, as no. ${count(belief.truth_rank ?? 0)}`;
}

/** What the opponent sees of a player, and where they believe that player's pieces to be. */
export class OtherSide {
  private readonly board = new Board({ orientation: "white", label: "What the opponent sees", still: true });
  private readonly title = h("h2", {});
  private readonly words = h("p", { class: "small muted" });
  readonly element = h(
    "section",
    { class: "card other-side", "aria-label": "The other side" },
    this.title,
    this.board.element,
    this.words,
  );

  draw(report: Report | null, fen: string, color: Color, kind: Kind, weighing: Weighing): void {
    const belief = report?.[color] ?? null;
    const marginals = belief && table(belief, weighing);
    this.title.textContent = `What ${capital(color)} sees and believes`;
    this.board.show({
      fen,
      ...(marginals && kind !== "none" ? { heat: heat(marginals, kind, fen) } : {}),
      ...(marginals && kind === "any" ? { ghosts: ghosts(marginals, fen) } : {}),
    });
    this.words.textContent = belief
      ? `${capital(other(color))}'s pieces, as ${capital(color)} can know them: ${count(belief.size)} positions.`
      : "";
  }

  destroy(): void {
    this.board.destroy();
  }
}
