import { quote, resolvePointer } from "../pointer.ts";

const MAX_VALUES = 20;
const MAX_VALUES_CHARS = 400;
const MAX_BRANCHES = 5;
const MAX_DEPTH = 3;
const MAX_KEYS = 6;

const ARTICLES: ReadonlyMap<unknown, string> = new Map([
  ["array", "an array"],
  ["boolean", "true or false"],
  ["integer", "an integer"],
  ["null", "null"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

/** A JSON Schema type (or several) in words. */
export function describeType(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((name: unknown) => ARTICLES.get(name) ?? String(name)).join(" or ");
}

/** Allowed values as a list that stays short. */
export function listValues(values: readonly unknown[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const value of values) {
    const text = JSON.stringify(value) ?? "null";
    chars += text.length;
    if (shown.length === MAX_VALUES || (chars > MAX_VALUES_CHARS && shown.length > 0)) break;
    shown.push(text.length > MAX_VALUES_CHARS ? `${text.slice(0, MAX_VALUES_CHARS)}…` : text);
  }
  const left = values.length - shown.length;
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ["date", "a date such as 2026-01-31"],
  ["date-time", "a date and time with an offset such as 2026-01-31T12:00:00Z"],
  ["duration", "a duration such as PT1H30M"],
  ["email", "an e-mail address such as name@example.org"],
  ["hostname", "a host name such as example.org"],
  ["ipv4", "an IPv4 address such as 192.0.2.1"],
  ["ipv6", "an IPv6 address such as 2001:db8::1"],
  ["json-pointer", "a JSON Pointer such as /items/0"],
  ["regex", "a regular expression"],
  ["time", "a time with an offset such as 12:00:00Z"],
  ["uri", "an absolute URI such as https://example.org/path"],
  ["uri-reference", "a URI or a relative reference such as /path"],
  ["url", "a URL such as https://example.org/path"],
  ["uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000"],
]);

/** A format in words, with an example where one helps. */
export function describeFormat(format: unknown): string {
  return FORMATS.get(format) ?? `a string of the format ${String(format)}`;
}

/** What a schema wants, in a few words; `root` is where its `$ref`s point. Total: schemas may hold anything. */
export function describeSchema(schema: unknown, root: unknown, depth = 0): string {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return "a value";
  const found = new Map<string, unknown>(Object.entries(schema));
  const ref = found.get("$ref");
  if (typeof ref === "string") return describeSchema(resolvePointer(root, ref), root, depth + 1);
  if (found.has("const")) return listValues([found.get("const")]);
  const values = found.get("enum");
  if (Array.isArray(values))
    return values.length === 1 ? listValues(values) : `one of ${listValues(values)}`;
  const choice = found.get("anyOf") ?? found.get("oneOf");
  if (Array.isArray(choice)) return describeBranches(choice, root, depth + 1);
  return describeTyped(found, root, depth);
}

/** Alternatives in words: `a string or null`. */
export function describeBranches(branches: readonly unknown[], root: unknown, depth = 0): string {
  const words = [...new Set(branches.map((branch) => describeSchema(branch, root, depth)))];
  const shown = words.slice(0, MAX_BRANCHES).join(" or ");
  return words.length > MAX_BRANCHES
    ? `${shown} or one of ${words.length - MAX_BRANCHES} others`
    : shown;
}

function describeTyped(found: ReadonlyMap<string, unknown>, root: unknown, depth: number): string {
  const type = found.get("type");
  if (Array.isArray(type)) return describeType(type);
  switch (type) {
    case "string":
      return describeString(found);
    case "number":
    case "integer":
      return `${describeType(type)}${describeRange(found)}`;
    case "array":
      return describeArray(found, root, depth);
    case undefined:
      return found.has("properties") || found.has("required") ? describeObject(found) : "a value";
    case "object":
      return describeObject(found);
    default:
      return describeType(type);
  }
}

function describeString(found: ReadonlyMap<string, unknown>): string {
  if (found.has("format")) return describeFormat(found.get("format"));
  const pattern = found.get("pattern");
  return typeof pattern === "string"
    ? `a string that fits the pattern ${pattern.slice(0, 200)}`
    : "a string";
}

function describeRange(found: ReadonlyMap<string, unknown>): string {
  const bounds = [
    ["minimum", "of at least"],
    ["exclusiveMinimum", "of more than"],
    ["maximum", "of at most"],
    ["exclusiveMaximum", "of less than"],
  ] as const;
  const words = bounds
    .filter(([keyword]) => typeof found.get(keyword) === "number")
    .map(([keyword, word]) => `${word} ${String(found.get(keyword))}`);
  return words.length === 0 ? "" : ` ${words.join(" and ")}`;
}

function describeArray(found: ReadonlyMap<string, unknown>, root: unknown, depth: number): string {
  const item = describeSchema(found.get("items"), root, depth + 1);
  return item === "a value" ? "an array" : `an array, each item ${item}`;
}

function describeObject(found: ReadonlyMap<string, unknown>): string {
  const required = found.get("required");
  if (!Array.isArray(required) || required.length === 0) return "an object";
  const more = required.length > MAX_KEYS ? ", …" : "";
  return `an object with ${required
    .slice(0, MAX_KEYS)
    .map((key) => quote(String(key)))
    .join(", ")}${more}`;
}
