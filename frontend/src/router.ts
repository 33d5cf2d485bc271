// Which screen an address shows. Addresses are real ones: the server answers all of them with the page.

/** Shows itself in `root`; gives what takes it away again. */
export type Screen = (root: HTMLElement, parameter: string) => () => void;

interface Route {
  pattern: RegExp;
  title: string;
  load: () => Promise<Screen>;
}

const ROUTES: Route[] = [
  { pattern: /^\/$/, title: "Obscuro", load: async () => (await import("./home/main.ts")).mount },
  {
    pattern: /^\/game\/([\w-]+)$/,
    title: "Game · Obscuro",
    load: async () => (await import("./game/main.ts")).mount,
  },
  {
    pattern: /^\/join\/([\w-]+)$/,
    title: "Invitation · Obscuro",
    load: async () => (await import("./home/join.ts")).mount,
  },
  {
    pattern: /^\/analysis\/([\w-]+)$/,
    title: "Analysis · Obscuro",
    load: async () => (await import("./analysis/main.ts")).mount,
  },
];
const NOT_FOUND: Route = {
  pattern: /^/,
  title: "Not found · Obscuro",
  load: async () => (await import("./home/lost.ts")).mount,
};

let root: HTMLElement | null = null;
let leave: (() => void) | null = null;
let visit = 0;

/** Goes to an address of this page. */
export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  void show();
}

/** Shows what the address says, now and whenever it changes. */
export function start(element: HTMLElement): void {
  root = element;
  window.addEventListener("popstate", () => void show());
  document.addEventListener("click", followLink);
  void show();
}

async function show(): Promise<void> {
  if (!root) return;
  const number = ++visit;
  const path = location.pathname;
  const route = ROUTES.find((one) => one.pattern.test(path)) ?? NOT_FOUND;
  const screen = await route.load();
  if (number !== visit) return; // somebody was faster
  leave?.();
  root.replaceChildren();
  document.title = route.title;
  window.scrollTo(0, 0);
  leave = screen(root, route.pattern.exec(path)?.[1] ?? "");
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname);
}
