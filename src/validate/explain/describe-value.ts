import type { Json } from "../../../machines/index.ts";
import { isSecretKey } from "../../secret-keys.ts";
import { pointerParts, quote, valueAt } from "../pointer.ts";

const MAX_SHOWN_CHARS = 60;
const MAX_KEYS = 6;

/** What stands at a JSON Pointer, in a few words. The value of a key that looks like a secret's is never shown. */
export function describeAt(data: Json, pointer: string): string {
  return describeValue(valueAt(data, pointer), isSecretPath(pointer));
}

/** Does a key on the way to a value look like that of a secret? */
export function isSecretPath(pointer: string): boolean {
  return pointerParts(pointer).some(isSecretKey);
}

function describeValue(value: Json | undefined, secret: boolean): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value))
    return `an array of ${value.length} item${value.length === 1 ? "" : "s"}`;
  if (typeof value === "object") return describeObject(Object.keys(value), secret);
  if (secret) return `a ${typeof value} (not shown: it may be a secret)`;
  if (typeof value === "string") return `the string ${shorten(value)}`;
  return typeof value === "number" ? `the number ${value}` : `${value}`;
}

function describeObject(keys: readonly string[], secret: boolean): string {
  if (keys.length === 0) return "an empty object";
  if (secret) return "an object (not shown: it may hold a secret)";
  const more = keys.length > MAX_KEYS ? ", …" : "";
  return `an object with ${keys.slice(0, MAX_KEYS).map(quote).join(", ")}${more}`;
}

function shorten(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return JSON.stringify(text);
  return `${JSON.stringify(`${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…`)} (${text.length} characters)`;
}
