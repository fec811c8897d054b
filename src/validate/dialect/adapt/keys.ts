import type { SchemaObject } from "../contract.ts";

/** The schema without some of its keys, in a new object. */
export function without(schema: SchemaObject, ...keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

/** The schema with some keys only. */
export function only(schema: SchemaObject, isKept: (key: string) => boolean): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isKept(key)));
}
