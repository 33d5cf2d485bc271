// What is on every screen: the name, which leads home, the switches, the dialog of keys.

import { openDialog } from "./dialog.ts";
import { h, iconButton } from "./dom.ts";
import { settings, type Theme } from "./settings.ts";

const THEMES: Record<Theme, { next: Theme; icon: string; label: string }> = {
  auto: { next: "light", icon: "auto", label: "Colours: as the system" },
  light: { next: "dark", icon: "sun", label: "Colours: light" },
  dark: { next: "auto", icon: "moon", label: "Colours: dark" },
};

const KEYS: [string, string][] = [
  ["← →", "One ply back or forward"],
  ["↑ ↓", "To the start, to the end"],
  ["f", "Turn the board"],
  ["m", "Type a move, as Nf3 or g1f3"],
  ["g", "Place ghosts: your guesses in the fog"],
  ["Esc", "Forget what you have begun: a premove, a guess"],
  ["s", "Sound on or off"],
  ["?", "This list"],
];

/** Builds the frame, and gives the place where screens go. */
export function frame(app: HTMLElement): HTMLElement {
  const main = h("main", { id: "main", tabindex: -1 });
  app.replaceChildren(
    h("a", { class: "skip", href: "#main" }, "Skip to the content"),
    h(
      "header",
      { class: "top" },
      h(
        "a",
        { class: "brand", href: "/" },
        h("img", { src: "/favicon.svg", alt: "", width: 28, height: 28 }),
        "Obscuro",
      ),
      h("div", { class: "top-tools" }, soundButton(), themeButton(), helpButton()),
    ),
    main,
  );
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") showKeys();
    else if (event.key === "s") settings.set("sound", !settings.get("sound"));
  });
  return main;
}

/** Whether a key goes into a field, and is no command. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    document.querySelector("dialog[open]") !== null
  );
}

function soundButton(): HTMLElement {
  const place = h("span", { class: "contents" });
  const draw = (): void => {
    const on = settings.get("sound");
    const button = iconButton(on ? "sound" : "mute", "Sound", () => settings.set("sound", !on), {
      "aria-pressed": String(on),
    });
    swap(place, button);
  };
  settings.onChange(draw);
  draw();
  return place;
}

function themeButton(): HTMLElement {
  const place = h("span", { class: "contents" });
  const draw = (): void => {
    const { next, icon, label } = THEMES[settings.get("theme")];
    swap(
      place,
      iconButton(icon, label, () => settings.set("theme", next)),
    );
  };
  settings.onChange(draw);
  draw();
  return place;
}

/** Replaces a button by its new self, which keeps the focus. */
function swap(place: HTMLElement, button: HTMLButtonElement): void {
  const focused = place.contains(document.activeElement);
  place.replaceChildren(button);
  if (focused) button.focus();
}

function helpButton(): HTMLElement {
  return iconButton("help", "Keys and help", showKeys);
}

function showKeys(): void {
  openDialog(
    "Keys",
    h(
      "dl",
      { class: "keys" },
      ...KEYS.flatMap(([key, meaning]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, meaning)]),
    ),
    h(
      "p",
      { class: "small muted" },
      "With the board in focus, the arrow keys move a cursor, and Enter picks a piece up and puts it down. ",
      "The right mouse button draws arrows and circles. Chess, but you see only where your pieces can go, ",
      "nobody announces check, and taking the king wins.",
    ),
  );
}
