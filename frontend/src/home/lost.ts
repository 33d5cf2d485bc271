// An address that leads nowhere.

import { h } from "../dom.ts";

export function mount(root: HTMLElement): () => void {
  root.replaceChildren(
    h(
      "section",
      { class: "card narrow stack" },
      h("h1", {}, "There is nothing here"),
      h("p", { class: "muted" }, "The address may be incomplete, or the game is kept by another server."),
      h("a", { class: "button", href: "/" }, "To the start"),
    ),
  );
  return () => undefined;
}
