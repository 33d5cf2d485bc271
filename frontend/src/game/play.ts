// The board of a game: moving, moving ahead, promoting, ghosts, with mouse, finger or keys.

import type { DrawShape } from "chessground/draw";
import { Board, type Key, type Scene } from "../board.ts";
import { h } from "../dom.ts";
import { words } from "../fog.ts";
import type { Color } from "../protocol.ts";
import { other } from "../protocol.ts";
import { askPromotion, type Promotion } from "./promotion.ts";

export interface Orders {
  /** A move that the player has made, in UCI. */
  move(uci: string): void;
  /** A square of the fog was chosen, with no piece in hand. */
  fog(key: Key): void;
  /** Something for a screen reader. */
  say(words: string): void;
}

/** What the board allows. */
export interface Allowed {
  me: Color;
  /** The legal moves in UCI, where it is the player's turn and they look at the present. */
  moves: readonly string[];
  /** Whether moves can be made ahead. */
  ahead: boolean;
}

export class Play {
  /** The board in its frame, over which the promotion is asked. */
  readonly element: HTMLElement;
  readonly board: Board;
  private allowed: Allowed;
  private aheadPromotion: Promotion | null = null;
  private cursor: Key;
  private scene: Scene = { fen: "8/8/8/8/8/8/8/8 w - - 0 1" };

  constructor(
    me: Color,
    private readonly orders: Orders,
  ) {
    this.allowed = { me, moves: [], ahead: false };
    this.cursor = me === "white" ? "e2" : "e7";
    this.board = new Board({
      orientation: me,
      onSelect: (key) => this.selected(key),
      config: {
        movable: {
          free: false,
          color: me,
          events: { after: (from, to, { premove }) => this.moved(from, to, premove) },
        },
        premovable: {
          enabled: false,
          events: { set: (from, to) => this.setAhead(from, to), unset: () => (this.aheadPromotion = null) },
        },
        draggable: { enabled: true, showGhost: true, distance: 3 },
      },
    });
    const field = this.board.element;
    field.tabIndex = 0;
    field.setAttribute("role", "application");
    field.setAttribute("aria-roledescription", "board");
    field.setAttribute(
      "aria-label",
      "Board. Arrow keys move the cursor, Enter picks a piece up and puts it down.",
    );
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("focus", () => this.draw());
    field.addEventListener("blur", () => this.draw());
    this.element = h("div", { class: "board-frame" }, field);
  }

  /** Shows what is seen, and lets the player do what is allowed. */
  show(scene: Scene, allowed: Allowed): void {
    this.scene = scene;
    this.allowed = allowed;
    this.draw();
  }

  /** Plays the move made ahead, if it is legal now. */
  playAhead(): void {
    this.board.ground.playPremove();
  }

  /** Forgets what was begun: a piece in hand, a move ahead, drawings. */
  forget(): void {
    const { ground } = this.board;
    ground.cancelPremove();
    ground.selectSquare(null);
    ground.setShapes([] as DrawShape[]);
    this.element.querySelector(".promotion")?.dispatchEvent(new Event("giveup"));
  }

  flip(): void {
    this.board.flip();
  }

  destroy(): void {
    this.board.destroy();
  }

  private draw(): void {
    const { me, moves, ahead } = this.allowed;
    const marks = new Map(this.scene.marks);
    if (this.hasFocus) marks.set(this.cursor, `${marks.get(this.cursor) ?? ""} cursor`.trim());
    const canAct = moves.length > 0 || ahead;
    this.board.show(
      { ...this.scene, marks },
      {
        movable: { dests: this.targets() },
        premovable: { enabled: ahead },
        // Nothing can be picked up by the player whose turn it is not.
        turnColor: canAct && !ahead ? me : other(me),
      },
    );
    if (!ahead) this.board.ground.cancelPremove();
  }

  /** Where each piece can go; a castling king goes onto its rook as well, as many players are used to. */
  private targets(): Map<Key, Key[]> {
    const targets = new Map<Key, Key[]>();
    for (const uci of this.allowed.moves) {
      const from = uci.slice(0, 2) as Key;
      const to = uci.slice(2, 4) as Key;
      const known = targets.get(from) ?? [];
      if (!known.includes(to)) known.push(to);
      const rook = this.castlingRook(from, to);
      if (rook) known.push(rook);
      targets.set(from, known);
    }
    return targets;
  }

  private castlingRook(from: Key, to: Key): Key | null {
    const piece = this.board.ground.state.pieces.get(from);
    if (piece?.role !== "king" || Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) !== 2) return null;
    return `${to[0] === "g" ? "h" : "a"}${to[1]}` as Key;
  }

  private moved(from: Key, to: Key, wasAhead: boolean): void {
    const { moves } = this.allowed;
    let fitting = moves.filter((move) => move.startsWith(from + to));
    if (fitting.length === 0) {
      // The king was put on its rook.
      const target = `${to[0] === "h" ? "g" : "c"}${to[1]}`;
      fitting = moves.filter((move) => move === from + target);
    }
    const only = fitting[0];
    if (fitting.length === 1 && only) {
      this.orders.move(only);
      return;
    }
    const decided = wasAhead ? this.aheadPromotion : null;
    this.aheadPromotion = null;
    if (decided) {
      this.orders.move(from + to + decided);
      return;
    }
    void askPromotion(this.element, to, this.allowed.me, this.board.orientation).then((chosen) => {
      if (chosen) this.orders.move(from + to + chosen);
      else this.draw();
    });
  }

  private setAhead(from: Key, to: Key): void {
    this.aheadPromotion = null;
    const piece = this.board.ground.state.pieces.get(from);
    if (piece?.role === "pawn" && (to[1] === "8" || to[1] === "1")) {
      void askPromotion(this.element, to, this.allowed.me, this.board.orientation).then((chosen) => {
        if (chosen) this.aheadPromotion = chosen;
        else this.board.ground.cancelPremove();
      });
    }
    this.orders.say(`Next, if it is legal then: ${from} to ${to}.`);
  }

  private selected(key: Key): void {
    if (!this.board.ground.state.selected && this.board.seen.fog.has(key)) this.orders.fog(key);
  }

  // The keys of the board.

  private get hasFocus(): boolean {
    return document.activeElement === this.board.element && this.board.element.matches(":focus-visible");
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.board.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      this.moveCursor(step[0] ?? 0, step[1] ?? 0);
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private moveCursor(right: number, up: number): void {
    const way = this.board.orientation === "white" ? 1 : -1;
    const file = "abcdefgh".indexOf(this.cursor[0] ?? "a") + right * way;
    const rank = Number(this.cursor[1]) + up * way;
    if (file < 0 || file > 7 || rank < 1 || rank > 8) return;
    this.cursor = `${"abcdefgh"[file]}${rank}` as Key;
    this.draw();
    const ghost = this.scene.ghosts?.has(this.cursor) ? ", with a ghost of yours" : "";
    this.orders.say(`${this.cursor}: ${words(this.board.seen, this.cursor)}${ghost}`);
  }

  private pick(): void {
    const { ground } = this.board;
    const before = ground.state.selected;
    if (before === this.cursor) {
      ground.selectSquare(null);
      this.orders.say("Put back.");
      return;
    }
    ground.selectSquare(this.cursor);
    if (ground.state.selected === this.cursor) {
      this.orders.say(`${words(this.board.seen, this.cursor)} on ${this.cursor} picked up.`);
    } else if (before && !ground.state.premovable.current) {
      this.orders.say("It cannot go there.");
    }
  }
}
