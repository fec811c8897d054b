import type { SchemaObject } from "../contract.ts";
import { isOldDraft } from "../dialect-of.ts";
import { only } from "./keys.ts";
import { RULES } from "./rules.ts";
import { change, type Place, type Scope } from "./walk.ts";

/** What restricts nothing: other schemas, which the reference may name, and words. */
const STAYS: ReadonlySet<string> = new Set([
  "$comment",
  "$defs",
  "$ref",
  "$schema",
  "definitions",
  "description",
  "title",
]);

/**
 * Up to draft-07 everything beside `$ref` is ignored, `$id` included. Only in schemas that say that they are so old: others
 * mean what they say. https://json-schema.org/draft-07/draft-handrews-json-schema-01#rfc.section.8.3
 */
export function ignoreBesideRef(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
): SchemaObject {
  if (typeof schema["$ref"] !== "string" || !scope.said || !isOldDraft(scope.dialect))
    return schema;
  const ignored = Object.keys(schema).filter((key) => isActive(key) && !STAYS.has(key));
  if (ignored.length === 0) return schema;
  change(scope, place, `has ${ignored.join(", ")} beside $ref, which ${scope.dialect} ignores`);
  return only(schema, (key) => !ignored.includes(key));
}

function isActive(key: string): boolean {
  return RULES.has(key) || key === "id" || key === "$id" || key === "nullable";
}
