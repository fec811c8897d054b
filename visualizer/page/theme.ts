import { byId } from "./dom.ts";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "callchart.theme";

/** Light, dark, or as the system has it. Remembered where the browser lets a page from disk remember something. */
export function createThemeSwitch(): void {
  const button = byId("theme");
  let theme = remembered();
  const apply = (): void => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    remember(theme);
    apply();
  });
  apply();
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Pages from disk may not store anything: the choice then lasts as long as the page.
  }
}
