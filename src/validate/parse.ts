import type { Json } from "../../machines/index.ts";
import { findInexact } from "./exact.ts";
import { explainJsonFault } from "./json-fault.ts";

/** How much of the arguments is read. What is beyond is refused, never cut. */
export interface ParseLimits {
  /** UTF-16 code units of a raw text. Default 10 000 000. */
  readonly maxTextChars?: number;
  /** Levels of nested objects and lists, in texts and in data. Default 64. */
  readonly maxDepth?: number;
}

/** The defaults of {@link ParseLimits}. */
const PARSE_LIMITS: Required<ParseLimits> = { maxTextChars: 10_000_000, maxDepth: 64 };

/** Arguments as an own plain copy, or why there are none. `missing`: nothing was given, which means `{}`. */
export type Parsed =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "missing" }
  | { readonly kind: "fault"; readonly message: string };

/**
 * Reads arguments as a model gives them: data as it is, text as JSON. Nothing is mended or guessed: what is not JSON, and
 * numbers or characters that would not survive reading, are faults. Total, and bounded in size and depth.
 */
export function parseArguments(given: Json, limits: ParseLimits = {}): Parsed {
  const { maxTextChars, maxDepth } = { ...PARSE_LIMITS, ...limits };
  if (typeof given === "string") return parseText(given, maxTextChars, maxDepth);
  if (given === null) return { kind: "missing" };
  const value = copyWithin(given, maxDepth);
  return value === undefined ? tooDeep("the arguments are", maxDepth) : { kind: "value", value };
}

function parseText(given: string, maxTextChars: number, maxDepth: number): Parsed {
  if (given.length > maxTextChars) {
    return fault(
      `the arguments have ${given.length} characters; at most ${maxTextChars} are read: send less`,
    );
  }
  const text = given.trim();
  if (text === "" || text === "null") return { kind: "missing" };
  // JSON.parse itself is not recursive, but everything that later walks the value is.
  if (text.length > maxDepth && isNestedDeeper(text, maxDepth)) {
    return tooDeep("the text is", maxDepth);
  }
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return fault(explainJsonFault(given));
  }
  const inexact = findInexact(text);
  return inexact === undefined ? { kind: "value", value } : fault(inexact);
}

function fault(message: string): Parsed {
  return { kind: "fault", message };
}

function tooDeep(what: string, maxDepth: number): Parsed {
  return fault(`${what} nested more than ${maxDepth} levels deep: send a flatter object`);
}

/** A copy of plain data, or `undefined` when it is nested deeper. The whole costs one walk. */
function copyWithin(value: Json, levels: number): Json | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return undefined;
  return isList(value) ? copyList(value, levels - 1) : copyObject(value, levels - 1);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function copyList(list: readonly Json[], levels: number): Json | undefined {
  const result: Json[] = [];
  for (const item of list) {
    const copied = copyWithin(item, levels);
    if (copied === undefined) return undefined;
    result.push(copied);
  }
  return result;
}

function copyObject(object: { readonly [key: string]: Json }, levels: number): Json | undefined {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    const copied = copyWithin(object[key] ?? null, levels);
    if (copied === undefined) return undefined;
    if (key === "__proto__") {
      // An assignment would set the prototype.
      Object.defineProperty(result, key, {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      result[key] = copied;
    }
  }
  return result;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Is a text nested deeper than `levels`? Brackets in strings do not count. By character codes: texts may be large. */
function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else depth += stepOf(code);
    if (depth > levels) return true;
  }
  return false;
}

/** `[` and `{` open a level, `]` and `}` close one: their codes differ in one bit from each other. */
function stepOf(code: number): number {
  const folded = code | 32;
  return folded === 123 ? 1 : folded === 125 ? -1 : 0;
}
