// The connection to a game. It comes back by itself when it was lost.

import type { ClientMessage, ServerMessage } from "./protocol.ts";

const LONGEST_WAIT_MS = 8000;
const PING_MS = 15000;
const NO_SUCH_GAME = 4404;

export interface Listener {
  message(message: ServerMessage): void;
  /** The connection is there, is lost and will be tried again, or is gone for good. */
  state(state: "open" | "lost" | "unknown"): void;
}

export class Link {
  private socket: WebSocket | null = null;
  private waitMs = 300;
  private retry = 0;
  private ping = 0;
  private answered = true;
  private closed = false;

  constructor(
    private readonly token: string,
    private readonly listener: Listener,
  ) {
    this.connect();
    window.addEventListener("online", this.now);
  }

  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Connects anew, to be told everything again. */
  again(): void {
    this.socket?.close();
  }

  close(): void {
    this.closed = true;
    window.removeEventListener("online", this.now);
    clearTimeout(this.retry);
    clearInterval(this.ping);
    this.socket?.close();
  }

  private readonly now = (): void => {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.connect();
  };

  private connect(): void {
    const url = new URL(`/api/play/${this.token}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.waitMs = 300;
      this.answered = true;
      this.listener.state("open");
      this.ping = window.setInterval(() => this.beat(socket), PING_MS);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as ServerMessage;
      this.answered = true;
      if (message.type !== "pong") this.listener.message(message);
    };
    socket.onclose = (event) => {
      clearInterval(this.ping);
      if (this.closed || socket !== this.socket) return;
      if (event.code === NO_SUCH_GAME) {
        this.closed = true;
        this.listener.state("unknown");
        return;
      }
      this.listener.state("lost");
      this.retry = window.setTimeout(() => this.connect(), this.waitMs);
      this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
    };
  }

  /** A connection that is silent for two beats is dead, whatever the system thinks. */
  private beat(socket: WebSocket): void {
    if (!this.answered) {
      socket.close();
      return;
    }
    this.answered = false;
    socket.send(JSON.stringify({ type: "ping" }));
  }
}
