// What the server sends and takes. The server's side of it is obscuro.web.messages and commands.

export type Color = "white" | "black";

export interface Result {
  score: "1-0" | "0-1" | "1/2-1/2" | "*";
  winner: Color | null;
  reason: string;
}

export interface Control {
  base: number;
  increment: number;
}

/** One observation of our seat, and our own move if that led to it. */
export interface Ply {
  fen: string;
  /** The square on which a piece of ours was taken. */
  lost?: string;
  uci?: string;
  san?: string;
  /** The piece that our move took, as FEN writes it. */
  took?: string;
}

export interface Now {
  plies: number;
  turn: Color;
  moves: string[];
  status: "waiting" | "playing" | "over";
  here: boolean;
  clock: { white: number; black: number; running: Color | null } | null;
  thinking: { queued: boolean; elapsed: number; budget: number } | null;
  takeback: Color | null;
  rematch: Color | null;
  result: Result | null;
}

export interface Snapshot {
  type: "snapshot";
  color: Color;
  start: string;
  white: string;
  black: string;
  opponent: "engine" | "human" | "upload";
  control: Control | null;
  casual: boolean;
  history: Ply[];
  now: Now;
}

export type ServerMessage =
  | Snapshot
  | { type: "ply"; number: number; ply: Ply; now: Now }
  | { type: "now"; now: Now }
  | { type: "error"; code: string; message: string }
  | { type: "rematch"; token: string }
  | { type: "pong" };

export type ClientMessage =
  | { type: "move"; move: string; plies: number }
  | { type: "resign" }
  | { type: "takeback"; plies: number }
  | { type: "answer-takeback"; accept: boolean }
  | { type: "rematch" }
  | { type: "ping" };

export interface Opponent {
  key: string;
  label: string;
  description: string;
  elo: number | null;
  default: boolean;
}

export interface Listed {
  token: string;
  color: Color;
  updated: number;
  white: string;
  black: string;
  opponent: "engine" | "human" | "upload";
  control: Control | null;
  plies: number;
  turn: Color;
  status: "waiting" | "playing" | "over";
  result: Result | null;
}

/** The truth of a game that is over. */
export interface GameRecord {
  white: string;
  black: string;
  result: string;
  reason: string;
  start: string;
  moves: string[];
  sans: string[];
  positions: string[];
  observations: Record<Color, string[]>;
  clocks: [number, number][];
}

export const other = (color: Color): Color => (color === "white" ? "black" : "white");
