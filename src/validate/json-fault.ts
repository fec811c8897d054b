import { isSecretKey } from "../secret-keys.ts";

/** Where a text stops being JSON, and what should stand there. */
interface JsonFault {
  readonly at: number;
  readonly wanted: string;
}

/** What the scanner expects next. */
type Expect = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "nothing";

interface Scan {
  readonly text: string;
  at: number;
  expect: Expect;
  /** Closing brackets still to come, the innermost last. */
  readonly open: string[];
}

/**
 * Why a text is not JSON, for a model: where (line, column, an excerpt with the place marked), what should stand there, and
 * whether the text seems to be cut off. Own words, since those of engines differ, and often name no place.
 */
export function explainJsonFault(given: string): string {
  const text = given.trimEnd();
  const fault = findJsonFault(text);
  if (fault.at >= text.length) return truncated(text, fault);
  const line = text.slice(0, fault.at).split("\n").length;
  const column = fault.at - text.lastIndexOf("\n", fault.at - 1);
  const where = `line ${line}, column ${column}${excerpt(text, fault.at)}`;
  const words = `the text is not JSON (${where}): ${fault.wanted}`;
  return `${words.toWellFormed()}. Send one JSON object and nothing around it`;
}

function truncated(text: string, { wanted }: JsonFault): string {
  return (
    `the text ends too early, after ${text.length} characters, so it was probably cut off (${wanted}): ` +
    "send the whole JSON object again, and a shorter one if it was long"
  );
}

const EXCERPT_CHARS = 20;
/** A key that far before the fault may belong to the value that stands there. */
const SECRET_REACH_CHARS = 200;

function excerpt(text: string, at: number): string {
  const reach = text.slice(Math.max(0, at - SECRET_REACH_CHARS), at + EXCERPT_CHARS);
  if ((reach.match(/[\p{L}\p{N}_-]{1,100}/gu) ?? []).some(isSecretKey)) return "";
  const before = text.slice(Math.max(0, at - EXCERPT_CHARS), at);
  const after = text.slice(at, at + EXCERPT_CHARS);
  return `, at the mark in ${JSON.stringify(`${before.toWellFormed()}▸${after.toWellFormed()}`)}`;
}

/** The first place at which a text that is not JSON goes wrong. Not recursive: texts may be nested as deep as they like. */
function findJsonFault(text: string): JsonFault {
  const start = text.length - text.trimStart().length;
  const scan: Scan = { text, at: start, expect: "value", open: [] };
  for (;;) {
    while (/[ \t\n\r]/.test(text.charAt(scan.at))) scan.at += 1;
    const wanted = scan.at >= text.length ? wantedAtEnd(scan) : step(scan);
    if (wanted !== undefined) return { at: scan.at, wanted };
  }
}

function wantedAtEnd({ open }: Scan): string {
  const closing = open.toReversed().slice(0, 10).join("");
  return closing === "" ? "a value is missing" : `${closing} is missing at the end`;
}

/** Takes one token. Returns what is wanted when it is not a right one. */
function step(scan: Scan): string | undefined {
  const char = scan.text.charAt(scan.at);
  switch (scan.expect) {
    case "nothing":
      return "this stands after the end of the JSON value";
    case "colon":
      return char === ":" ? take(scan, "value") : "a colon must stand between key and value";
    case "commaOrEnd":
      return stepAfterValue(scan, char);
    case "key":
    case "keyOrEnd":
      return stepKey(scan, char);
    default:
      return stepValue(scan, char);
  }
}

function take(scan: Scan, expect: Expect): undefined {
  scan.at += 1;
  scan.expect = expect;
}

function close(scan: Scan): undefined {
  scan.open.pop();
  take(scan, scan.open.length === 0 ? "nothing" : "commaOrEnd");
}

function stepAfterValue(scan: Scan, char: string): string | undefined {
  const end = scan.open.at(-1);
  if (char === end) return close(scan);
  if (char === ",") return take(scan, end === "}" ? "key" : "value");
  return `a comma or ${end} must stand here (a double quote inside of a string is written \\")`;
}

function stepKey(scan: Scan, char: string): string | undefined {
  if (char === '"') return stepString(scan, "colon");
  if (char !== "}") return "a key in double quotes must stand here";
  return scan.expect === "keyOrEnd" ? close(scan) : "no comma may stand before }";
}

function stepValue(scan: Scan, char: string): string | undefined {
  if (char === '"') return stepString(scan, afterValue(scan));
  if (char === "{") return open(scan, "}", "keyOrEnd");
  if (char === "[") return open(scan, "]", "valueOrEnd");
  if (char === "]" && scan.open.at(-1) === "]") {
    return scan.expect === "valueOrEnd" ? close(scan) : "no comma may stand before ]";
  }
  return stepLiteral(scan, char);
}

function open(scan: Scan, closing: string, expect: Expect): undefined {
  scan.open.push(closing);
  take(scan, expect);
}

function afterValue({ open: { length } }: Scan): Expect {
  return length === 0 ? "nothing" : "commaOrEnd";
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What a text that was cut off can end with. */
const BEGUN = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))$/;
const WORD = /[\p{L}\p{N}_.+-]*/uy;

function stepLiteral(scan: Scan, char: string): string | undefined {
  const literal = matchAt(LITERAL, scan);
  const word = matchAt(WORD, scan);
  if (literal !== "" && literal === word) {
    scan.at += literal.length - 1;
    return take(scan, afterValue(scan));
  }
  if (scan.at + word.length >= scan.text.length && BEGUN.test(word)) {
    scan.at = scan.text.length;
    return wantedAtEnd(scan);
  }
  if (char === "'") return "strings stand in double quotes, not in single ones";
  if (/^(?:True|False|None)$/.test(word))
    return "true, false and null are written in small letters";
  if (/^[-+]?(?:NaN|Infinity)$/.test(word)) return `JSON has no ${word}`;
  if (/^[-+.]*\d/.test(word)) return `${word.slice(0, 40)} is not a number as JSON writes them`;
  return "a value must stand here (strings stand in double quotes)";
}

function matchAt(pattern: RegExp, { text, at }: Scan): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Takes a string. On a fault `at` is where it lies. */
function stepString(scan: Scan, expect: Expect): string | undefined {
  const { text } = scan;
  for (let at = scan.at + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      scan.at = at;
      return take(scan, expect);
    }
    const wanted = char === "\\" ? wantedEscape(text, at) : wantedChar(char);
    if (wanted !== undefined) {
      scan.at = at;
      return wanted;
    }
    if (char === "\\") at += 1;
  }
  scan.at = text.length;
  return `a string has no closing quote; ${wantedAtEnd(scan)}`;
}

function wantedChar(char: string): string | undefined {
  if (char >= " ") return undefined;
  if (char === "\n") return "a line break inside of a string is written \\n";
  return char === "\t"
    ? "a tab inside of a string is written \\t"
    : "a control character inside of a string is written \\u and four hexadecimal digits";
}

function wantedEscape(text: string, at: number): string | undefined {
  const sequence = text.slice(at, at + 6);
  if (/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(sequence)) return undefined;
  // What follows was cut off.
  if (at + sequence.length >= text.length && /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(sequence))
    return undefined;
  return `${sequence.slice(0, 2)} is no escape of JSON (a backslash is written \\\\)`;
}
