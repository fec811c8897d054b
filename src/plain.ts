import type { Json } from "../machines/index.ts";

/** How much of a value is copied. */
export interface PlainLimits {
  /** Levels of nesting. Default 64. Deeper ones become a mark. */
  readonly maxDepth?: number;
  /** Values in all. Default 1 000 000. Further ones are left out. */
  readonly maxNodes?: number;
  /** UTF-16 code units of one text. Default 10 000 000. Longer ones are cut. */
  readonly maxStringChars?: number;
}

/** A plain copy, and what could not be kept of the original. */
export interface Plain {
  /** `undefined`: there is nothing (undefined, a function, a symbol). */
  readonly value: Json | undefined;
  /** One entry a loss: a JSON Pointer and what happened there (`/a/b: a function was left out`). At most 100. */
  readonly losses: readonly string[];
}

const MAX_LOSSES = 100;

interface Walk {
  readonly maxDepth: number;
  readonly maxStringChars: number;
  nodesLeft: number;
  readonly path: (string | number)[];
  readonly ancestors: object[];
  readonly losses: string[];
}

/**
 * Any value as plain JSON data: an own copy that survives a JSON round trip unchanged. Total: it never throws and is
 * bounded, whatever getters, proxies, cycles or sizes it meets. What it cannot keep it marks, and lists in `losses`.
 *
 * `undefined`, functions and symbols are left out of objects and are `null` in lists; Date is ISO text; BigInt, NaN and
 * the infinities are text; a Map is an object (a list of pairs if its keys are not all texts), a Set a list; an Error is
 * its name, message and code; binary data is a mark with its size; an object with `toJSON` is what that gives.
 */
export function toPlain(value: unknown, limits: PlainLimits = {}): Plain {
  const walk: Walk = {
    maxDepth: limits.maxDepth ?? 64,
    maxStringChars: limits.maxStringChars ?? 10_000_000,
    nodesLeft: limits.maxNodes ?? 1_000_000,
    path: [],
    ancestors: [],
    losses: [],
  };
  return { value: copy(value, walk), losses: walk.losses };
}

/** A copy of data that is plain already: nothing is checked, so it is fast. */
export function clonePlain(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(clonePlain);
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) put(result, key, clonePlain(value[key] ?? null));
  return result;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function lose(walk: Walk, what: string): void {
  if (walk.losses.length >= MAX_LOSSES) return;
  const pointer = walk.path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 100)}`)
    .join("");
  walk.losses.push(`${pointer}: ${what}`);
}

/** Assigns an own property, also one named `__proto__`. */
function put(target: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

function copy(value: unknown, walk: Walk): Json | undefined {
  walk.nodesLeft -= 1;
  switch (typeof value) {
    case "string":
      return copyText(value, walk);
    case "number":
      return copyNumber(value, walk);
    case "boolean":
      return value;
    case "bigint":
      lose(walk, "a BigInt became text");
      return value.toString();
    case "object":
      return value === null ? null : copyObject(value, walk);
    case "undefined":
      return undefined;
    default:
      lose(walk, `a ${typeof value} was left out`);
      return undefined;
  }
}

function copyText(text: string, walk: Walk): string {
  let kept = text;
  if (text.length > walk.maxStringChars) {
    lose(walk, `a text of ${text.length} characters was cut to ${walk.maxStringChars}`);
    kept = text.slice(0, walk.maxStringChars);
  }
  if (kept.isWellFormed()) return kept;
  lose(walk, "a lone surrogate was replaced by U+FFFD");
  return kept.toWellFormed();
}

function copyNumber(number: number, walk: Walk): number | string {
  if (Number.isFinite(number)) return number === 0 ? 0 : number;
  lose(walk, `${number} became text`);
  return String(number);
}

function copyObject(value: object, walk: Walk): Json | undefined {
  if (walk.ancestors.includes(value)) {
    lose(walk, "a cycle was cut");
    return "[Circular]";
  }
  if (walk.ancestors.length >= walk.maxDepth) {
    lose(walk, `what is nested more than ${walk.maxDepth} levels deep was left out`);
    return "[Too deep]";
  }
  walk.ancestors.push(value);
  try {
    return copyKind(value, walk);
  } catch {
    lose(walk, "it could not be read");
    return "[Unreadable]";
  } finally {
    walk.ancestors.pop();
  }
}

/** May throw: whatever a trap or getter of a hostile object throws ends in `copyObject`. */
function copyKind(value: object, walk: Walk): Json | undefined {
  if (Array.isArray(value)) return copyList(value, walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return hasToJson(value) ? copyToJson(value, walk) : copyProperties(value, walk);
  }
  return copyInstance(value, walk);
}

function copyInstance(value: object, walk: Walk): Json | undefined {
  if (value instanceof Date) return copyDate(value, walk);
  if (value instanceof Map) return copyMap(value, walk);
  if (value instanceof Set) return copyList(take(Set.prototype.values.call(value), walk), walk);
  if (value instanceof Error) return copyError(value, walk);
  if (value instanceof RegExp) return String(value);
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return copy(value.valueOf(), walk);
  }
  const bytes = byteLength(value);
  if (bytes !== undefined) {
    lose(walk, "binary data was left out");
    return `[Binary: ${bytes} bytes]`;
  }
  if (hasToJson(value)) return copyToJson(value, walk);
  const properties = copyProperties(value, walk);
  if (Object.keys(properties).length > 0) return properties;
  const name = className(value);
  if (name === "Object" || name === "") return properties;
  lose(walk, `a ${name} has no plain form`);
  return `[${name}]`;
}

function byteLength(value: object): number | undefined {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer || ArrayBuffer.isView(value)
    ? value.byteLength
    : undefined;
}

function className(value: object): string {
  const { constructor } = value;
  return typeof constructor === "function" ? constructor.name : "";
}

function hasToJson(value: object): value is { toJSON: (key: string) => unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function copyToJson(value: { toJSON: (key: string) => unknown }, walk: Walk): Json | undefined {
  let given: unknown;
  try {
    given = value.toJSON(String(walk.path.at(-1) ?? ""));
  } catch {
    lose(walk, "its toJSON threw; its own properties were taken");
    return copyProperties(value, walk);
  }
  return given === value ? copyProperties(value, walk) : copy(given, walk);
}

function copyDate(date: Date, walk: Walk): string {
  const time = Date.prototype.getTime.call(date);
  if (Number.isFinite(time)) return new Date(time).toISOString();
  lose(walk, "an invalid Date became text");
  return "Invalid Date";
}

/** As much of a collection as there is room for. The iterator is the built-in one: a subclass's may never end. */
function take<T>(iterator: IteratorObject<T>, walk: Walk): T[] {
  const items: T[] = [];
  for (const item of iterator) {
    if (items.length > walk.nodesLeft) break;
    items.push(item);
  }
  return items;
}

function copyMap(map: Map<unknown, unknown>, walk: Walk): Json {
  const entries = take(Map.prototype.entries.call(map), walk);
  if (!entries.every(([key]) => typeof key === "string")) return copyList(entries, walk);
  const result: Record<string, Json> = {};
  for (const [key, item] of entries) copyInto(result, String(key), item, walk);
  return result;
}

function copyError(error: Error, walk: Walk): Json {
  const { name, message, code } = error as Error & { code?: unknown };
  const result = copyProperties(error, walk);
  put(result, "name", copyText(String(name), walk));
  put(result, "message", copyText(String(message), walk));
  if (typeof code === "string" || typeof code === "number") put(result, "code", code);
  return result;
}

function copyList(list: readonly unknown[], walk: Walk): Json[] {
  const result: Json[] = [];
  const length = Math.min(Number(list.length) || 0, Number.MAX_SAFE_INTEGER);
  for (let index = 0; index < length; index += 1) {
    if (walk.nodesLeft <= 0) {
      lose(walk, `${length - index} more items were left out`);
      break;
    }
    walk.path.push(index);
    result.push(copyGuarded(() => list[index], walk) ?? null);
    walk.path.pop();
  }
  return result;
}

function copyProperties(value: object, walk: Walk): Record<string, Json> {
  const result: Record<string, Json> = {};
  const keys = Object.keys(value);
  for (const [at, key] of keys.entries()) {
    if (walk.nodesLeft <= 0) {
      lose(walk, `${keys.length - at} more properties were left out`);
      break;
    }
    walk.path.push(key);
    const copied = copyGuarded(() => (value as Record<string, unknown>)[key], walk);
    if (copied !== undefined) put(result, copyText(key, walk), copied);
    walk.path.pop();
  }
  return result;
}

function copyInto(target: Record<string, Json>, key: string, item: unknown, walk: Walk): void {
  if (walk.nodesLeft <= 0) return;
  walk.path.push(key);
  const copied = copy(item, walk);
  if (copied !== undefined) put(target, copyText(key, walk), copied);
  walk.path.pop();
}

/** One getter that throws costs its own property, not its siblings. */
function copyGuarded(read: () => unknown, walk: Walk): Json | undefined {
  let item: unknown;
  try {
    item = read();
  } catch {
    lose(walk, "it threw when it was read");
    return "[Unreadable]";
  }
  return copy(item, walk);
}
