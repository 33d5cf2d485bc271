// The board: a position, or what one player sees of it, drawn by chessground.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Config } from "chessground/config";
import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import { h } from "./dom.ts";
import { piece, read, type View } from "./fog.ts";
import type { Color } from "./protocol.ts";

export type { Key } from "chessground/types";

export const KEYS: readonly Key[] = [..."12345678"].flatMap((rank) =>
  [..."abcdefgh"].map((file) => `${file}${rank}` as Key),
);

/** An arrow. Widths are those of chessground: 10 is the usual one. */
export interface Arrow {
  from: Key;
  to: Key;
  width?: number;
  /** A brush of chessground: green, red, blue, yellow, paleBlue, paleGreen, paleRed, paleGrey. */
  brush?: string;
}

/** How strongly a square is coloured, 0 to 1, and what is written on it. */
export interface Heat {
  value: number;
  label?: string;
}

/** All that is on the board. */
export interface Scene {
  /** A FEN, or a fog FEN, whose fogged squares are drawn as such. */
  fen: string;
  lastMove?: readonly Key[];
  /** Further classes of squares; see `squares.css`. */
  marks?: ReadonlyMap<Key, string>;
  /** Pale pieces, as FEN writes them. */
  ghosts?: ReadonlyMap<Key, string>;
  arrows?: readonly Arrow[];
  circles?: readonly { at: Key; brush?: string }[];
  heat?: ReadonlyMap<Key, Heat>;
}

export interface BoardOptions {
  orientation: Color;
  /** What a screen reader calls the board. */
  label?: string;
  /** A square was clicked on. */
  onSelect?: (key: Key) => void;
  /** Whatever else chessground can do. */
  config?: Config;
  /** No piece slides, nothing can be drawn or clicked. */
  still?: boolean;
}

const isDark = (key: Key): boolean => (key.charCodeAt(0) + key.charCodeAt(1)) % 2 === 0;

export class Board {
  /** Put it somewhere: it is a square as wide as what it is in. */
  readonly element: HTMLElement;
  readonly ground: Api;
  private readonly heat: HTMLElement;
  private view: View;

  constructor(options: BoardOptions) {
    const wrap = h("div", { class: "cg-wrap" });
    this.heat = h("div", { class: "heat", "aria-hidden": "true" });
    this.element = h("div", { class: "board" }, wrap, this.heat);
    if (options.label) {
      this.element.setAttribute("role", "img");
      this.element.setAttribute("aria-label", options.label);
    }
    this.view = read("8/8/8/8/8/8/8/8 w - - 0 1");
    const still = options.still ?? false;
    const base: Config = {
      fen: this.view.board,
      orientation: options.orientation,
      viewOnly: still,
      coordinates: !still,
      disableContextMenu: true,
      animation: {
        enabled: !still && !matchMedia("(prefers-reduced-motion: reduce)").matches,
        duration: 180,
      },
      highlight: { lastMove: true, check: false },
      movable: { free: false, showDests: true },
      draggable: { enabled: false },
      selectable: { enabled: !still },
      drawable: { enabled: !still, visible: true, eraseOnClick: false },
    };
    if (options.onSelect) base.events = { select: options.onSelect };
    this.ground = Chessground(wrap, { ...base, ...options.config });
  }

  get orientation(): Color {
    return this.ground.state.orientation;
  }

  /** What is seen on it. */
  get seen(): View {
    return this.view;
  }

  /** Draws a scene in place of what was there; `config` goes to chessground with it. */
  show(scene: Scene, config: Config = {}): void {
    this.view = read(scene.fen);
    const classes = new Map<Key, string>();
    for (const key of this.view.fog) classes.set(key, isDark(key) ? "fog fog-dark" : "fog");
    for (const [key, mark] of scene.marks ?? []) {
      const before = classes.get(key);
      classes.set(key, before ? `${before} ${mark}` : mark);
    }
    // A new position wipes off what was drawn on the old one; the same position must not.
    const position = this.ground.getFen() === this.view.board ? {} : { fen: this.view.board };
    this.ground.set({
      turnColor: this.view.turn,
      ...config,
      ...position,
      lastMove: [...(scene.lastMove ?? [])],
      highlight: { lastMove: true, check: false, custom: classes },
    });
    this.ground.setAutoShapes(shapes(scene));
    this.drawHeat(scene.heat);
  }

  flip(): void {
    this.ground.toggleOrientation();
    this.placeHeat();
  }

  destroy(): void {
    this.ground.destroy();
    this.element.remove();
  }

  private drawHeat(heat: Scene["heat"]): void {
    const cells = [...(heat ?? [])].map(([key, { value, label }]) => {
      const cell = h("div", { class: "heat-cell" }, label);
      cell.dataset["key"] = key;
      cell.style.setProperty("--value", String(Math.min(1, Math.max(0, value))));
      return cell;
    });
    this.heat.replaceChildren(...cells);
    this.placeHeat();
  }

  private placeHeat(): void {
    const white = this.orientation === "white";
    for (const cell of this.heat.children) {
      if (!(cell instanceof HTMLElement)) continue;
      const key = cell.dataset["key"] ?? "a1";
      const file = "abcdefgh".indexOf(key[0] ?? "a");
      const rank = Number(key[1]) - 1;
      cell.style.gridColumn = String((white ? file : 7 - file) + 1);
      cell.style.gridRow = String((white ? 7 - rank : rank) + 1);
    }
  }
}

function shapes(scene: Scene): DrawShape[] {
  const drawn: DrawShape[] = [];
  for (const [orig, letter] of scene.ghosts ?? [])
    drawn.push({ orig, piece: { ...piece(letter), scale: 0.86 } });
  for (const { from, to, width, brush } of scene.arrows ?? []) {
    drawn.push({ orig: from, dest: to, brush: brush ?? "green", modifiers: { lineWidth: width ?? 10 } });
  }
  for (const { at, brush } of scene.circles ?? []) drawn.push({ orig: at, brush: brush ?? "green" });
  return drawn;
}
