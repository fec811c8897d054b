import {
  afterValue,
  ESCAPED_QUOTE,
  type Expect,
  type Scan,
  take,
  wantedAtEnd,
} from "./scan-state.ts";

const DOUBLE = "\u201c\u201d\u201f";
const SINGLE = "\u2018\u2019\u201b";

/** What closes a string, by what opened it. Languages differ in which typographic quote opens and which closes. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ...[...DOUBLE, "\u201e"].map((opening) => [opening, DOUBLE] as const),
  ...[...SINGLE, "\u201a"].map((opening) => [opening, SINGLE] as const),
]);

const SHORT_ESCAPES: ReadonlySet<string> = new Set('"\\/bfnrt');
const BACKSLASH = 92;
const SPACE = 32;

/**
 * Takes a string, `comma` written before it. Returns what is wanted when it is faulty (`at` is where), `"none"` when no
 * string that may stand here begins with this character.
 */
export function stepString(
  state: Scan,
  quote: string,
  comma: string,
  expect: Expect,
): string | undefined {
  const closing = state.tolerant || quote === '"' ? CLOSING.get(quote) : undefined;
  if (closing === undefined) return "none";
  const { text, tolerant } = state;
  let hasControls = false;
  for (let at = state.at + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (closing.includes(text.charAt(at)))
      return endString(state, at + 1, { comma, hasControls, expect });
    const wanted = code === BACKSLASH ? wantedEscape(text, at, quote) : undefined;
    const isControl = code < SPACE;
    hasControls ||= isControl;
    if (wanted !== undefined || (isControl && !tolerant)) {
      state.at = at;
      return wanted ?? wantedControl(text.charAt(at));
    }
    if (code === BACKSLASH) at += 1;
  }
  state.at = text.length;
  return `a string has no closing quote; ${wantedAtEnd(state)}`;
}

interface StringEnd {
  readonly comma: string;
  readonly hasControls: boolean;
  readonly expect: Expect;
}

function endString(state: Scan, end: number, { comma, hasControls, expect }: StringEnd): undefined {
  const { text, at, tolerant } = state;
  const isQuoted = text.charAt(at) === '"';
  if (!tolerant) return take(state, end - at, "", expect);
  if (hasControls) state.rules.add("control-characters");
  if (!isQuoted) state.rules.add("quotes");
  const json =
    isQuoted && !hasControls ? text.slice(at, end) : toJsonString(text.slice(at + 1, end - 1));
  take(state, end - at, `${comma}${json}`, expect);
}

/** What stood between quotes, as a JSON string. */
function toJsonString(raw: string): string {
  const escaped = raw.replaceAll(/\\.|["\p{Cc}]/gsu, (found) => {
    if (found === "\\'") return "'";
    return found.startsWith("\\") ? found : JSON.stringify(found).slice(1, -1);
  });
  return `"${escaped}"`;
}

function wantedControl(char: string): string {
  if (char === "\n") return "a line break inside of a string is written \\n";
  return char === "\t"
    ? "a tab inside of a string is written \\t"
    : "a control character inside of a string is written \\u and four hexadecimal digits";
}

function wantedEscape(text: string, at: number, quote: string): string | undefined {
  if (SHORT_ESCAPES.has(text.charAt(at + 1))) return undefined;
  const sequence = text.slice(at, at + 6);
  if (/^\\u[0-9a-fA-F]{4}/.test(sequence)) return undefined;
  if (quote === "'" && sequence.startsWith("\\'")) return undefined;
  // What follows was cut off.
  if (at + sequence.length >= text.length && /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(sequence))
    return undefined;
  const shown = sequence
    .slice(0, 2)
    .replace(/\p{Cc}/u, " before a line break or other control character");
  return `${shown} is no escape of JSON (a backslash is written \\\\)`;
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_.+-]*/uy;

/** What a text that was cut off can end with. */
const BEGUN = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))$/;
const BEGUN_PYTHON = /^(?:T|Tr|Tru|F|Fa|Fal|Fals|N|No|Non)$/;

const PYTHON_WORDS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/** Takes a number or a word, `comma` written before it. Returns what is wanted when it is none. */
export function stepLiteral(state: Scan, char: string, comma: string): string | undefined {
  const literal = matchAt(LITERAL, state);
  const word = matchAt(WORD, state);
  const python = state.tolerant ? PYTHON_WORDS.get(word) : undefined;
  if (python !== undefined) state.rules.add("python-words");
  if (python !== undefined || (literal !== "" && literal === word)) {
    return take(state, word.length, `${comma}${python ?? word}`, afterValue(state));
  }
  const isBegun = BEGUN.test(word) || (state.tolerant && BEGUN_PYTHON.test(word));
  if (!isBegun || state.at + word.length < state.text.length) return wantedLiteral(word, char);
  state.at = state.text.length;
  return wantedAtEnd(state);
}

function wantedLiteral(word: string, char: string): string {
  if (char === "\\") return ESCAPED_QUOTE;
  if (char === "'") return "strings stand in double quotes, not in single ones";
  if (PYTHON_WORDS.has(word)) return "true, false and null are written in small letters";
  if (/^[-+]?(?:NaN|Infinity)$/.test(word)) return `JSON has no ${word}`;
  if (/^[-+.]*\d/.test(word)) return `${word.slice(0, 40)} is not a number as JSON writes them`;
  return "a value must stand here (strings stand in double quotes)";
}

function matchAt(pattern: RegExp, { text, at }: Scan): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
