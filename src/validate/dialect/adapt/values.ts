import { isRecord } from "../contract.ts";
import { change, fault, type Place, type Scope } from "./walk.ts";

/** Reads the value of a keyword: the value, another in its place, or `DROP`. Total: what is wrong is told in the walk. */
export type Rule = (value: unknown, place: Place, scope: Scope) => unknown;

/** The keyword goes. */
export const DROP: unique symbol = Symbol("drop");

/** A JSON number as text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What stands at a keyword, in words. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const cut = text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`;
  return typeof value === "string" ? `the string ${cut}` : cut;
}

/** Nothing was lost: the keyword had no effect as it was. */
export function dropped(scope: Scope, place: Place, why: string): typeof DROP {
  change(scope, place, `is left out: ${why}`);
  return DROP;
}

function refuse(scope: Scope, place: Place, wanted: string, value: unknown): typeof DROP {
  fault(scope, place, `must be ${wanted}, not ${show(value)}`);
  return DROP;
}

/** `null` is how programs write a keyword that they leave out. */
function unlessNull(rule: Rule): Rule {
  return (value, place, scope) =>
    value === null ? dropped(scope, place, "null is no value of it") : rule(value, place, scope);
}

/** The number that stands there, also as text; `undefined` for anything else. */
function asNumber(value: unknown, place: Place, scope: Scope): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !NUMBER.test(value.trim())) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  change(scope, place, `is the number ${number}, given as text`);
  return number;
}

/** The truth value that stands there, also as text; `undefined` for anything else. */
export function asFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "True") return true;
  return value === "false" || value === "False" ? false : undefined;
}

/** Any number. */
export const number: Rule = unlessNull((value, place, scope) => {
  const number = asNumber(value, place, scope);
  return number ?? refuse(scope, place, "a number", value);
});

/** `multipleOf`: its sign means nothing, and no number is a multiple of 0. */
export const factor: Rule = unlessNull((value, place, scope) => {
  const number = asNumber(value, place, scope);
  if (number === undefined) return refuse(scope, place, "a number above 0", value);
  if (number === 0) return dropped(scope, place, "a multiple of 0 has no meaning");
  if (number < 0) change(scope, place, `is ${-number}: the sign has no meaning`);
  return Math.abs(number);
});

/** A least count: what is below 0 asks for nothing. */
export const least: Rule = unlessNull((value, place, scope) => {
  const number = asNumber(value, place, scope);
  if (number === undefined) return refuse(scope, place, "a whole number of at least 0", value);
  if (number < 0) return dropped(scope, place, "every count is above it");
  if (!Number.isInteger(number)) change(scope, place, `is ${Math.ceil(number)}, rounded up`);
  return Math.ceil(number);
});

/** A greatest count. Below 0 some mean "no limit" and others nothing at all: refused. */
export const most: Rule = unlessNull((value, place, scope) => {
  const number = asNumber(value, place, scope);
  if (number === undefined || number < 0) {
    return refuse(scope, place, "a whole number of at least 0", value);
  }
  if (!Number.isInteger(number)) change(scope, place, `is ${Math.floor(number)}, rounded down`);
  return Math.floor(number);
});

/** `true` or `false`. */
export const flag: Rule = unlessNull((value, place, scope) => {
  const flag = asFlag(value);
  if (flag === undefined) return refuse(scope, place, "true or false", value);
  if (flag !== value) change(scope, place, `is ${flag}, given as text`);
  return flag;
});

/** Texts for readers: they restrict nothing, so a wrong one does no harm. */
export const words: Rule = (value, place, scope) =>
  typeof value === "string" ? value : dropped(scope, place, "it is no text, and restricts nothing");

/** A keyword that would change how a library works. */
export const banned: Rule = (_, place, scope) =>
  dropped(scope, place, "it is no keyword of JSON Schema");

/** A list of allowed values. */
export const values: Rule = unlessNull((value, place, scope) => {
  if (!Array.isArray(value)) return refuse(scope, place, "a list of the allowed values", value);
  // ajv refuses to compile it; it allows nothing.
  if (value.length === 0) scope.walk.traits.special = true;
  return value;
});

/** `required`: true or false belong into a property, from where they went to its parent already. */
export const required: Rule = (value, place, scope) =>
  asFlag(value) === undefined
    ? names(value, place, scope)
    : dropped(scope, place, "only a property can be required");

/** A list of distinct names. */
export const names: Rule = unlessNull((value, place, scope) => {
  if (typeof value === "string") {
    change(scope, place, "is a list of one name, given without its brackets");
    return [value];
  }
  if (isRecord(value) && Object.keys(value).length === 0)
    return dropped(scope, place, "it is empty");
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) {
    return refuse(scope, place, "a list of names", value);
  }
  if (value.includes("__proto__")) scope.walk.traits.special = true;
  if (new Set(value).size === value.length) return value;
  change(scope, place, "names a key twice");
  return [...new Set(value)];
});
