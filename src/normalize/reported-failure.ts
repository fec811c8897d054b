import type { Json, JsonObject } from "../../machines/index.ts";
import { isObject } from "./json.ts";

/**
 * The words of a value by which another executor reports a failure; `undefined` when it is none. A tool that only hands on
 * such a report did not succeed. Just these shapes are known, each by several fields, so that data with a field `error` or
 * `success` stays data:
 *
 * - a result of this or a like executor: `{ success: false, error, latencyMs | latency_ms, metadata, … }`
 * - Mastra's failed validation: `{ error: true, message, validationErrors }`
 */
export function readReportedFailure(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  if (isFailedResult(value)) return toWords(value["error"]);
  return isFailedValidation(value) ? toWords(value["message"]) : undefined;
}

function isFailedResult(value: JsonObject): boolean {
  const { success, latencyMs, latency_ms: latency = latencyMs, metadata } = value;
  return success === false && "error" in value && typeof latency === "number" && isObject(metadata);
}

function isFailedValidation(value: JsonObject): boolean {
  const { error, message, validationErrors } = value;
  return error === true && typeof message === "string" && validationErrors !== undefined;
}

function toWords(error: Json | undefined): string {
  if (typeof error === "string") return error;
  if (isObject(error) && typeof error["message"] === "string") return error["message"];
  return error === undefined || error === null ? "" : JSON.stringify(error);
}
