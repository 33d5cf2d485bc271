// The mixed strategy, as poker solvers show it: a bar for each move, its value, what is kept of it.

import type { Arrow, Key } from "../board.ts";
import { fill, h } from "../dom.ts";
import type { Color } from "../protocol.ts";
import { capital } from "../words.ts";
import type { Report } from "./data.ts";
import { percent, signed } from "./review.ts";

const SHOWN = 8;
const LEAST_ARROW = 0.02;
const WIDEST = 11;

/** Arrows as wide as their moves are probable; a blue one for the move that was played. */
export function arrows(report: Report, played: string | undefined): Arrow[] {
  const drawn: Arrow[] = [];
  for (const { move, probability } of report.search?.moves ?? []) {
    if (probability < LEAST_ARROW) continue;
    drawn.push({ ...ends(move), width: Math.max(2, WIDEST * probability), brush: "green" });
  }
  if (played) drawn.push({ ...ends(played), width: 4, brush: "blue" });
  return drawn;
}

function ends(move: string): { from: Key; to: Key } {
  return { from: move.slice(0, 2) as Key, to: move.slice(2, 4) as Key };
}

export class Strategy {
  private readonly title = h("h2", {}, "Strategy");
  private readonly details = h("p", { class: "small muted" });
  private readonly body = h("tbody", {});
  private readonly more = h("button", { type: "button", class: "button quiet" });
  readonly element = h(
    "section",
    { class: "card strategy", "aria-label": "Strategy" },
    this.title,
    this.details,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["Move", "Probability", "Value", "Kept", "Stable"].map((words) =>
            h("th", { scope: "col" }, words),
          ),
        ),
      ),
      this.body,
    ),
    this.more,
  );
  private all = false;
  private last: [Report | null, string | undefined] = [null, undefined];

  constructor() {
    this.more.addEventListener("click", () => {
      this.all = !this.all;
      this.draw(...this.last);
    });
  }

  draw(report: Report | null, played: string | undefined): void {
    this.last = [report, played];
    const search = report?.search;
    this.more.hidden = !search || search.moves.length <= SHOWN;
    if (!report || !search) {
      this.title.textContent = "Strategy";
      this.details.textContent = report ? "There is no move to choose here." : "Not analysed yet.";
      fill(this.body);
      return;
    }
    const turn: Color = report.fen.split(" ")[1] === "b" ? "black" : "white";
    const sign = turn === "white" ? 1 : -1;
    const name = capital(turn);
    this.title.textContent = `${name}'s strategy`;
    const safe = search.p_max > 0 ? "Resolve in force: the likeliest move is played" : "safe: it may mix";
    this.details.textContent = `Worth ${signed(sign * search.value)} to ${name}, by what ${name} knows. ${search.nodes.toLocaleString("en")} nodes, ${safe}.`;
    const shown = search.moves.filter(({ move }, place) => this.all || place < SHOWN || move === played);
    fill(
      this.body,
      ...shown.map((found) =>
        h(
          "tr",
          { class: found.move === played ? "played" : false },
          h(
            "th",
            { scope: "row" },
            found.san,
            found.move === played && h("span", { class: "tag accent" }, "played"),
          ),
          h(
            "td",
            {},
            bar(found.probability, found.played),
            h("span", { class: "numbers" }, percent(found.probability)),
          ),
          h("td", { class: "numbers" }, found.value === null ? "–" : signed(sign * found.value)),
          h("td", { class: "numbers" }, found.played > 0 ? percent(found.played) : ""),
          h(
            "td",
            {},
            found.stable ? h("span", { title: "played all through the second half of the search" }, "●") : "",
          ),
        ),
      ),
    );
    this.more.textContent = this.all ? "Show fewer" : `Show all ${search.moves.length} moves`;
  }
}

function bar(probability: number, kept: number): HTMLElement {
  const whole = h("span", { class: "bar-all" });
  const part = h("span", { class: "bar-kept" });
  whole.style.setProperty("--share", probability.toFixed(4));
  part.style.setProperty("--share", kept.toFixed(4));
  return h("span", { class: "bar", "aria-hidden": "true" }, whole, part);
}
