// What the player has chosen for all games, kept by the browser.

export type Theme = "auto" | "light" | "dark";

interface Values {
  theme: Theme;
  sound: boolean;
  /** Leave a ghost where an enemy piece was last seen. */
  remember: boolean;
  /** Mark what has changed in view after the opponent's move. */
  marks: boolean;
}

const KEY = "obscuro:settings";
const DEFAULTS: Values = { theme: "auto", sound: true, remember: false, marks: true };

/** A store that may be forbidden, as in private windows; the page works without. */
export const memory = {
  read<T>(key: string): T | null {
    try {
      const text = localStorage.getItem(key);
      return text === null ? null : (JSON.parse(text) as T);
    } catch {
      return null;
    }
  },
  write(key: string, value: unknown): void {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Full or forbidden: it is only not remembered.
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // Forbidden: then nothing was kept.
    }
  },
};

const values: Values = { ...DEFAULTS, ...memory.read<Partial<Values>>(KEY) };

const listeners = new Set<() => void>();

export const settings = {
  get: <K extends keyof Values>(name: K): Values[K] => values[name],
  set<K extends keyof Values>(name: K, value: Values[K]): void {
    values[name] = value;
    memory.write(KEY, values);
    applyTheme();
    for (const listener of listeners) listener();
  },
  /** Calls `listener` after every change; what is given ends that. */
  onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function applyTheme(): void {
  const root = document.documentElement;
  if (values.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset["theme"] = values.theme;
}
