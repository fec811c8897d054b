import type { SchemaObject } from "../contract.ts";
import { without } from "./keys.ts";
import { change, fault, type Place, type Scope, step } from "./walk.ts";

/** A tuple is `prefixItems` (and `items` for the rest); before 2020-12 it was `items: [...]` (and `additionalItems`). */
export function reshapeTuple(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
  moved: Map<string, readonly string[]>,
): SchemaObject {
  const items = schema["items"];
  if (!Array.isArray(items)) return schema;
  const at = step(place, "items");
  if (Object.hasOwn(schema, "prefixItems")) {
    fault(scope, at, "must be one schema where prefixItems stands: a list says the same twice");
    return without(schema, "items");
  }
  if (scope.dialect === "2020-12") change(scope, at, "is prefixItems, as older drafts wrote it");
  const { items: _, additionalItems, ...rest } = schema;
  moved.set("items", ["prefixItems"]);
  moved.set("additionalItems", ["items"]);
  return {
    ...rest,
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}
