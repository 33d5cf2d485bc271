// The server's addresses for everything but the game that is being played.

import type { Control, GameRecord, Listed, Opponent } from "./protocol.ts";

/** Something the server refused, in its words. */
export class Refused extends Error {}

/** Asks the server: GET, or POST if there is a body. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const request: RequestInit =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        };
  let answer: Response;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refused("The server does not answer.");
  }
  const content: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const words =
      content && typeof content === "object" && "error" in content
        ? String(content.error)
        : `error ${answer.status}`;
    throw new Refused(words);
  }
  return content as T;
}

export interface Wish {
  color: "white" | "black" | "random";
  opponent: string;
  control: Control | null;
  casual: boolean;
  start: string | null;
}

export interface Invitation {
  color: "white" | "black";
  control: Control | null;
  casual: boolean;
  start: string;
}

export const api = {
  opponents: () => ask<Opponent[]>("/api/opponents"),
  games: () => ask<Listed[]>("/api/games"),
  begin: (wish: Wish) => ask<{ token: string; invitation: string | null }>("/api/games", wish),
  invitation: (token: string) => ask<Invitation>(`/api/invitations/${token}`),
  accept: (token: string) => ask<{ token: string }>(`/api/invitations/${token}`, {}),
  upload: (text: string) => ask<{ tokens: string[] }>("/api/uploads", { text }),
  record: (token: string) => ask<GameRecord>(`/api/games/${token}/record`),
  download: (token: string, kind: "pgn" | "json") => `/api/games/${token}/obscuro.${kind}`,
};
