import type { Json, JsonObject } from "../../machines/index.ts";

/** Is it a JSON object, rather than a list or a single value? */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Is it a JSON list? `Array.isArray` does not narrow readonly ones. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
