// Behind the fog: the analysis of a finished game.

import "./analysis.css";
import { api } from "../api.ts";
import { Board, type Key } from "../board.ts";
import { fill, h } from "../dom.ts";
import { isTyping } from "../frame.ts";
import type { Color, GameRecord } from "../protocol.ts";
import { other } from "../protocol.ts";
import { choice, notice } from "../widgets.ts";
import { capital } from "../words.ts";
import { BeliefPanel, ghosts, heat, KINDS, OtherSide, table, type Kind, type Weighing } from "./belief.ts";
import { Chart, powers, VALUES, type Line } from "./chart.ts";
import { Source, type Report, type Short } from "./data.ts";
import { Moves } from "./moves.ts";
import { luckOf, markOf, percent, readThresholds, SIGNS, signed } from "./review.ts";
import { arrows, Strategy } from "./strategy.ts";
import { SummaryCard } from "./summary.ts";
import { Work } from "./work.ts";

type View = Color | "truth";

export function mount(root: HTMLElement, token: string): () => void {
  let leave: (() => void) | null = null;
  let gone = false;
  fill(root, h("p", { class: "loading muted" }, "Loading the game…"));
  api.record(token).then(
    (record) => {
      if (!gone) leave = show(root, token, record);
    },
    (error: unknown) => {
      if (gone) return;
      const words = error instanceof Error ? error.message : String(error);
      fill(root, notice(words, "danger"), h("p", {}, h("a", { href: `/game/${token}` }, "To the game")));
    },
  );
  return () => {
    gone = true;
    leave?.();
    root.replaceChildren();
  };
}

function show(root: HTMLElement, token: string, record: GameRecord): () => void {
  const last = record.moves.length;
  let ply = 0;
  let view: View = "white";
  let kind: Kind = "any";
  let weighing: Weighing = "weighted";
  let selected: Key | null = null;
  let thresholds = readThresholds();
  let report: Report | null = null;
  let visit = 0;

  const source = new Source(token, changed);
  const board = new Board({ orientation: "white", label: "The board", onSelect: select });
  const belief = new BeliefPanel();
  const otherSide = new OtherSide();
  const strategy = new Strategy();
  const verdict = h("p", { class: "verdict", "aria-live": "polite" });
  const values = new Chart("Value for White", step);
  const sizes = new Chart("Possible positions, and the place of the true one", step);
  const moves = new Moves(record, step, mistake);
  const summary = new SummaryCard(record, thresholds, (wanted) => {
    thresholds = wanted;
    drawReview();
    drawVerdict();
  });
  const work = new Work(source, () => ply);
  const views = choice(
    "Board",
    "analysis-view",
    [
      { value: "white", label: "White sees" },
      { value: "truth", label: "Truth" },
      { value: "black", label: "Black sees" },
    ],
    view,
    (value) => setView(value as View),
  );
  const kinds = choice(
    "Where the opponent's pieces may be, in per cent",
    "analysis-kind",
    KINDS,
    kind,
    (value) => {
      kind = value as Kind;
      draw();
    },
  );
  const weighings = choice(
    "Positions count",
    "analysis-weighing",
    [
      { value: "weighted", label: "as the engine weighs them" },
      { value: "marginals", label: "all alike" },
    ],
    weighing,
    (value) => {
      weighing = value as Weighing;
      draw();
    },
  );

  fill(
    root,
    h(
      "div",
      { class: "analysis" },
      h(
        "header",
        { class: "analysis-top" },
        h("h1", {}, `${record.white} – ${record.black}`),
        h(
          "p",
          { class: "muted" },
          `${record.result.replace("-", "–")}${record.reason ? `, ${record.reason}` : ""} · `,
          h("a", { href: `/game/${token}` }, "the game"),
        ),
        work.element,
      ),
      h(
        "div",
        { class: "analysis-board" },
        views.element,
        h("div", { class: "board-frame" }, board.element),
        h("div", { class: "belief-choices" }, kinds.element, weighings.element),
      ),
      h(
        "div",
        { class: "analysis-side" },
        h("section", { class: "card", "aria-label": "The move" }, verdict),
        strategy.element,
        moves.element,
      ),
      h("section", { class: "card graphs", "aria-label": "Graphs" }, values.element, sizes.element),
      belief.element,
      otherSide.element,
      summary.element,
    ),
  );

  board.element.addEventListener("wheel", onWheel, { passive: false });
  document.addEventListener("keydown", onKey);
  step(0);
  source.begin().catch((error: unknown) => {
    source.error = error instanceof Error ? error.message : String(error);
    work.draw();
  });
  return () => {
    document.removeEventListener("keydown", onKey);
    source.end();
    board.destroy();
    belief.destroy();
    otherSide.destroy();
  };

  function changed(fresh: ReadonlySet<number>): void {
    work.draw();
    if (fresh.size > 0) {
      drawReview();
      drawGraphs();
    }
    if (fresh.has(ply)) fetchReport();
  }

  function step(to: number): void {
    ply = Math.max(0, Math.min(last, to));
    report = null;
    moves.point(ply);
    values.point(ply);
    sizes.point(ply);
    work.draw();
    draw();
    fetchReport();
  }

  function fetchReport(): void {
    const number = ++visit;
    source.report(ply)?.then(
      (found) => {
        if (number !== visit) return;
        report = found;
        draw();
      },
      (error: unknown) => {
        if (number === visit)
          fill(verdict, notice(error instanceof Error ? error.message : String(error), "danger"));
      },
    );
  }

  function select(key: Key): void {
    selected = selected === key ? null : key;
    draw();
  }

  function setView(value: View): void {
    view = value;
    draw();
  }

  function turn(): Color {
    return record.positions[ply]?.split(" ")[1] === "b" ? "black" : "white";
  }

  function sees(color: Color): string {
    return record.observations[color][ply]?.split(/ (?:captured|over) /)[0] ?? "";
  }

  /** Whose belief is shown: the viewer's, or the mover's beside the truth. */
  function believer(): Color {
    return view === "truth" ? turn() : view;
  }

  function draw(): void {
    const color = believer();
    const fen = view === "truth" ? (record.positions[ply] ?? "") : sees(view);
    const known = report?.[color] ?? null;
    const marginals = known && table(known, weighing);
    const played = record.moves[ply];
    const before = record.moves[ply - 1];
    const ownBefore = before && (view === "truth" || view !== turn());
    board.show({
      fen,
      ...(ownBefore ? { lastMove: [before.slice(0, 2) as Key, before.slice(2, 4) as Key] } : {}),
      ...(selected ? { marks: new Map([[selected, "chosen"]]) } : {}),
      ...(marginals && view !== "truth" && kind !== "none" ? { heat: heat(marginals, kind, fen) } : {}),
      ...(marginals && view !== "truth" && kind === "any" ? { ghosts: ghosts(marginals, fen) } : {}),
      ...(report && (view === "truth" || view === turn()) ? { arrows: arrows(report, played) } : {}),
    });
    strategy.draw(report, played);
    belief.draw(report, color, weighing, selected);
    otherSide.draw(report, sees(other(color)), other(color), kind, weighing);
    drawVerdict();
  }

  function drawVerdict(): void {
    const short = source.plies.get(ply);
    const san = record.sans[ply];
    if (!short) {
      fill(verdict, "This position is not analysed yet.");
      return;
    }
    const truth = `On the true board the value for White is ${signed(short.truth.value)}${short.truth.best ? `, best ${short.truth.best}` : ""}.`;
    if (!san || !short.judged) {
      fill(verdict, san ? h("b", {}, `${san} `) : false, truth);
      return;
    }
    const mark = markOf(short, thresholds);
    const luck = luckOf(short, thresholds);
    const { loss, luck: amount, probability } = short.judged;
    fill(
      verdict,
      h("b", {}, `${san}${mark ? SIGNS[mark] : ""} `),
      mark &&
        h(
          "span",
          { class: `tag ${mark === "inaccuracy" ? "accent" : mark === "mistake" ? "warn" : "danger"}` },
          mark,
        ),
      luck && h("span", { class: `tag ${luck === "lucky" ? "good" : "warn"}` }, luck),
      ` By what ${capital(short.turn)} knew it loses ${loss.toFixed(2)}; the engine plays it with ${percent(probability)}. Luck ${signed(amount)}. ${truth}`,
    );
  }

  function drawReview(): void {
    moves.mark(source.plies, thresholds);
    summary.draw(source.plies.values(), thresholds);
    drawValues();
  }

  function drawValues(): void {
    const known = sorted();
    const by = (color: Color): Line => ({
      name: `by ${capital(color)}'s belief`,
      kind: color,
      points: known.flatMap(({ ply: at, turn: mover, value }) =>
        mover === color && value !== null ? [[at, value]] : [],
      ),
    });
    const truth: Line = {
      name: "by the truth",
      kind: "truth",
      points: known.map(({ ply: at, truth: { value } }) => [at, value]),
    };
    const notes = known.flatMap((short) => {
      const mark = markOf(short, thresholds);
      return mark && short.value !== null
        ? [{ ply: short.ply, value: short.value, text: SIGNS[mark], kind: mark }]
        : [];
    });
    values.draw(last, VALUES, [by("white"), by("black"), truth], notes);
  }

  function drawGraphs(): void {
    const known = sorted();
    const lines = (["white", "black"] as const).flatMap((color): Line[] => {
      const told = known.flatMap((short) => (short[color] ? [{ at: short.ply, ...short[color] }] : []));
      return [
        {
          name: `${capital(color)}: possible`,
          kind: color,
          points: told.map(({ at, size }) => [at, Math.log10(size)]),
        },
        {
          name: `${capital(color)}: place of the truth`,
          kind: `${color} place`,
          points: told.map(({ at, rank }) => [at, Math.log10(rank)]),
        },
      ];
    });
    const largest = Math.max(0, ...lines.flatMap(({ points }) => points.map(([, value]) => value)));
    sizes.draw(last, powers(largest), lines);
    values.point(ply);
    sizes.point(ply);
  }

  function sorted(): Short[] {
    return [...source.plies.values()].sort((one, two) => one.ply - two.ply);
  }

  function mistake(direction: 1 | -1): void {
    for (let at = ply + direction; at >= 0 && at <= last; at += direction) {
      if (markOf(source.plies.get(at), thresholds)) return step(at);
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => step(ply - 1),
      ArrowRight: () => step(ply + 1),
      ArrowUp: () => step(0),
      ArrowDown: () => step(last),
      f: () => board.flip(),
      n: () => mistake(1),
      p: () => mistake(-1),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  function onWheel(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    step(ply + Math.sign(event.deltaY));
  }
}
