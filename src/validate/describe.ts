import type { Json } from "../../machines/index.ts";

const MAX_SHOWN_CHARS = 60;
const SECRET = /pass(word|wd|phrase)?|secret|token|api[-_]?key|credential|authorization|cookie|private[-_]?key/i;

/** What was given, in a few words: its type, and a short value if it is no secret. */
export function describeValue(value: unknown, key = ""): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (value === undefined) return "nothing";
  const type = typeof value === "string" ? "the text" : `the ${typeof value}`;
  if (SECRET.test(key)) return `${type} (not shown)`;
  const shown = JSON.stringify(value);
  return `${type} ${shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : shown}`;
}

/** A JSON Pointer as a path that one reads: `/filters/0/name` is `filters[0].name`; `""` is `arguments`. */
export function readablePath(pointer: string): string {
  if (pointer === "") return "arguments";
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((path, part) => {
      if (/^\d+$/.test(part)) return `${path}[${part}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) return `${path}[${JSON.stringify(part)}]`;
      return path === "" ? part : `${path}.${part}`;
    }, "");
}

/** The last part of a JSON Pointer. */
export function lastKey(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");
}

const ARTICLES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a text",
};

/** A JSON Schema type (or several) in words. */
export function describeType(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((name) => ARTICLES[String(name)] ?? String(name)).join(" or ");
}

/** Allowed values as a list that stays short. */
export function listValues(values: readonly unknown[], most = 20): string {
  const shown = values.slice(0, most).map((value) => JSON.stringify(value));
  return values.length > most ? `${shown.join(", ")} and ${values.length - most} more` : shown.join(", ");
}

/** Data at a JSON Pointer. */
export function valueAt(data: Json, pointer: string): unknown {
  if (pointer === "") return data;
  let value: unknown = data;
  for (const part of pointer.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
