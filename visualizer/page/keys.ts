/** What the keyboard can do. */
export interface KeyCommands {
  readonly next: () => void;
  readonly previous: () => void;
  readonly open: () => void;
  readonly close: () => void;
  readonly search: () => void;
  readonly forward: () => void;
  readonly backward: () => void;
}

const KEYS: ReadonlyMap<string, keyof KeyCommands> = new Map([
  ["j", "next"],
  ["k", "previous"],
  ["ArrowDown", "next"],
  ["ArrowUp", "previous"],
  ["Enter", "open"],
  ["Escape", "close"],
  ["/", "search"],
  ["ArrowRight", "forward"],
  ["ArrowLeft", "backward"],
]);

/** Listens to keys. Whoever types into a field, or presses a button, is left alone. */
export function listenToKeys(commands: KeyCommands): void {
  document.addEventListener("keydown", (event) => {
    const command = KEYS.get(event.key);
    if (command === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (!isFree(event.key, target)) return;
    event.preventDefault();
    commands[command]();
  });
}

function isFree(key: string, target: HTMLElement): boolean {
  if (target.matches("input, select, textarea")) {
    if (key === "Escape") target.blur();
    // From the search field, Enter and the arrows go on into the list that it found.
    return (
      target.matches("input[type=search]") &&
      (key === "Enter" || key === "ArrowDown" || key === "ArrowUp")
    );
  }
  if (key === "Enter") return target.closest("button, a, summary") === null;
  // Up and down scroll the details when the focus is there.
  if (key === "ArrowDown" || key === "ArrowUp") return target.closest("#detail") === null;
  return true;
}
