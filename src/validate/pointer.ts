import type { Json } from "../../machines/index.ts";

/** Keys and indexes as a JSON Pointer (RFC 6901). */
export function toPointer(parts: readonly unknown[]): string {
  return parts
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The keys and indexes of a JSON Pointer. */
export function pointerParts(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const MAX_PART_CHARS = 60;
const MAX_PATH_CHARS = 200;

/** A JSON Pointer as a path that one reads: `/filters/0/name` is `arguments.filters[0].name`. Cut when it is long. */
export function readablePath(pointer: string, root: string): string {
  const path = pointerParts(pointer).reduce((path, part) => `${path}${readablePart(part)}`, root);
  return path.length <= MAX_PATH_CHARS ? path : `${path.slice(0, MAX_PATH_CHARS).toWellFormed()}…`;
}

function readablePart(part: string): string {
  if (/^\d+$/.test(part)) return `[${part}]`;
  if (part.length <= MAX_PART_CHARS && /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) return `.${part}`;
  return `[${quote(part)}]`;
}

/** A key in quotes. Cut when it is long. */
export function quote(key: string): string {
  return JSON.stringify(
    key.length <= MAX_PART_CHARS ? key : `${key.slice(0, MAX_PART_CHARS).toWellFormed()}…`,
  );
}

/** Data at a JSON Pointer, or `undefined` when there is none. */
export function valueAt(data: Json, pointer: string): Json | undefined {
  return pointerParts(pointer).reduce<Json | undefined>(
    (value, part) => (value === undefined ? undefined : propertyOf(value, part)),
    data,
  );
}

/** The own property or item of a value. */
export function propertyOf(value: Json, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value)
    ? (value as readonly Json[])[Number(key)]
    : (value as { readonly [key: string]: Json })[key];
}

/** The schema that a `$ref` within the document names by a JSON Pointer; `undefined` for any other. */
export function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/") || ref.includes("%")) return undefined;
  let value: unknown = root;
  for (const key of pointerParts(ref.slice(1))) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
