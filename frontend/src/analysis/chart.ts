// The graphs over the game: click on one, and the board goes there.

import { h } from "../dom.ts";

export interface Line {
  name: string;
  /** Its class in the style sheet. */
  kind: string;
  points: [ply: number, value: number][];
}

export interface Note {
  ply: number;
  value: number;
  text: string;
  kind: string;
}

export interface Scale {
  low: number;
  high: number;
  grid: [value: number, words: string][];
}

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 210;
const LEFT = 46;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 24;

function s(
  tag: string,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img" });
  private readonly legend = h("ul", { class: "chart-legend plain-list small muted" });
  private readonly cursor = s("path", { class: "cursor", d: `M0 ${TOP}V${HEIGHT - BOTTOM}` });
  private plies = 1;

  constructor(title: string, step: (ply: number) => void) {
    this.svg.setAttribute("aria-label", title);
    this.element = h("figure", { class: "chart-figure" }, h("figcaption", {}, title), this.svg, this.legend);
    const go = (event: PointerEvent): void => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const ply = Math.round(((x - LEFT) / (WIDTH - LEFT - RIGHT)) * this.plies);
      step(Math.max(0, Math.min(this.plies, ply)));
    };
    let held = false;
    this.svg.addEventListener("pointerdown", (event) => {
      held = true;
      go(event);
    });
    this.svg.addEventListener("pointermove", (event) => held && go(event));
    for (const name of ["pointerup", "pointerleave", "pointercancel"] as const)
      this.svg.addEventListener(name, () => (held = false));
  }

  draw(plies: number, scale: Scale, lines: Line[], notes: Note[] = []): void {
    this.plies = Math.max(1, plies);
    const y = (value: number): number =>
      TOP + ((HEIGHT - TOP - BOTTOM) * (scale.high - value)) / (scale.high - scale.low);
    const parts: SVGElement[] = [s("rect", { class: "hit", x: 0, y: 0, width: WIDTH, height: HEIGHT })];
    for (const [value, words] of scale.grid) {
      parts.push(
        s("path", { class: value === 0 ? "axis" : "grid", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }),
      );
      parts.push(s("text", { class: "scale", x: LEFT - 7, y: y(value) + 4 }, words));
    }
    const every = Math.max(2, 2 * Math.ceil(plies / 24));
    for (let ply = 0; ply <= plies; ply += every)
      parts.push(s("text", { class: "move-number", x: this.x(ply), y: HEIGHT - 6 }, String(ply / 2 + 1)));
    for (const { kind, points } of lines) {
      if (points.length === 0) continue;
      const path = points.map(([ply, value]) => `${this.x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
      parts.push(s("path", { class: `line ${kind}`, d: `M${path}` }));
      const [first] = points;
      if (points.length === 1 && first)
        parts.push(s("circle", { class: `dot ${kind}`, cx: this.x(first[0]), cy: y(first[1]), r: 3 }));
    }
    for (const { ply, value, text, kind } of notes)
      parts.push(s("text", { class: `note ${kind}`, x: this.x(ply), y: y(value) - 7 }, text));
    this.svg.replaceChildren(...parts, this.cursor);
    this.legend.replaceChildren(
      ...lines.map(({ name, kind }) =>
        h(
          "li",
          {},
          s(
            "svg",
            { viewBox: "0 0 26 8", "aria-hidden": "true" },
            s("path", { class: `line ${kind}`, d: "M1 4H25" }),
          ),
          name,
        ),
      ),
    );
  }

  /** Shows where the game stands. */
  point(ply: number): void {
    this.cursor.setAttribute("transform", `translate(${this.x(ply)} 0)`);
  }

  private x(ply: number): number {
    return LEFT + ((WIDTH - LEFT - RIGHT) * ply) / this.plies;
  }
}

export const VALUES: Scale = {
  low: -1,
  high: 1,
  grid: [
    [1, "+1"],
    [0.5, "+0.5"],
    [0, "0"],
    [-0.5, "−0.5"],
    [-1, "−1"],
  ],
};

/** A scale of powers of ten, up to the largest of these logarithms. */
export function powers(largest: number): Scale {
  const high = Math.max(1, Math.ceil(largest));
  const words = (power: number): string =>
    power < 3 ? String(10 ** power) : power < 6 ? `${10 ** (power - 3)}k` : `${10 ** (power - 6)}M`;
  return {
    low: -0.04 * high,
    high,
    grid: Array.from({ length: high + 1 }, (_, power) => [power, words(power)]),
  };
}
