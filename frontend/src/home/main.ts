// The first screen: a new game, and the games there are.

import { h } from "../dom.ts";
import { gameList } from "./games.ts";
import { newGame } from "./newgame.ts";
import { upload } from "./upload.ts";

export function mount(root: HTMLElement): () => void {
  const games = gameList();
  root.replaceChildren(
    h(
      "div",
      { class: "home" },
      h(
        "section",
        { class: "card home-new", "aria-labelledby": "new-title" },
        h("h1", { id: "new-title" }, "New game"),
        h(
          "p",
          { class: "muted home-lead" },
          "Chess in the fog: you see only where your pieces can go. Take the king to win.",
        ),
        newGame(),
      ),
      h(
        "div",
        { class: "home-side" },
        h(
          "section",
          { class: "card", "aria-labelledby": "games-title" },
          h("h2", { id: "games-title" }, "Your games"),
          games.element,
        ),
        h(
          "section",
          { class: "card", "aria-labelledby": "upload-title" },
          h("h2", { id: "upload-title" }, "A game from elsewhere"),
          upload(games.refresh),
        ),
      ),
    ),
  );
  return () => undefined;
}
