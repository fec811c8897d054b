import { isRecord, type SchemaObject } from "../contract.ts";
import { without } from "./keys.ts";
import { asFlag } from "./values.ts";
import { change, type Place, type Scope, step } from "./walk.ts";

/** `required: true` in a property, as draft-03 had it and many write it, goes to the list of its parent. */
export function hoistRequired(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
): SchemaObject {
  const properties = schema["properties"];
  if (!isRecord(properties)) return schema;
  const flagged = new Map<string, boolean>();
  for (const [key, property] of Object.entries(properties)) {
    const flag = isRecord(property) ? asFlag(property["required"]) : undefined;
    if (flag !== undefined) flagged.set(key, flag);
  }
  if (flagged.size === 0) return schema;
  const added = [...flagged].filter(([, flag]) => flag).map(([key]) => key);
  for (const [key, flag] of flagged) {
    const at = step(step(step(place, "properties"), key), "required");
    change(scope, at, flag ? "stands in the list of the parent now" : "is left out: it is false");
  }
  return withRequired(stripped(schema, properties, flagged), added);
}

function stripped(
  schema: SchemaObject,
  properties: SchemaObject,
  flagged: ReadonlyMap<string, boolean>,
): SchemaObject {
  const bare = Object.entries(properties).map(([key, property]): [string, unknown] =>
    flagged.has(key) && isRecord(property) ? [key, without(property, "required")] : [key, property],
  );
  return { ...schema, properties: Object.fromEntries(bare) };
}

function withRequired(schema: SchemaObject, added: readonly string[]): SchemaObject {
  if (added.length === 0) return schema;
  const given = schema["required"];
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : typeof given === "string" && asFlag(given) === undefined
      ? [given]
      : [];
  return { ...schema, required: [...new Set([...list, ...added])] };
}
