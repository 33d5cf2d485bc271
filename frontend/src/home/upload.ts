// Games from elsewhere: a PGN, or a list of moves.

import { api } from "../api.ts";
import { fill, h, icon } from "../dom.ts";
import { go } from "../router.ts";
import { notice } from "../widgets.ts";

export function upload(onDone: () => Promise<void>): HTMLElement {
  const message = h("div", { role: "status" });
  const text = h("textarea", {
    class: "field numbers",
    id: "upload",
    rows: 3,
    spellcheck: "false",
    placeholder: "1. e4 e5 2. Nf3 …",
  });
  const file = h("input", {
    type: "file",
    accept: ".pgn,.txt,text/plain",
    class: "hidden-visually",
    tabindex: -1,
  });
  const send = async (content: string): Promise<void> => {
    if (!content.trim()) {
      fill(message, notice("There is nothing to read yet: paste a PGN or a list of moves.", "warn"));
      return;
    }
    try {
      const { tokens } = await api.upload(content);
      text.value = "";
      const only = tokens[0];
      if (tokens.length === 1 && only) {
        go(`/game/${only}`);
        return;
      }
      fill(message, notice(`${tokens.length} games were read.`));
      await onDone();
    } catch (error) {
      fill(message, notice(error instanceof Error ? error.message : String(error), "danger"));
    }
  };
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen) void chosen.text().then(send);
    file.value = "";
  });
  const form = h(
    "form",
    { class: "stack tight" },
    h(
      "label",
      { class: "labelled", for: "upload" },
      h("span", { class: "small muted" }, "A PGN, or the moves as lichess and chess.com show them"),
      text,
    ),
    message,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "button" }, "Read"),
      h(
        "button",
        { type: "button", class: "button quiet", onclick: () => file.click() },
        icon("upload"),
        "From a file",
      ),
      file,
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(text.value);
  });
  return form;
}
