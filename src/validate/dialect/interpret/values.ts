import { keyOf } from "../equal.ts";
import { readFormat } from "../formats.ts";
import { isMultiple } from "../multiple.ts";
import { readPattern } from "../patterns/pattern.ts";
import type { Check, Keyword, Make } from "./contract.ts";
import { fail } from "./fail.ts";
import { testIn } from "./test-in.ts";

/** Checks of one value by itself: everything but what is in it, and what combines schemas. */
export const VALUE_KEYWORDS: readonly (readonly [string, Make])[] = [
  ["type", type],
  ["enum", oneOfValues],
  ["const", constant],
  ["maximum", limit((data, most) => data <= most, "<=")],
  ["minimum", limit((data, least) => data >= least, ">=")],
  ["exclusiveMaximum", limit((data, most) => data < most, "<")],
  ["exclusiveMinimum", limit((data, least) => data > least, ">")],
  ["multipleOf", multipleOf],
  ["maxLength", length((count, most) => count <= most, "more")],
  ["minLength", length((count, least) => count >= least, "fewer")],
  ["pattern", pattern],
  ["format", format],
];

const IS_TYPE: ReadonlyMap<unknown, (data: unknown) => boolean> = new Map([
  ["array", (data: unknown) => Array.isArray(data)],
  ["boolean", (data: unknown) => typeof data === "boolean"],
  ["integer", (data: unknown) => Number.isInteger(data)],
  ["null", (data: unknown) => data === null],
  ["number", (data: unknown) => Number.isFinite(data)],
  ["object", (data: unknown) => typeof data === "object" && data !== null && !Array.isArray(data)],
  ["string", (data: unknown) => typeof data === "string"],
]);

function type(keyword: Keyword): Check {
  const types: readonly unknown[] = Array.isArray(keyword.value) ? keyword.value : [keyword.value];
  const tests = types.map((each) => IS_TYPE.get(each) ?? (() => false));
  const params = { type: keyword.value };
  return (given) =>
    tests.some((test) => test(given.data)) ||
    fail(given, keyword, params, `must be ${types.join(",")}`);
}

function oneOfValues(keyword: Keyword): Check {
  const values: readonly unknown[] = Array.isArray(keyword.value) ? keyword.value : [];
  const keys = new Set(values.map((value) => keyOf(value)));
  const params = { allowedValues: values };
  return (given) =>
    keys.has(keyOf(given.data)) ||
    fail(given, keyword, params, "must be equal to one of the allowed values");
}

function constant(keyword: Keyword): Check {
  const key = keyOf(keyword.value);
  const params = { allowedValue: keyword.value };
  return (given) =>
    keyOf(given.data) === key || fail(given, keyword, params, "must be equal to constant");
}

function limit(isWithin: (data: number, limit: number) => boolean, comparison: string): Make {
  return (keyword) => {
    const bound = Number(keyword.value);
    return (given) =>
      typeof given.data !== "number" ||
      isWithin(given.data, bound) ||
      fail(given, keyword, { comparison, limit: bound }, `must be ${comparison} ${bound}`);
  };
}

function multipleOf(keyword: Keyword): Check {
  const factor = Number(keyword.value);
  return (given) =>
    typeof given.data !== "number" ||
    isMultiple(given.data, factor) ||
    fail(given, keyword, { multipleOf: factor }, `must be multiple of ${factor}`);
}

function length(isWithin: (count: number, limit: number) => boolean, words: string): Make {
  return (keyword) => {
    const bound = Number(keyword.value);
    const message = `must NOT have ${words} than ${bound} characters`;
    return (given) =>
      typeof given.data !== "string" ||
      isWithin(countPoints(given.data), bound) ||
      fail(given, keyword, { limit: bound }, message);
  };
}

/** Characters are code points here, not UTF-16 units. */
function countPoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function pattern(keyword: Keyword): Check {
  const source = String(keyword.value);
  const read = readPattern(source);
  if ("reason" in read) return () => true;
  return (given) => {
    if (typeof given.data !== "string") return true;
    const text = given.data;
    if (testIn(given, () => read.test(text))) return true;
    return fail(given, keyword, { pattern: source }, `must match pattern "${source}"`);
  };
}

function format(keyword: Keyword, { formats }: { readonly formats: boolean }): Check | undefined {
  const name = String(keyword.value);
  const known = formats ? readFormat(name) : undefined;
  if (known === undefined) return undefined;
  return (given) =>
    testIn(given, () => known.validate(given.data)) ||
    fail(given, keyword, { format: name }, `must match format "${name}"`);
}
