// Moves as text, for those who would rather type.

import { h } from "../dom.ts";

export class Entry {
  readonly element: HTMLElement;
  private readonly field = h("input", {
    class: "field numbers",
    id: "typed-move",
    maxlength: 12,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "Nf3 or g1f3",
    enterkeyhint: "send",
  });

  /** `send` gives false if the move cannot be sent now. */
  constructor(send: (move: string) => boolean) {
    this.element = h(
      "form",
      { class: "row entry" },
      h("label", { class: "small", for: "typed-move" }, "Move"),
      this.field,
      h("button", { type: "submit", class: "button quiet" }, "Play"),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && send(text)) this.field.value = "";
      else this.field.select();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.field.blur();
    });
  }

  focus(): void {
    this.field.focus();
  }
}
