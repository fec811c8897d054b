import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { type Token, tokensOf } from "./tokens.ts";

const require = createRequire(import.meta.url);

/** JavaScript's `\s`, and all but it, as RE2 writes ranges. */
const SPACE =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACE =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const ANY = "\\x{0}-\\x{10ffff}";

/**
 * A test of texts in linear time, by RE2's algorithm. `undefined`: the pattern asks for what RE2 cannot do (looking around,
 * referring back, very long repetitions).
 */
export function linearTest(source: string, flags: string): ((text: string) => boolean) | undefined {
  const tokens = tokensOf(source);
  // With `m`, the start of a line is one as well.
  const parts = flags.includes("m") ? [{ tokens, fits: true }] : assertionsOf(tokens);
  const tests = parts.map(({ tokens, fits }) => {
    const test = compile(tokens, flags);
    return test === undefined ? undefined : (text: string) => test(text) === fits;
  });
  const made = tests.filter((test) => test !== undefined);
  return made.length < tests.length ? undefined : (text) => made.every((test) => test(text));
}

/** A pattern, and whether a text must fit it or must not. */
interface Part {
  readonly tokens: readonly Token[];
  readonly fits: boolean;
}

const START: Token = { kind: "anchor", text: "^" };

/** What is looked ahead for at the very start can be tested apart: `^(?=A)(?!B)C` is `^A`, not `^B`, and `^C`. */
function assertionsOf(tokens: readonly Token[]): readonly Part[] {
  if (tokens[0]?.text !== "^" || hasOuterChoice(tokens)) return [{ tokens, fits: true }];
  const parts: Part[] = [];
  let rest = tokens.slice(1);
  for (;;) {
    const [first] = rest;
    if (first?.text !== "(?=" && first?.text !== "(?!") break;
    const end = closeOf(rest);
    // Quantified, it would assert nothing.
    if (end < 0 || rest[end + 1]?.kind === "quantifier") break;
    parts.push({
      tokens: [START, { kind: "open", text: "(?:" }, ...rest.slice(1, end + 1)],
      fits: first.text === "(?=",
    });
    rest = rest.slice(end + 1);
  }
  return [...parts, { tokens: [START, ...rest], fits: true }];
}

/** Where the group that opens first closes. */
function closeOf(tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findIndex(({ kind }) => {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    return depth === 0;
  });
}

function hasOuterChoice(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.some(({ kind }) => {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    return kind === "or" && depth === 0;
  });
}

function compile(tokens: readonly Token[], flags: string): ((text: string) => boolean) | undefined {
  const texts = tokens.map((token) => print(token, flags.includes("s")));
  if (texts.includes(undefined)) return undefined;
  try {
    const { RE2JS: engine }: { RE2JS: typeof RE2JS } = require("re2js");
    const known =
      (flags.includes("i") ? engine.CASE_INSENSITIVE : 0) |
      (flags.includes("m") ? engine.MULTILINE : 0);
    const compiled = engine.compile(texts.join(""), known);
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

/** A piece as RE2 writes it; `undefined` when it cannot. */
function print({ kind, text }: Token, dotAll: boolean): string | undefined {
  switch (kind) {
    case "open":
      // Nobody asks what a group held.
      return /^\((?:$|\?:$|\?<[^=!])/.test(text) ? "(?:" : undefined;
    case "class":
      return printClass(text);
    case "escape":
      return printEscape(text);
    case "dot":
      return dotAll ? `[${ANY}]` : "[^\\n\\r\\x{2028}\\x{2029}]";
    case "char":
      return /[\]{}]/.test(text) ? `\\${text}` : text;
    default:
      return text;
  }
}

function printEscape(text: string): string | undefined {
  if (text === "\\s") return `[${SPACE}]`;
  if (text === "\\S") return `[${NOT_SPACE}]`;
  if (text === "\\b" || text === "\\B") return text;
  return printCharacter(text);
}

/** What means the same in a class and outside. */
function printCharacter(text: string): string | undefined {
  if (/^\\[dDwWtnrvf]$/.test(text)) return text;
  if (text === "\\0") return "\\x{0}";
  const code = /^\\[ux]\{?([0-9a-fA-F]+)\}?$/.exec(text)?.[1];
  if (code !== undefined) return isSurrogate(code) ? undefined : `\\x{${code}}`;
  const property = /^\\([pP])\{(?:Script=|sc=|General_Category=|gc=)?(\w+)\}$/.exec(text);
  if (property !== null) return `\\${property[1]}{${property[2]}}`;
  if (/^\\[a-zA-Z\d]/.test(text)) return undefined;
  return /^\\[\x21-\x7e]$/.test(text) ? text : text.slice(1);
}

/** Half of a character: RE2 knows whole ones only. */
function isSurrogate(code: string): boolean {
  return /^[dD][89a-fA-F]..$/.test(code);
}

const IN_CLASS =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|\d+|[\s\S])|[\s\S]/gu;

function printClass(text: string): string | undefined {
  const isNegated = text.startsWith("[^");
  const body = text.slice(isNegated ? 2 : 1, -1);
  if (body === "") return isNegated ? `[${ANY}]` : `[^${ANY}]`;
  const parts = (body.match(IN_CLASS) ?? []).map((part) => {
    if (part === "\\s") return SPACE;
    if (part === "\\S") return NOT_SPACE;
    if (part === "\\b") return "\\x{8}";
    if (part === "[" || part === "^") return `\\${part}`;
    return part.startsWith("\\") ? printCharacter(part) : part;
  });
  return parts.includes(undefined) ? undefined : `[${isNegated ? "^" : ""}${parts.join("")}]`;
}
