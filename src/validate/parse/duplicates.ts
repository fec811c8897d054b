import { quote, readablePath, toPointer } from "../pointer.ts";
import { endOfString } from "./strings.ts";

/**
 * Whether a JSON text names a key twice in one object, with different values: JSON.parse would keep the last of them in
 * silence. Twice the same text is harmless.
 *
 * @param text JSON
 * @param kept how many keys all objects of its value have together
 * @returns what is wrong, in words; `undefined`: nothing is
 */
export function findDuplicate(text: string, kept: number): string | undefined {
  // Each key has a colon, so no more colons than keys means no key twice. Most texts are done here.
  if (countColons(text) === kept || countKeys(text) === kept) return undefined;
  const found = walk(text);
  if (found === undefined) return undefined;
  const path = readablePath(toPointer(found.slice(0, -1)), "arguments");
  return `the key ${quote(String(found.at(-1)))} stands twice in ${path}, with different values: send it once`;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) count += 1;
  return count;
}

/** The strings that a colon follows. */
function countKeys(text: string): number {
  let count = 0;
  let at = text.indexOf('"');
  while (at !== -1) {
    const end = endOfString(text, at);
    COLON.lastIndex = end;
    if (COLON.test(text)) count += 1;
    at = text.indexOf('"', end);
  }
  return count;
}

const COLON = /\s*:/y;
/** An object or list that is open. */
interface Level {
  /** Where the value of each key begins and ends. Of a list `undefined`. */
  readonly values: Map<string, readonly [number, number]> | undefined;
  /** The key or index that is read. */
  at: string | number;
  /** Where its value begins; -1 before its colon. */
  start: number;
}

/** The path of the first key that stands twice with different values. */
function walk(text: string): readonly (string | number)[] | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = takeString(text, at, levels.at(-1));
    else if (/[,}\]]/.test(char)) {
      if (isRepeated(text, levels.at(-1), at)) return levels.map((each) => each.at);
      if (char !== ",") levels.pop();
    } else openOrBegin(char, at, levels);
  }
  return undefined;
}

/** Returns the index of its closing quote. */
function takeString(text: string, at: number, level: Level | undefined): number {
  const end = endOfString(text, at);
  if (level?.start === -1) level.at = String(JSON.parse(text.slice(at, end)));
  return end - 1;
}

function openOrBegin(char: string, at: number, levels: Level[]): void {
  const level = levels.at(-1);
  if (char === "{") levels.push({ values: new Map(), at: "", start: -1 });
  else if (char === "[") levels.push({ values: undefined, at: 0, start: at });
  else if (char === ":" && level !== undefined) level.start = at + 1;
}

/** Ends a member or item. Had its key another value before? */
function isRepeated(text: string, level: Level | undefined, end: number): boolean {
  if (level === undefined) return false;
  const { values, at, start } = level;
  if (values === undefined) level.at = Number(at) + 1;
  if (values === undefined || start === -1) return false;
  level.start = -1;
  const earlier = values.get(String(at));
  values.set(String(at), [start, end]);
  return earlier !== undefined && text.slice(...earlier).trim() !== text.slice(start, end).trim();
}
