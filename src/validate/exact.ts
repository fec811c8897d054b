/** Only a text with one of these can hold what JSON.parse changes; the others cost no second look. */
const SUSPICIOUS = /\d{16}|\d[eE]\+?\d{3}|\\u[dD][89a-fA-F]/;

/** Digits that a double always keeps. */
const SAFE_DIGITS = 15;

/**
 * Why a JSON text does not survive reading: an integer that a double would round, a number beyond all doubles, or half a
 * surrogate pair. `undefined`: it survives. The text must be JSON, and not nested too deep.
 */
export function findInexact(text: string): string | undefined {
  if (!text.isWellFormed()) return HALF_PAIR;
  if (!SUSPICIOUS.test(text)) return undefined;
  let found: string | undefined;
  // A reviver gets the source of each number: https://github.com/tc39/proposal-json-parse-with-source
  JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) => {
    found ??= inexact(key, value, context?.source ?? "");
    return value;
  });
  return found;
}

const HALF_PAIR =
  "a text in the arguments holds half of a surrogate pair (such as \\ud83d alone), which is no character: send it whole";

function inexact(key: string, value: unknown, source: string): string | undefined {
  if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) return HALF_PAIR;
  if (typeof value !== "number" || isExact(value, source)) return undefined;
  const what = /^\d*$/.test(key) ? "a number" : `the number ${JSON.stringify(key.slice(0, 100))}`;
  const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
  return Number.isFinite(value)
    ? `${what} (${shown}) has more digits than a number keeps: send it as a string if the tool takes one`
    : `${what} (${shown}) is larger than any number that can be kept`;
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  // Fractions are rounded by everybody; whole numbers are ids and amounts.
  if (!/^-?\d+$/.test(source)) return true;
  const digits = source.replace("-", "").replace(/0+$/, "").length;
  // A double that is written out gives digits that read as the same double.
  return digits <= SAFE_DIGITS || String(value) === source || BigInt(source) === BigInt(value);
}
