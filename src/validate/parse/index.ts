import type { ArgumentRepair, Json } from "../../../machines/index.ts";
import type { RepairMode } from "../repair/rules.ts";
import { copyWithin } from "./data.ts";
import { isNestedDeeper } from "./depth.ts";
import { findDuplicate } from "./duplicates.ts";
import { findInexact } from "./exact.ts";
import { explainJsonFault } from "./json-fault.ts";
import { mendText, readStrictly } from "./mend.ts";
import { survey } from "./survey.ts";

/** How much of the arguments is read. What is beyond is refused, never cut. */
export interface ParseLimits {
  /** UTF-16 code units of a raw text. Default 10 000 000. */
  readonly maxTextChars?: number;
  /** Levels of nested objects and lists, in texts and in data. Default 64; more than 500 are 500. */
  readonly maxDepth?: number;
}

/** How arguments are read. */
export interface ParseOptions extends ParseLimits {
  /** Default `"safe"`. `"none"`: text must be JSON, and a string in it stays a string. */
  readonly repair?: RepairMode;
}

/** Arguments as an own plain copy, or why there are none. `missing`: nothing was given, which means `{}`. */
export type Parsed =
  | { readonly kind: "value"; readonly value: Json; readonly repairs: readonly ArgumentRepair[] }
  | { readonly kind: "missing"; readonly repairs: readonly ArgumentRepair[] }
  | { readonly kind: "fault"; readonly message: string };

const MAX_TEXT_CHARS = 10_000_000;
const MAX_DEPTH = 64;
/** What walks arguments is recursive: deeper ones could overflow its stack. */
const MOST_DEPTH = 500;
const NO_REPAIRS: readonly ArgumentRepair[] = [];

/**
 * Reads arguments as a model gives them: data as it is, text as JSON. Text that is not JSON is mended by the text rules of
 * `REPAIR_RULES`, or refused. What reading would change in silence is a fault: numbers and characters that would not
 * survive, and keys that stand twice with different values. `-0` stays `-0`. White space around a text and a byte order
 * mark before it are no part of it. Total, and bounded in size and depth.
 */
export function parseArguments(given: Json, options: ParseOptions = {}): Parsed {
  const { maxTextChars = MAX_TEXT_CHARS, repair = "safe" } = options;
  const maxDepth = Math.min(options.maxDepth ?? MAX_DEPTH, MOST_DEPTH);
  if (given === null || given === undefined) return { kind: "missing", repairs: NO_REPAIRS };
  if (typeof given !== "string") {
    const value = copyWithin(given, maxDepth);
    return value === undefined ? tooDeep("the arguments are", maxDepth) : toValue(value);
  }
  if (given.length <= maxTextChars) return parseText(given, maxDepth, repair !== "none");
  return fault(
    `the arguments have ${given.length} characters; at most ${maxTextChars} are read: send less`,
  );
}

function parseText(given: string, maxDepth: number, mends: boolean): Parsed {
  const text = given.trim();
  if (text === "" || text === "null") return { kind: "missing", repairs: NO_REPAIRS };
  const read = readJson(text, maxDepth);
  if (read === undefined) return explainOrMend(given.trimEnd(), maxDepth, mends);
  if (!mends || read.kind !== "value" || typeof read.value !== "string") return read;
  return unwrap(read.value, maxDepth) ?? read;
}

/** JSON text as data, or as the fault that reading it would hide. `undefined`: it is not JSON. */
function readJson(text: string, maxDepth: number): Parsed | undefined {
  // JSON.parse itself is not recursive, but a bomb costs it memory.
  if (text.length > PARSED_AT_ONCE_CHARS && isNestedDeeper(text, maxDepth)) {
    return tooDeep("the text is", maxDepth);
  }
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const seen = survey(value, maxDepth);
  if (seen === undefined) return tooDeep("the text is", maxDepth);
  const wrong = findInexact(text, seen) ?? findDuplicate(text, seen.keys);
  return wrong === undefined ? toValue(value) : fault(wrong);
}

const PARSED_AT_ONCE_CHARS = 100_000;

function explainOrMend(text: string, maxDepth: number, mends: boolean): Parsed {
  const mended = mends ? mendText(text, maxDepth) : readStrictly(text, maxDepth);
  if (mended.kind === "tooDeep") return tooDeep("the text is", maxDepth);
  if (mended.kind === "fault") return fault(explainJsonFault(text, mended.fault));
  const read = readJson(mended.json, maxDepth);
  return read?.kind === "value" ? toValue(read.value, mended.repairs) : (read ?? NOT_JSON);
}

const NOT_JSON = fault("the text is not JSON. Send one JSON object and nothing around it");

/** How often a text may have been encoded again. */
const MAX_WRAPPINGS = 3;

/** The object of which a string is the JSON text, perhaps encoded several times. `undefined`: it is none. */
function unwrap(given: Json, maxDepth: number): Parsed | undefined {
  let value = given;
  for (let times = 1; times <= MAX_WRAPPINGS && typeof value === "string"; times += 1) {
    const text = value.trim();
    const read = /^[{"]/.test(text) ? readJson(text, maxDepth) : undefined;
    if (read?.kind !== "value") return read;
    if (typeof read.value !== "string") return toValue(read.value, [unwrapped(times)]);
    value = read.value;
  }
  return undefined;
}

function unwrapped(times: number): ArgumentRepair {
  const often = times === 1 ? "once" : `${times} times`;
  const message = `the object was encoded as a string ${often} too often: it was read`;
  return { path: "", rule: "double-encoded", message };
}

function toValue(value: Json, repairs = NO_REPAIRS): Parsed {
  return { kind: "value", value, repairs };
}

function fault(message: string): Parsed {
  return { kind: "fault", message };
}

function tooDeep(what: string, maxDepth: number): Parsed {
  return fault(`${what} nested more than ${maxDepth} levels deep: send a flatter object`);
}
