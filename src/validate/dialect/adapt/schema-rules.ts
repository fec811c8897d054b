import type { JsonSchema } from "../../../tool.ts";
import { isRecord, type SchemaObject } from "../contract.ts";
import { DROP, dropped, names, type Rule, show } from "./values.ts";
import { change, fault, type Place, type Scope, step } from "./walk.ts";

/** Properties in one object from which on ajv's code is slow to make, or too deep for the stack. */
const MAX_PROPERTIES = 400;

/** A schema. */
export const schema: Rule = (value, place, scope) => {
  if (value === null) return dropped(scope, place, "null is no schema");
  return scope.read(value, place, scope);
};

/** A list of schemas. An empty one says nothing: all of none, or any of none. */
export const schemas: Rule = (value, place, scope) => {
  if (value === null) return dropped(scope, place, "null is no list of schemas");
  if (!Array.isArray(value)) return wrong(scope, place, "a list of schemas", value);
  if (value.length === 0) return dropped(scope, place, "it lists no schema");
  // Open, it would make a choice of it pass everything.
  const empty = value.indexOf(null);
  if (empty >= 0) return wrong(scope, step(place, empty), "a JSON Schema", null);
  const read = value.map((each, at) => scope.read(each, step(place, at), scope));
  return read.every((each, at) => each === value[at]) ? value : read;
};

/** Schemas by name. */
export const schemaMap: Rule = (value, place, scope) => {
  const given = asMap(value, place, scope);
  return given === undefined
    ? DROP
    : readMap(given, (each, key) => scope.read(each, step(place, key), scope));
};

/** Schemas, or lists of names, by name. */
export const dependencies: Rule = (value, place, scope) => {
  const given = asMap(value, place, scope);
  if (given === undefined) return DROP;
  return readMap(given, (each, key) =>
    Array.isArray(each) || typeof each === "string"
      ? names(each, step(place, key), scope)
      : scope.read(each, step(place, key), scope),
  );
};

/** Lists of names, by name. */
export const nameMap: Rule = (value, place, scope) => {
  const given = asMap(value, place, scope);
  return given === undefined
    ? DROP
    : readMap(given, (each, key) => names(each, step(place, key), scope));
};

/** PHP writes an empty object as an empty list. */
function asMap(value: unknown, place: Place, scope: Scope): SchemaObject | undefined {
  if (isRecord(value)) {
    const keys = Object.keys(value);
    if (keys.length > MAX_PROPERTIES || Object.hasOwn(value, "__proto__")) {
      scope.walk.traits.special = true;
    }
    return value;
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    change(scope, place, `is left out: ${show(value)} names no schema`);
  } else {
    wrong(scope, place, "an object of schemas by name", value);
  }
  return undefined;
}

/** The same object when nothing in it changed. `Object.fromEntries` makes an own key of `__proto__`. */
function readMap(
  given: SchemaObject,
  read: (value: unknown, key: string) => JsonSchema | unknown,
): SchemaObject {
  let changed = false;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    const made = read(value, key);
    changed ||= made !== value;
    return [key, made];
  });
  return changed ? Object.fromEntries(entries.filter(([, value]) => value !== DROP)) : given;
}

function wrong(scope: Scope, place: Place, wanted: string, value: unknown): typeof DROP {
  fault(scope, place, `must be ${wanted}, not ${show(value)}`);
  return DROP;
}
