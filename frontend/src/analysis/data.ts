// What the server knows of an analysis: the overview of all plies, and everything about one.

import { ask } from "../api.ts";
import type { Color } from "../protocol.ts";

/** By piece, as FEN writes it, and square: the probability that it stands there. */
export type Marginals = Record<string, Record<string, number>>;

export interface Size {
  size: number;
  rank: number;
  exactness: "exact" | "sample" | "guess";
}

/** A position in short. Values are White's; loss and luck the mover's. */
export interface Short {
  ply: number;
  turn: Color;
  truth: { value: number; depth: number; best: string | null; played: number | null };
  value: number | null;
  nodes: number | null;
  white: Size | null;
  black: Size | null;
  judged: { loss: number; luck: number; probability: number } | null;
}

export interface MoveReport {
  move: string;
  san: string;
  probability: number;
  value: number | null;
  stable: boolean;
  played: number;
}

export interface Belief {
  size: number;
  exactness: Size["exactness"];
  marginals: Marginals;
  weighted: Marginals;
  boards: { epd: string; weight: number; is_truth: boolean }[];
  weighed: number;
  truth_weight: number | null;
  truth_rank: number | null;
  place: { rank: number; of: number; estimated: boolean };
}

/** Everything about a position. */
export interface Report {
  ply: number;
  fen: string;
  white_sees: string;
  black_sees: string;
  truth: Short["truth"];
  search: {
    value: number;
    moves: MoveReport[];
    nodes: number;
    depth: number;
    p_max: number;
    gadget: string;
  } | null;
  white: Belief | null;
  black: Belief | null;
}

interface Overview {
  state: "idle" | "queued" | "running";
  deepening: number[];
  error: string | null;
  revision: number;
  done: number;
  total: number;
  nodes: number | null;
  plies: Short[];
}

const POLL_MS = 900;

/** The analysis of one game, as it comes. */
export class Source {
  readonly plies = new Map<number, Short>();
  state: Overview["state"] = "idle";
  deepening: readonly number[] = [];
  error: string | null = null;
  done = 0;
  total = 0;
  private revision = 0;
  private readonly reports = new Map<number, Promise<Report>>();
  private timer: number | undefined;
  private ended = false;
  private readonly base: string;

  /** `changed` is told the plies of which something new is known. */
  constructor(
    token: string,
    private readonly changed: (fresh: ReadonlySet<number>) => void,
  ) {
    this.base = `/api/games/${token}/analysis`;
  }

  /** Loads what there is, and begins the analysis if nothing was ever found. */
  async begin(): Promise<void> {
    await this.load();
    if (this.state === "idle" && this.done === 0) await this.order({ action: "start" });
  }

  async order(wish: { action: "start" | "stop" | "deepen"; ply?: number }): Promise<void> {
    await ask<Overview>(this.base, wish);
    await this.load();
  }

  /** Everything about a ply; `null` if it is not analysed yet. */
  report(ply: number): Promise<Report> | null {
    if (!this.plies.has(ply)) return null;
    let found = this.reports.get(ply);
    if (!found) {
      found = ask<Report>(`${this.base}/plies/${ply}`);
      found.catch(() => this.reports.delete(ply));
      this.reports.set(ply, found);
    }
    return found;
  }

  download(kind: "html" | "json"): string {
    return `${this.base}/obscuro-analysis.${kind}`;
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    clearTimeout(this.timer);
    const told = await ask<Overview>(`${this.base}?since=${this.revision}`);
    if (this.ended) return;
    this.state = told.state;
    this.deepening = told.deepening;
    this.error = told.error;
    this.done = told.done;
    this.total = told.total;
    this.revision = Math.max(this.revision, told.revision);
    for (const short of told.plies) {
      this.plies.set(short.ply, short);
      this.reports.delete(short.ply);
    }
    this.changed(new Set(told.plies.map(({ ply }) => ply)));
    clearTimeout(this.timer);
    if (this.state !== "idle") this.again();
  }

  private again(): void {
    this.timer = window.setTimeout(() => {
      this.load().catch((error: unknown) => {
        // The server may only be busy: it is asked again.
        this.error = error instanceof Error ? error.message : String(error);
        if (this.ended) return;
        this.changed(new Set());
        this.again();
      });
    }, POLL_MS);
  }
}
