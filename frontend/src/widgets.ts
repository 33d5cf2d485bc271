// Small things that several screens are made of.

import { h } from "./dom.ts";

/** A few words in a box: something went wrong, or is worth knowing. */
export function notice(words: string, kind: "info" | "warn" | "danger" = "info"): HTMLElement {
  return h("p", { class: `notice ${kind}` }, words);
}

/** A row of choices of which one holds. */
export function choice(
  legend: string,
  name: string,
  options: { value: string; label: string }[],
  chosen: string,
  onChange?: (value: string) => void,
): { element: HTMLElement; value: () => string } {
  const known = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? "");
  const inputs = options.map(({ value }) =>
    h("input", {
      type: "radio",
      name,
      value,
      checked: value === known,
      onchange: () => onChange?.(value),
    }),
  );
  const element = h(
    "fieldset",
    { class: "plain" },
    h("legend", {}, legend),
    h(
      "div",
      { class: "segments" },
      ...options.map(({ label }, i) => h("label", {}, inputs[i], h("span", {}, label))),
    ),
  );
  return { element, value: () => inputs.find((input) => input.checked)?.value ?? known };
}

/** A text to copy, with a button that does it. */
export function copyField(label: string, text: string): HTMLElement {
  const field = h("input", { class: "field numbers", readonly: true, value: text, "aria-label": label });
  field.addEventListener("focus", () => field.select());
  const button = h("button", { type: "button", class: "button" }, "Copy");
  button.addEventListener("click", () => {
    field.select();
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    void copied.then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C"),
    );
  });
  return h("div", { class: "row copy" }, field, button);
}
