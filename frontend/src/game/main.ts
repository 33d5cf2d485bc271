// The screen of a game: while it is played, and when it is over.

import type { Key, Scene } from "../board.ts";
import { api } from "../api.ts";
import { fill, h } from "../dom.ts";
import { read } from "../fog.ts";
import { isTyping } from "../frame.ts";
import { Link } from "../link.ts";
import type { ClientMessage, GameRecord, ServerMessage } from "../protocol.ts";
import { go } from "../router.ts";
import { settings } from "../settings.ts";
import { play as sound } from "../sound.ts";
import { notice } from "../widgets.ts";
import { capital, controlWords } from "../words.ts";
import { Controls, offers } from "./controls.ts";
import { Ending } from "./ending.ts";
import { Entry } from "./entry.ts";
import { Ghosts } from "./ghosts.ts";
import { legend } from "./legend.ts";
import { marks, tidings } from "./marks.ts";
import { MoveList } from "./moves.ts";
import { Play } from "./play.ts";
import { GameState } from "./state.ts";
import { Strip } from "./strip.ts";

const TICK_MS = 100;
const LOW_MS = 10_000;

export function mount(root: HTMLElement, token: string): () => void {
  let screen: GameScreen | null = null;
  root.replaceChildren(h("p", { class: "muted loading", role: "status" }, "Setting up the board…"));
  const link = new Link(token, {
    message(message) {
      if (message.type === "snapshot") {
        if (screen) screen.restart(message);
        else screen = new GameScreen(root, token, link, new GameState(message));
      } else if (message.type === "rematch") {
        go(`/game/${message.token}`);
      } else {
        screen?.hear(message);
      }
    },
    state(now) {
      if (now === "unknown") void import("../home/lost.ts").then(({ mount: lost }) => lost(root));
      else screen?.connection(now === "open");
    },
  });
  return () => {
    link.close();
    screen?.destroy();
  };
}

class GameScreen {
  private readonly play: Play;
  private readonly theirs: Strip;
  private readonly mine: Strip;
  private readonly moves: MoveList;
  private readonly controls: Controls;
  private readonly ghosts: Ghosts;
  private readonly ending: Ending;
  private readonly entry: Entry;
  private readonly alert = h("div", { class: "alerts", role: "alert" });
  private readonly offer = h("div", { class: "contents" });
  private readonly lost = h(
    "div",
    { class: "connection", role: "status", hidden: true },
    "Connection lost. Trying again…",
  );
  private readonly turn = h("p", { class: "turn-words", "aria-hidden": "true" });
  private readonly facts = h("p", { class: "small muted" });
  private readonly voice = h("div", { class: "hidden-visually", "aria-live": "polite" });
  private readonly timer: number;
  private readonly settled: () => void;
  /** The plies that are shown; `null` follows the game. */
  private at: number | null = null;
  private offered = "";
  private warned = false;
  private asking = false;

  constructor(
    root: HTMLElement,
    private readonly token: string,
    private readonly link: Link,
    private state: GameState,
  ) {
    const { me, opponent } = state;
    this.play = new Play(me, {
      move: (uci) => this.move(uci),
      fog: (key) => this.fog(key),
      say: (words) => this.say(words),
    });
    this.theirs = new Strip(opponent);
    this.mine = new Strip(me);
    this.moves = new MoveList((plies) => this.step(plies));
    this.ghosts = new Ghosts(token, opponent, () => this.draw());
    this.controls = new Controls({
      send: (message) => this.send(message),
      flip: () => this.flip(),
      ghosts: () => this.ghosts.toggle(),
    });
    this.ending = new Ending(
      token,
      () => this.draw(),
      () => this.send({ type: "rematch" }),
    );
    this.entry = new Entry((text) => this.send({ type: "move", move: text, plies: this.state.plies }));
    this.board = h("div", { class: "game-board" }, this.theirs.element, this.play.element, this.mine.element);
    root.replaceChildren(
      h(
        "div",
        { class: "game" },
        this.board,
        h(
          "div",
          { class: "game-side" },
          h("div", { class: "turn-line" }, this.turn, this.facts),
          this.lost,
          this.alert,
          this.offer,
          this.ending.element,
          this.controls.element,
          this.ghosts.element,
          this.moves.element,
          this.entry.element,
          legend(),
        ),
        this.voice,
      ),
    );
    this.timer = window.setInterval(() => this.tick(), TICK_MS);
    this.settled = settings.onChange(() => this.draw());
    document.addEventListener("keydown", this.key);
    this.play.element.addEventListener("wheel", this.wheel, { passive: false });
    this.restart(state.snapshot, state);
  }

  private readonly board: HTMLElement;

  /** Everything anew: on connection, and when moves were taken back. */
  restart(message: Extract<ServerMessage, { type: "snapshot" }>, state = new GameState(message)): void {
    this.state = state;
    this.at = null;
    this.ghosts.follow(state);
    this.draw();
    this.finish();
    if (state.myTurn) this.play.playAhead();
  }

  hear(message: Exclude<ServerMessage, { type: "snapshot" | "rematch" }>): void {
    if (message.type === "error") {
      this.refused(message.message);
    } else if (message.type !== "pong") {
      const wasOver = this.state.over;
      if (!this.state.take(message)) {
        this.link.again();
        return;
      }
      if (message.type === "ply") this.plied();
      this.draw();
      if (!wasOver && this.state.over) this.ended();
      if (message.type === "ply" && this.state.myTurn) this.play.playAhead();
    }
  }

  connection(open: boolean): void {
    this.lost.hidden = open;
  }

  destroy(): void {
    clearInterval(this.timer);
    this.settled();
    document.removeEventListener("keydown", this.key);
    this.play.destroy();
  }

  private plied(): void {
    this.at = null;
    fill(this.alert);
    this.ghosts.follow(this.state);
    this.say(tidings(this.state));
    if (!this.state.over) sound(this.state.history.at(-1)?.uci ? "own" : "theirs");
  }

  private ended(): void {
    const { result } = this.state.now;
    sound("end");
    this.play.forget();
    if (result) this.say(`The game is over: ${result.score}, ${result.reason}.`);
    this.finish();
  }

  /** Asks for the truth once the game is over. */
  private finish(): void {
    if (!this.state.over || this.asking) return;
    this.asking = true;
    this.ghosts.forget();
    api.record(this.token).then(
      (record) => {
        this.ending.record = record;
        this.draw();
      },
      (error: unknown) => {
        this.asking = false;
        this.refused(error instanceof Error ? error.message : String(error));
      },
    );
  }

  private send(message: ClientMessage): boolean {
    const sent = this.link.send(message);
    if (!sent) this.refused("There is no connection to the server just now.");
    return sent;
  }

  private move(uci: string): void {
    if (!this.send({ type: "move", move: uci, plies: this.state.plies })) this.draw();
  }

  private refused(words: string): void {
    fill(this.alert, notice(`${capital(words)}${/[.!?]$/.test(words) ? "" : "."}`, "danger"));
    sound("refused");
    this.draw();
  }

  private fog(key: Key): void {
    if (!this.ghosts.active || this.at !== null || this.state.over) return;
    this.ghosts.put(key);
    this.say(`${key}: ${this.ghosts.placed.has(key) ? "ghost placed" : "ghost taken away"}`);
  }

  private step(plies: number): void {
    const wanted = Math.max(0, Math.min(this.state.plies, plies));
    this.at = wanted === this.state.plies ? null : wanted;
    this.draw();
  }

  private flip(): void {
    this.play.flip();
    this.board.classList.toggle("flipped");
  }

  private say(words: string): void {
    this.voice.textContent = words;
  }

  private draw(): void {
    const { state } = this;
    const shown = this.at ?? state.plies;
    const live = this.at === null;
    const { record } = this.ending;
    this.play.show(record ? this.truth(record, shown) : this.scene(shown), {
      me: state.me,
      moves: live && state.myTurn ? state.now.moves : [],
      ahead: live && state.now.status === "playing" && !state.myTurn,
    });
    this.theirs.draw(state, shown);
    this.mine.draw(state, shown);
    this.moves.draw(state, shown, record?.sans ?? null);
    this.controls.draw(state, this.ghosts.active);
    this.ending.draw(state);
    this.entry.element.hidden = state.over;
    this.drawWords(live);
    const offered = JSON.stringify([state.now.status, state.now.takeback]);
    if (offered !== this.offered) {
      this.offered = offered;
      fill(
        this.offer,
        offers(state, this.token, (message) => this.send(message)),
      );
    }
    document.title = state.myTurn ? "Your turn · Obscuro" : "Game · Obscuro";
  }

  private drawWords(live: boolean): void {
    const { state } = this;
    const { control, casual, opponent } = state.snapshot;
    const turn = state.myTurn
      ? "Your turn"
      : state.snapshot.opponent === "engine"
        ? "The program's turn"
        : "Your opponent's turn";
    this.turn.textContent = !live
      ? "Looking back"
      : state.now.status === "playing"
        ? turn
        : state.over
          ? "The game is over"
          : "";
    this.facts.textContent =
      opponent === "upload"
        ? "A game from elsewhere"
        : `${capital(controlWords(control))} · ${casual ? "casual" : "no takebacks"}`;
  }

  /** What the player saw after so many plies. */
  private scene(plies: number): Scene {
    const { state } = this;
    const own = state.lastOwn(plies);
    return {
      fen: state.history[plies]?.fen ?? "",
      lastMove: own ? squares(own) : [],
      marks: settings.get("marks") ? marks(state, plies) : new Map(),
      ghosts: plies === state.plies ? this.ghosts.placed : new Map(),
    };
  }

  /** What there was, with what the player did not see under a veil; or what a player saw. */
  private truth(record: GameRecord, plies: number): Scene {
    const { eyes } = this.ending;
    const last = record.moves[plies - 1];
    if (eyes !== "truth") {
      const own = this.state.mover(plies) === eyes ? last : record.moves[plies - 2];
      return { fen: record.observations[eyes][plies] ?? "", lastMove: own ? squares(own) : [] };
    }
    const veiled = new Map<Key, string>();
    if (this.state.snapshot.opponent !== "upload") {
      for (const key of read(record.observations[this.state.me][plies] ?? "").fog) veiled.set(key, "veil");
    }
    return { fen: record.positions[plies] ?? "", lastMove: last ? squares(last) : [], marks: veiled };
  }

  private tick(): void {
    this.theirs.tick(this.state);
    this.mine.tick(this.state);
    const left = this.mine.clock.left(this.state);
    if (left !== null && left < LOW_MS && !this.warned && this.state.myTurn) {
      this.warned = true;
      sound("low");
    }
  }

  private readonly wheel = (event: WheelEvent): void => {
    if (!this.state.over || event.ctrlKey) return;
    event.preventDefault();
    this.step((this.at ?? this.state.plies) + Math.sign(event.deltaY));
  };

  private readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const at = this.at ?? this.state.plies;
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: 0,
      ArrowDown: Infinity,
    };
    const to = steps[event.key];
    if (to !== undefined) this.step(to);
    else if (event.key === "Escape") this.escape();
    else if (this.ghosts.active && this.ghosts.choose(event.key)) this.say(`ghost: ${event.key}`);
    else if (event.key === "f") this.flip();
    else if (event.key === "g" && !this.state.over) this.ghosts.toggle();
    else if (event.key === "m" && !this.state.over) this.entry.focus();
    else return;
    event.preventDefault();
  };

  private escape(): void {
    this.play.forget();
    if (this.ghosts.active) this.ghosts.toggle(false);
  }
}

const squares = (uci: string): Key[] => [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
