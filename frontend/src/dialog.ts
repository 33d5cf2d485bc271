// A dialog over the page. It is the browser's own, which keeps the focus and hears Escape.

import { h, iconButton } from "./dom.ts";

/** Opens a dialog with a title; the function that is given closes it. */
export function openDialog(title: string, ...content: (Node | string)[]): () => void {
  const close = (): void => dialog.close();
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": title },
    h("div", { class: "dialog-top" }, h("h2", {}, title), iconButton("close", "Close", close)),
    ...content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close(); // beside it
  });
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

/** Asks for a yes before something that cannot be undone. */
export function confirmDialog(question: string, yes: string, then: () => void): void {
  const close = openDialog(
    question,
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", class: "button", onclick: () => close() }, "Cancel"),
      h(
        "button",
        {
          type: "button",
          class: "button danger",
          onclick: () => {
            close();
            then();
          },
        },
        yes,
      ),
    ),
  );
}
