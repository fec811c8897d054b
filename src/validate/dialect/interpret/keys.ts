import { isRecord } from "../contract.ts";
import { readPattern } from "../patterns/pattern.ts";
import type { Check, Given, Keyword, Make, Tools } from "./contract.ts";
import { every, fail, within } from "./fail.ts";
import { testIn } from "./test-in.ts";

/** Checks of objects. */
export const KEY_KEYWORDS: readonly (readonly [string, Make])[] = [
  ["maxProperties", count((keys, most) => keys <= most, "more")],
  ["minProperties", count((keys, least) => keys >= least, "fewer")],
  ["required", required],
  ["dependentRequired", dependencies],
  ["dependencies", dependencies],
  ["dependentSchemas", dependencies],
  ["propertyNames", propertyNames],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
];

/** What is left when all else has looked at the keys. */
export const UNEVALUATED_PROPERTIES: readonly [string, Make] = [
  "unevaluatedProperties",
  unevaluatedProperties,
];

type Data = { readonly [key: string]: unknown };

function count(isWithin: (keys: number, limit: number) => boolean, words: string): Make {
  return (keyword) => {
    const limit = Number(keyword.value);
    const message = `must NOT have ${words} than ${limit} properties`;
    return (given) =>
      !isRecord(given.data) ||
      isWithin(Object.keys(given.data).length, limit) ||
      fail(given, keyword, { limit }, message);
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

function required(keyword: Keyword): Check {
  const keys = textsOf(keyword.value);
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    return every(
      given,
      keys,
      (missingProperty) =>
        Object.hasOwn(data, missingProperty) ||
        fail(
          given,
          keyword,
          { missingProperty },
          `must have required property '${missingProperty}'`,
        ),
    );
  };
}

/** `dependencies`, and the two keywords that it was divided into. */
function dependencies(keyword: Keyword, { compile }: Tools): Check {
  const checks = entriesOf(keyword.value).map(([property, value]): [string, Check] => [
    property,
    Array.isArray(value)
      ? together(keyword, property, textsOf(value))
      : compile(value, `${keyword.keyword}/${property}`, keyword),
  ]);
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    return every(
      given,
      checks,
      ([property, check]) => !Object.hasOwn(data, property) || check(given),
    );
  };
}

function together(keyword: Keyword, property: string, keys: readonly string[]): Check {
  const deps = keys.join(", ");
  const message = `must have ${keys.length === 1 ? "property" : "properties"} ${deps} when property ${property} is present`;
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    return every(given, keys, (missingProperty) => {
      const params = { property, missingProperty, depsCount: keys.length, deps };
      return Object.hasOwn(data, missingProperty) || fail(given, keyword, params, message);
    });
  };
}

function propertyNames(keyword: Keyword, { compile }: Tools): Check {
  const check = compile(keyword.value, "propertyNames", keyword);
  return (given) => {
    if (!isRecord(given.data)) return true;
    return every(given, Object.keys(given.data), (propertyName) => {
      const from = given.run.errors.length;
      if (check({ ...given, data: propertyName, marks: undefined })) return true;
      for (const error of given.run.errors.slice(from)) error.propertyName = propertyName;
      return fail(given, keyword, { propertyName }, "property name must be valid");
    });
  };
}

/** Checks the value of a key, and marks the key. */
function value(given: Given, data: Data, key: string, check: Check): boolean {
  given.marks?.keys.add(key);
  return check(within(given, key, data[key]));
}

function properties(keyword: Keyword, { compile }: Tools): Check {
  const checks = entriesOf(keyword.value).map(([key, schema]): [string, Check] => [
    key,
    compile(schema, `properties/${key}`, keyword),
  ]);
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    return every(
      given,
      checks,
      ([key, check]) => !Object.hasOwn(data, key) || value(given, data, key, check),
    );
  };
}

/** Does a key of the data fit a pattern? */
function fits(source: string): (key: string, given: Given) => boolean {
  const read = readPattern(source);
  return "reason" in read ? () => false : (key, given) => testIn(given, () => read.test(key));
}

function patternProperties(keyword: Keyword, { compile }: Tools): Check {
  const checks = entriesOf(keyword.value).map(
    ([source, schema]) =>
      [fits(source), compile(schema, `patternProperties/${source}`, keyword)] as const,
  );
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    return every(given, checks, ([isMeant, check]) =>
      every(
        given,
        Object.keys(data).filter((key) => isMeant(key, given)),
        (key) => value(given, data, key, check),
      ),
    );
  };
}

function additionalProperties(keyword: Keyword, { compile }: Tools): Check {
  const { properties, patternProperties } = keyword.parent;
  const known = new Set(entriesOf(properties).map(([key]) => key));
  const patterns = entriesOf(patternProperties).map(([source]) => fits(source));
  const check = compile(keyword.value, "additionalProperties", keyword);
  const refuse = (given: Given, additionalProperty: string): boolean =>
    fail(given, keyword, { additionalProperty }, "must NOT have additional properties");
  return (given) => {
    const { data } = given;
    if (!isRecord(data)) return true;
    const more = Object.keys(data).filter(
      (key) => !known.has(key) && !patterns.some((isMeant) => isMeant(key, given)),
    );
    return every(given, more, (key) =>
      keyword.value === false ? refuse(given, key) : value(given, data, key, check),
    );
  };
}

function unevaluatedProperties(keyword: Keyword, { compile }: Tools): Check {
  const check = compile(keyword.value, "unevaluatedProperties", keyword);
  return (given) => {
    const { data, marks } = given;
    if (!isRecord(data)) return true;
    const left = Object.keys(data).filter((key) => marks?.keys.has(key) !== true);
    return every(given, left, (unevaluatedProperty) => {
      if (keyword.value !== false) return value(given, data, unevaluatedProperty, check);
      const message = "must NOT have unevaluated properties";
      return fail(given, keyword, { unevaluatedProperty }, message);
    });
  };
}
