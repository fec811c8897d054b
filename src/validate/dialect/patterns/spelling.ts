import { type Token, tokensOf } from "./tokens.ts";

/** A regular expression of JavaScript, as its author meant it. */
export interface Spelled {
  readonly source: string;
  readonly flags: string;
  /** What is read otherwise than it is written; `undefined`: nothing. */
  readonly change: string | undefined;
}

/** Spelled differently in Python and PCRE. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ["\\A", "^"],
  ["\\Z", "$"],
  ["\\z", "$"],
]);

/** Classes of POSIX: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap09.html#tag_09_03_05 */
const POSIX: ReadonlyMap<string, string> = new Map([
  ["alnum", "a-zA-Z0-9"],
  ["alpha", "a-zA-Z"],
  ["blank", " \\t"],
  ["cntrl", "\\x00-\\x1F\\x7F"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\s"],
  ["upper", "A-Z"],
  ["word", "\\w"],
  ["xdigit", "0-9A-Fa-f"],
]);

/** Letters that have a meaning behind a backslash in JavaScript. Of others JavaScript takes the letter itself. */
const LETTERS = /^\\(?:[bBcdDfknpPrsStuvwWx\d]|[^a-zA-Z])/;

/**
 * Reads a regular expression: JavaScript with the flag `u`, as JSON Schema asks; without the flag; or as Python and PCRE spell
 * it. `undefined`: it is none, or none that means the same in JavaScript.
 */
export function spell(source: string): Spelled | undefined {
  const literal = /^\/(\^.*\$)\/([imsu]*)$/s.exec(source);
  if (literal?.[1] !== undefined) {
    // As a pattern it could fit no text: nothing stands before the start.
    const inner = spell(literal[1]);
    return inner && read(inner.source, mergedFlags(inner.flags, literal[2] ?? ""));
  }
  if (isValid(source, "u")) return { source, flags: "u", change: undefined };
  const tokens = tokensOf(source);
  // Halves of characters would be taken for whole ones.
  const foreign = tokens.some(isForeign) || /[\u{10000}-\u{10ffff}]/u.test(source);
  if (!foreign && isValid(source, "")) return { source, flags: "", change: undefined };
  const made = translate(tokens);
  if (made === undefined) return undefined;
  for (const unicode of ["u", ""]) {
    const flags = mergedFlags(made.flags, unicode);
    if (unicode === "" && tokens.some(isUnicode)) return undefined;
    if (isValid(made.source, flags)) return read(made.source, flags);
  }
  return undefined;
}

function read(source: string, flags: string): Spelled {
  return { source, flags, change: `is read as /${source}/${flags}` };
}

function mergedFlags(one: string, other: string): string {
  return [...new Set(one + other)].sort().join("");
}

function isValid(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/** Would JavaScript without `u` take it for something else than its author meant? */
function isForeign({ kind, text }: Token): boolean {
  if (kind === "class")
    return /\[:\^?[a-z]+:\]/.test(text) || escapesIn(text).some(isForeignEscape);
  if (kind === "escape") return isForeignEscape(text);
  return kind === "quantifier" && /.\+$/.test(text);
}

function isForeignEscape(text: string): boolean {
  return !LETTERS.test(text) || isUnicodeEscape(text);
}

function isUnicode({ kind, text }: Token): boolean {
  if (kind === "class") return escapesIn(text).some(isUnicodeEscape);
  return kind === "escape" && isUnicodeEscape(text);
}

function isUnicodeEscape(text: string): boolean {
  return /^\\(?:[pP]|u\{)/.test(text);
}

function escapesIn(text: string): readonly string[] {
  return text.match(/\\[\s\S]\{?/g) ?? [];
}

function translate(tokens: readonly Token[]): Omit<Spelled, "change"> | undefined {
  const flags = leadingFlags(tokens[0]);
  if (flags === undefined) return undefined;
  // The closing parenthesis belongs to the flags.
  const rest = flags === "" ? tokens : tokens.slice(2);
  const texts: string[] = [];
  let skips = false;
  for (const token of rest) {
    const text = skips && token.kind === "close" ? "" : translateToken(token);
    if (text === undefined) return undefined;
    skips = isWhole(token);
    texts.push(text);
  }
  return { source: texts.join(""), flags };
}

/** `(?i)` at the start. */
function leadingFlags(first: Token | undefined): string | undefined {
  const flags = /^\(\?([a-zA-Z]+)$/.exec(first?.text ?? "")?.[1];
  if (first?.kind !== "open" || flags === undefined) return "";
  return /^[imsu]+$/.test(flags) ? mergedFlags(flags.replace("u", ""), "") : undefined;
}

/** Does its closing parenthesis belong to it? A reference back, and a comment. */
function isWhole({ kind, text }: Token): boolean {
  return kind === "open" && /^\(\?(?:P=|#)/.test(text);
}

function translateToken(token: Token): string | undefined {
  const { kind, text } = token;
  switch (kind) {
    case "open":
      return translateOpen(text);
    case "class":
      return translateClass(text);
    case "escape":
      return ANCHORS.get(text) ?? translateEscape(text);
    case "quantifier":
      // Possessive: takes all there is, and gives nothing back.
      return /.\+$/.test(text) ? undefined : text;
    default:
      return text;
  }
}

function translateOpen(text: string): string | undefined {
  if (text.startsWith("(?P<")) return `(?<${text.slice(4)}`;
  if (text.startsWith("(?P=")) return `\\k<${text.slice(4)}>`;
  if (text.startsWith("(?#")) return "";
  return text === "(?>" || /^\(\?[a-zA-Z]+$/.test(text) ? undefined : text;
}

/** With `u`, only what has a meaning may stand behind a backslash. */
function translateEscape(text: string): string | undefined {
  if (/^\\[a-zA-Z]/.test(text)) return LETTERS.test(text) ? text : undefined;
  return /^\\[\d^$\\.*+?()[\]{}|/]/.test(text) ? text : text.slice(1);
}

function translateClass(text: string): string | undefined {
  let foreign = false;
  const made = text.replace(/\\[\s\S]|\[:(\^?)([a-z]+):\]/g, (part, not, name) => {
    if (part.startsWith("\\")) {
      foreign ||= /^\\[a-zA-Z]/.test(part) && !LETTERS.test(part);
      return /^\\[a-zA-Z\d^$\\.*+?()[\]{}|/-]/.test(part) ? part : part.slice(1);
    }
    const range = not === "" ? POSIX.get(name) : undefined;
    foreign ||= range === undefined;
    return range ?? part;
  });
  if (foreign) return undefined;
  // A hyphen beside \w is no range.
  return made
    .replace(/(\\[wdsWDS])-(?!\])/g, "$1\\-")
    .replace(/([^[^\\])-(\\[wdsWDS])/g, "$1\\-$2");
}
