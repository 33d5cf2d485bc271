// A page is made of elements; this makes them.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** An element: attributes, `on...` listeners, and what is in it. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/** Replaces what is in an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter(
      (child): child is Node | string => child !== null && child !== undefined && child !== false,
    ),
  );
}

const PATHS: Record<string, string> = {
  flag: "M5 21V4m0 1c4-3 7 3 14 0v9c-7 3-10-3-14 0",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  flip: "M7 4v14m0 0-3-3m3 3 3-3M17 20V6m0 0-3 3m3-3 3 3",
  ghost:
    "M5 20V11a7 7 0 0 1 14 0v9l-2.300-1.700L14.300 20 12 18.300 9.700 20l-2.400-1.700zM9.500 11h.01M14.500 11h.01",
  sound: "M4 9v6h4l5 4V5L8 9zM17 8.500a5 5 0 0 1 0 7M19.500 6a9 9 0 0 1 0 12",
  mute: "M4 9v6h4l5 4V5L8 9zM17 9.500l5 5m0-5-5 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.400 1.400M17.600 17.600 19 19M5 19l1.400-1.400M17.600 6.400 19 5",
  moon: "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 0v18M15 6v12M18 8.500v7",
  help: "M9 9a3 3 0 1 1 4 2.800c-.7.300-1 .8-1 1.700v.5m0 3.500h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  first: "M7 5v14M18 6l-7 6 7 6",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M17 5v14M6 6l7 6-7 6",
  download: "M12 4v11m0 0-4-4m4 4 4-4M5 20h14",
  upload: "M12 16V5m0 0L8 9m4-4 4 4M5 20h14",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  close: "M6 6l12 12M18 6 6 18",
  again: "M4 12a8 8 0 0 1 14-5.300L20 9m0-5v5h-5m5 3a8 8 0 0 1-14 5.300L4 15m0 5v-5h5",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13",
};

/** A line drawing of 24 units; its meaning is in the text beside it. */
export function icon(name: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name] ?? "");
  svg.append(path);
  return svg;
}

/** A button with a drawing, whose name is read and shown as a hint. */
export function iconButton(
  name: string,
  label: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...attributes },
    icon(name),
  );
}
