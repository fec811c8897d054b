import { isRecord, type SchemaObject } from "./contract.ts";

/** How a keyword holds schemas: itself one, a list of them, or named ones. */
export type Holds = "one" | "list" | "map";

/** The keywords of 2020-12 (and `definitions`, `dependencies`) that hold schemas. */
export const HOLDS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ["$defs", "map"],
  ["additionalProperties", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["contains", "one"],
  ["definitions", "map"],
  ["dependencies", "map"],
  ["dependentSchemas", "map"],
  ["else", "one"],
  ["if", "one"],
  ["items", "one"],
  ["not", "one"],
  ["oneOf", "list"],
  ["patternProperties", "map"],
  ["prefixItems", "list"],
  ["properties", "map"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
]);

/** The schemas that stand in a schema, one level down. Of `dependencies`, those that are objects. */
export function subschemas(schema: SchemaObject): readonly SchemaObject[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const holds = HOLDS.get(keyword);
    if (holds === undefined) return [];
    return (holds === "one" ? [value] : Object.values(value ?? {})).filter(isRecord);
  });
}

/** Do these keys lead from a schema to a place that was read as a schema? */
export function isSchemaPlace(parts: readonly string[]): boolean {
  for (let at = 0; at < parts.length; at += 1) {
    const holds = HOLDS.get(parts[at] ?? "");
    if (holds === undefined) return false;
    if (holds !== "one") at += 1;
    if (at >= parts.length) return false;
  }
  return true;
}
