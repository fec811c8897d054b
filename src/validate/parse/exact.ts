import { isSecretKey } from "../../secret-keys.ts";
import { quote } from "../pointer.ts";
import { endOfString } from "./strings.ts";
import type { Survey } from "./survey.ts";

/** Digits that a double always keeps. */
const SAFE_DIGITS = 15;

/** Too few characters for a number that is not kept: `1e400` has more. */
const SAFE_CHARS = 4;

const HALF_PAIR =
  "a text in the arguments holds half of a surrogate pair (such as \\ud83d alone), which is no character: send it whole";

/**
 * Why a JSON text does not survive reading: an integer that a double would round, a number beyond all doubles or so small
 * that it would become 0, or half a surrogate pair. `undefined`: it survives. Not recursive, and linear in the text.
 *
 * @param text JSON
 * @param seen what its value holds
 */
export function findInexact(text: string, seen: Readonly<Survey>): string | undefined {
  if (!text.isWellFormed()) return HALF_PAIR;
  const mayBeInexact =
    (seen.hasLarge && /\d{16}|\d[eE]\+?\d{3}/.test(text)) ||
    (seen.hasZero && /\d[eE]-\d{3}|0{100}/.test(text)) ||
    (text.includes("\\") && /\\u[dD][89a-fA-F]/.test(text));
  return mayBeInexact ? walk(text) : undefined;
}

/** Looks at each string, and at each number as it is written: its value does not tell what it was. */
function walk(text: string): string | undefined {
  let at = 0;
  let string = "";
  while (at < text.length) {
    const next = text.indexOf('"', at);
    const start = next === -1 ? text.length : next;
    const wrong = wrongNumber(text.slice(at, start), string);
    if (wrong !== undefined || next === -1) return wrong;
    at = endOfString(text, start);
    string = text.slice(start, at);
    if (string.includes("\\u") && !String(JSON.parse(string)).isWellFormed()) return HALF_PAIR;
  }
  return undefined;
}

/** @param between what stands between two strings; @param string the one before, perhaps the key of its first value */
function wrongNumber(between: string, string: string): string | undefined {
  for (const { 0: source, index } of between.matchAll(/-?\d[\d.eE+-]*/g)) {
    const value = Number(source);
    if (source.length <= SAFE_CHARS || isExact(value, source)) continue;
    const isKey = /^\s*:\s*$/.test(between.slice(0, index));
    return inexact(value, source, isKey ? String(JSON.parse(string)) : "");
  }
  return undefined;
}

function inexact(value: number, source: string, key: string): string {
  const what = key === "" ? "a number" : `the number ${quote(key)}`;
  const cut = source.length > 40 ? `${source.slice(0, 40)}…` : source;
  const shown = isSecretKey(key) ? "" : ` (${cut})`;
  if (value === 0)
    return `${what}${shown} is smaller than any number that can be kept, apart from 0`;
  return Number.isFinite(value)
    ? `${what}${shown} has more digits than a number keeps: send it as a string if the tool takes one`
    : `${what}${shown} is larger than any number that can be kept`;
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  // The digits before an exponent tell whether a number is 0.
  if (value === 0) return !/^[^eE]*[1-9]/.test(source);
  // Fractions are rounded by everybody; whole numbers are ids and amounts.
  if (!/^-?\d+$/.test(source)) return true;
  const digits = source.replace("-", "").replace(/0+$/, "").length;
  // A double that is written out gives digits that read as the same double.
  return digits <= SAFE_DIGITS || String(value) === source || BigInt(source) === BigInt(value);
}
