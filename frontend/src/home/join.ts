// An invitation to the second seat of a game.

import { api } from "../api.ts";
import { fill, h } from "../dom.ts";
import { go } from "../router.ts";
import { notice } from "../widgets.ts";
import { controlWords } from "../words.ts";

const USUAL_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function mount(root: HTMLElement, token: string): () => void {
  const card = h("section", { class: "card narrow stack" }, h("h1", {}, "An invitation"));
  root.replaceChildren(card);
  const refuse = (error: unknown): void => {
    fill(
      card,
      h("h1", {}, "An invitation"),
      notice(error instanceof Error ? error.message : String(error), "danger"),
      h("a", { class: "button", href: "/" }, "To the start"),
    );
  };
  void api.invitation(token).then((invitation) => {
    const button = h("button", { type: "button", class: "button primary large" }, "Play");
    button.addEventListener("click", () => {
      button.disabled = true;
      void api.accept(token).then(({ token: seat }) => go(`/game/${seat}`, true), refuse);
    });
    fill(
      card,
      h("h1", {}, "An invitation"),
      h(
        "p",
        {},
        "You are invited to a game of Fog of War chess, in which each player sees only where their pieces can go.",
      ),
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, "You play"),
        h("dd", {}, invitation.color),
        h("dt", {}, "Clock"),
        h("dd", {}, controlWords(invitation.control)),
        h("dt", {}, "Takebacks"),
        h("dd", {}, invitation.casual ? "if the other agrees" : "none"),
        ...(invitation.start === USUAL_START
          ? []
          : [h("dt", {}, "From"), h("dd", { class: "numbers small" }, invitation.start)]),
      ),
      button,
    );
  }, refuse);
  return () => undefined;
}
