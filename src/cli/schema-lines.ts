import { toOneLine } from "./printable.ts";
import { isRecord, own } from "./record.ts";

/** Levels of nested objects that are shown; `--json` has them all. */
const MAX_DEPTH = 4;

/** A schema of arguments for people, one line a property: `name  type  (required)  description`. Total. */
export function toSchemaLines(schema: unknown, depth = 0): string[] {
  if (!isRecord(schema)) return [`${toOneLine(JSON.stringify(schema) ?? "")} (any arguments)`];
  const properties = own(schema, "properties");
  if (!isRecord(properties)) return depth === 0 ? [toTypeText(schema)] : [];
  const listed = own(schema, "required");
  const required: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const entries = Object.entries(properties);
  if (entries.length === 0 && depth === 0) return ["no arguments"];
  const longest = Math.min(24, Math.max(0, ...entries.map(([name]) => name.length)));
  return entries.flatMap(([name, property]) => {
    const mark = required.includes(name) ? " (required)" : "";
    const description = isRecord(property) ? own(property, "description") : undefined;
    const text = typeof description === "string" ? `  ${toOneLine(description)}` : "";
    const line = `${toOneLine(name).padEnd(longest)}  ${toTypeText(property)}${mark}${text}`;
    const nested = depth < MAX_DEPTH ? toSchemaLines(nestedIn(property), depth + 1) : [];
    return [line, ...nested.map((inner) => `  ${inner}`)];
  });
}

/** `string`, `"a" | "b"`, `integer[]`, `string | null`, `any`: a schema's type in few words. */
export function toTypeText(schema: unknown): string {
  if (!isRecord(schema)) return "any";
  if (Object.hasOwn(schema, "const")) return toOneLine(JSON.stringify(schema.const) ?? "");
  const values = own(schema, "enum");
  if (Array.isArray(values)) return shorten(values.map((value) => JSON.stringify(value) ?? ""));
  const either = own(schema, "anyOf") ?? own(schema, "oneOf");
  if (Array.isArray(either)) return shorten(either.map(toTypeText));
  const type = own(schema, "type");
  if (type === "array") return `${toTypeText(own(schema, "items"))}[]`;
  if (Array.isArray(type)) return shorten(type.map(String));
  return typeof type === "string" ? toOneLine(type) : "any";
}

function nestedIn(schema: unknown): unknown {
  const items = isRecord(schema) ? own(schema, "items") : undefined;
  const nested = isRecord(items) ? items : schema;
  return isRecord(nested) ? nested : {};
}

function shorten(words: readonly string[]): string {
  const shown = words.slice(0, 8).map(toOneLine).join(" | ");
  return words.length > 8 ? `${shown} | …` : shown;
}
