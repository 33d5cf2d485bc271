// What the squares of the board mean, and which of the marks the player wants.

import { h } from "../dom.ts";
import { settings } from "../settings.ts";

const MEANINGS: [string, string][] = [
  ["fog", "Fog: there may be anything"],
  ["", "Seen, and empty"],
  ["lifted", "Newly in sight"],
  ["fallen", "Out of sight now"],
  ["came", "A piece came or went"],
  ["lost", "A piece of yours was taken here"],
];

export function legend(): HTMLElement {
  return h(
    "details",
    { class: "card legend" },
    h("summary", {}, "What the squares mean"),
    h(
      "ul",
      { class: "plain-list legend-list small" },
      ...MEANINGS.map(([kind, words]) =>
        h(
          "li",
          {},
          h(
            "span",
            { class: `legend-pair ${kind}`, "aria-hidden": "true" },
            h("i", { class: "light" }),
            h("i", { class: "dark" }),
          ),
          words,
        ),
      ),
    ),
    option("marks", "Mark what has changed after the opponent's move"),
    option("remember", "Leave a ghost where a piece was last seen"),
  );
}

function option(name: "marks" | "remember", words: string): HTMLElement {
  const box = h("input", {
    type: "checkbox",
    checked: settings.get(name),
    onchange: () => settings.set(name, box.checked),
  });
  return h("label", { class: "row check small" }, box, h("span", {}, words));
}
