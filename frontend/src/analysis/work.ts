// How far the analysis is, and what can be asked of it: on, stop, deeper, downloads.

import { fill, h, icon } from "../dom.ts";
import { notice } from "../widgets.ts";
import type { Source } from "./data.ts";

export class Work {
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress of the analysis" });
  private readonly words = h("span", { class: "small muted", role: "status" });
  private readonly go = h("button", { type: "button", class: "button" });
  private readonly deeper = h("button", { type: "button", class: "button" }, "Look deeper here");
  private readonly alert = h("div", {});
  readonly element: HTMLElement;
  private action: "start" | "stop" | null = null;

  constructor(
    private readonly source: Source,
    private readonly ply: () => number,
  ) {
    this.go.addEventListener("click", () => this.action && this.order({ action: this.action }));
    this.deeper.addEventListener("click", () => this.order({ action: "deepen", ply: this.ply() }));
    const links = (["html", "json"] as const).map((kind) =>
      h(
        "a",
        { class: "button quiet", href: source.download(kind), download: true },
        icon("download"),
        kind === "html" ? "Report" : "JSON",
      ),
    );
    this.element = h(
      "section",
      { class: "work", "aria-label": "Progress" },
      h("div", { class: "row wrap" }, this.bar, this.words, this.go, this.deeper, ...links),
      this.alert,
    );
  }

  draw(): void {
    const { state, done, total, deepening, error } = this.source;
    this.bar.max = Math.max(1, total);
    this.bar.value = done;
    this.bar.hidden = total > 0 && done === total;
    const waits = state === "queued" ? ", waits for its turn" : "";
    const deep = deepening.length > 0 ? `, deeper at ply ${deepening.join(", ")}` : "";
    this.words.textContent =
      done === total && !deep
        ? `All ${total} positions are analysed`
        : `${done} of ${total} positions${waits}${deep}`;
    this.action = state !== "idle" ? "stop" : done < total ? "start" : null;
    this.go.hidden = this.action === null;
    this.go.textContent = this.action === "stop" ? "Stop" : "Go on";
    const here = this.source.plies.get(this.ply());
    this.deeper.disabled = !here || here.value === null || deepening.includes(this.ply());
    fill(this.alert, error && notice(error, "danger"));
  }

  private order(wish: { action: "start" | "stop" | "deepen"; ply?: number }): void {
    this.source.order(wish).catch((error: unknown) => {
      fill(this.alert, notice(error instanceof Error ? error.message : String(error), "danger"));
    });
  }
}
