import type { SchemaObject } from "../contract.ts";
import { only, without } from "./keys.ts";
import { asFlag } from "./values.ts";
import { change, type Place, type Scope, step } from "./walk.ts";

const FLAGS: readonly string[] = ["nullable", "x-nullable"];

/** Keywords that null would have to pass, and that only a choice around them lets it pass. */
const STRICT: readonly string[] = [
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "allOf",
  "anyOf",
  "const",
  "if",
  "not",
  "oneOf",
];

/** What stays outside of that choice: names, words, and schemas that references may point to. */
const OUTER: ReadonlySet<string> = new Set([
  "$anchor",
  "$comment",
  "$defs",
  "$dynamicAnchor",
  "$id",
  "$schema",
  "default",
  "definitions",
  "description",
  "title",
]);

/**
 * Of a schema whose keywords were read already: `nullable: true` of OpenAPI 3.0 and Gemini: null is allowed as well. Whatever else restricts the value: an `enum` without
 * null, or a `$ref`, would not let it pass. https://spec.openapis.org/oas/v3.0.3#schema-object
 */
export function allowNull(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
  moved: Map<string, readonly string[]>,
): SchemaObject {
  const flag = FLAGS.find((key) => Object.hasOwn(schema, key));
  if (flag === undefined) return schema;
  const bare = without(schema, ...FLAGS);
  if (asFlag(schema[flag]) !== true) return bare;
  change(scope, step(place, flag), "allows null as well");
  return STRICT.some((key) => Object.hasOwn(bare, key)) ? withChoice(bare, moved) : withNull(bare);
}

function withChoice(schema: SchemaObject, moved: Map<string, readonly string[]>): SchemaObject {
  const outer = only(schema, (key) => OUTER.has(key));
  const inner = only(schema, (key) => !OUTER.has(key));
  for (const key of Object.keys(inner)) {
    moved.set(key, ["anyOf", "0", ...(moved.get(key) ?? [key])]);
  }
  return { ...outer, anyOf: [inner, { type: "null" }] };
}

function withNull(schema: SchemaObject): SchemaObject {
  const type = schema["type"];
  const values = schema["enum"];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const isOpen = type === undefined || types.includes("null");
  return {
    ...schema,
    ...(isOpen ? {} : { type: [...types, "null"] }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
