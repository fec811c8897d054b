import type { Json } from "../machines/index.ts";
import { type Stand, toJsonMethod, toStand } from "./exotic.ts";

/** How much of a value is copied. What is beyond is left out, and said to be. */
export interface PlainLimits {
  /** Levels of nesting. Default 64. Deeper ones become a mark. */
  readonly maxDepth?: number;
  /** Values in all. Default 2 000 000. */
  readonly maxNodes?: number;
  /** UTF-16 code units of all texts and keys together. Default 50 000 000: JSON made of it fits into one text. */
  readonly maxChars?: number;
  /** Milliseconds, looked at every {@link NODES_BETWEEN_LOOKS} values. Default 1 000: plain data takes a tenth of it. */
  readonly maxMs?: number;
}

/** A plain copy, and what could not be kept of the original. */
export interface Plain {
  /** `undefined`: there is nothing (undefined, a function, a symbol). */
  readonly value: Json | undefined;
  /** One entry a loss: a JSON Pointer and what happened there (`/a/b: a function was left out`). At most 100. */
  readonly losses: readonly string[];
}

const MAX_LOSSES = 100;
const NODES_BETWEEN_LOOKS = 64;

interface Walk {
  readonly maxDepth: number;
  readonly maxMs: number;
  nodesLeft: number;
  charsLeft: number;
  /** Set at the first look: small values never ask for the time. */
  endsAt: number | undefined;
  readonly path: (string | number)[];
  readonly ancestors: object[];
  readonly losses: string[];
}

/**
 * Any value as plain JSON data: an own copy that survives a JSON round trip unchanged. Total: it never throws and is
 * bounded, whatever getters, proxies, cycles or sizes it meets; only a getter that never returns can hold it up. What it
 * cannot keep it marks, and lists in `losses`.
 *
 * `undefined`, functions and symbols are left out of objects and are `null` in lists; Date is ISO text; BigInt, NaN and
 * the infinities are text; a Map is an object (a list of pairs if its keys are not all texts), a Set a list; an Error is
 * its name, message, code, cause and errors; binary data, streams and promises are a mark; an object with `toJSON` is
 * what that gives.
 */
export function toPlain(value: unknown, limits: PlainLimits = {}): Plain {
  const walk: Walk = {
    maxDepth: limits.maxDepth ?? 64,
    maxMs: limits.maxMs ?? 1_000,
    nodesLeft: limits.maxNodes ?? 2_000_000,
    charsLeft: limits.maxChars ?? 50_000_000,
    endsAt: undefined,
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
  for (const key of Object.keys(value)) putOwn(result, key, clonePlain(value[key] ?? null));
  return result;
}

/** Is this plain value a list? Narrows, as `Array.isArray` does not for readonly lists. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function lose(walk: Walk, what: string): void {
  if (walk.losses.length >= MAX_LOSSES) return;
  const pointer = walk.path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 100)}`)
    .join("");
  walk.losses.push(`${pointer}: ${what}`.toWellFormed());
}

/** Assigns an own property, also one named `__proto__`. */
export function putOwn(target: Record<string, Json>, key: string, value: Json): void {
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
  if (walk.nodesLeft % NODES_BETWEEN_LOOKS === 0) lookAtClock(walk);
  switch (typeof value) {
    case "string":
      return copyText(value, walk);
    case "number":
      return copyNumber(value, walk);
    case "boolean":
      return value;
    case "bigint":
      lose(walk, "a BigInt became text");
      return copyText(value.toString(), walk);
    case "object":
      return value === null ? null : copyObject(value, walk);
    case "undefined":
      return undefined;
    default:
      lose(walk, `a ${typeof value} was left out`);
      return undefined;
  }
}

function lookAtClock(walk: Walk): void {
  const now = performance.now();
  walk.endsAt ??= now + walk.maxMs;
  if (now > walk.endsAt) walk.nodesLeft = 0;
}

function isFull(walk: Walk, key = ""): boolean {
  return walk.nodesLeft <= 0 || walk.charsLeft <= key.length;
}

function copyText(text: string, walk: Walk): string {
  let kept = text;
  if (text.length > walk.charsLeft) {
    lose(walk, `a text of ${text.length} characters was cut to ${walk.charsLeft}`);
    kept = text.slice(0, walk.charsLeft);
  }
  walk.charsLeft -= kept.length;
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
  const depth = walk.path.length;
  walk.ancestors.push(value);
  try {
    return copyKind(value, walk);
  } catch {
    walk.path.length = depth;
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
  const isPlain = prototype === Object.prototype || prototype === null;
  const stand = isPlain ? toJsonMethod(value) : toStand(value, Math.max(0, walk.nodesLeft));
  return stand === undefined ? copyProperties(value, walk) : copyStand(value, stand, walk);
}

function copyStand(value: object, stand: Stand, walk: Walk): Json | undefined {
  if (stand.loss !== undefined) lose(walk, stand.loss);
  if (stand.as === "list") return copyList(stand.items, walk);
  if (stand.as === "value") return copy(stand.value, walk);
  if (stand.as === "json") return copyJson(value, stand.toJson, walk);
  const result: Record<string, Json> = {};
  for (const [at, [key, item]] of stand.entries.entries()) {
    if (isFull(walk, key)) {
      lose(walk, `${stand.entries.length - at} more entries were left out`);
      break;
    }
    copyInto(result, key, item, walk);
  }
  return stand.own ? copyProperties(value, walk, result) : result;
}

function copyJson(value: object, toJson: (key: string) => unknown, walk: Walk): Json | undefined {
  let given: unknown;
  try {
    given = toJson(String(walk.path.at(-1) ?? ""));
  } catch {
    lose(walk, "its toJSON threw; its own properties were taken");
    return copyProperties(value, walk);
  }
  return given === value ? copyProperties(value, walk) : copy(given, walk);
}

function copyList(list: readonly unknown[], walk: Walk): Json[] {
  const result: Json[] = [];
  const length = Math.min(Number(list.length) || 0, Number.MAX_SAFE_INTEGER);
  for (let index = 0; index < length; index += 1) {
    if (isFull(walk)) {
      lose(walk, `${length - index} more items were left out`);
      break;
    }
    walk.path.push(index);
    result.push(copyAt(list, index, walk) ?? null);
    walk.path.pop();
  }
  return result;
}

/** Copies own properties into `result`, but for those that it has already. */
function copyProperties(
  value: object,
  walk: Walk,
  result: Record<string, Json> = {},
): Record<string, Json> {
  const keys = Object.keys(value);
  const given = Object.keys(result);
  for (const key of keys) {
    if (isFull(walk, key)) {
      lose(walk, `${keys.length - keys.indexOf(key)} more properties were left out`);
      break;
    }
    if (given.includes(key)) continue;
    walk.path.push(key);
    const name = copyText(key, walk);
    const copied = copyAt(value, key, walk);
    if (copied !== undefined) putOwn(result, name, copied);
    walk.path.pop();
  }
  return result;
}

function copyInto(result: Record<string, Json>, key: string, item: unknown, walk: Walk): void {
  walk.path.push(key);
  const name = copyText(key, walk);
  const copied = copy(item, walk);
  if (copied !== undefined) putOwn(result, name, copied);
  walk.path.pop();
}

/** One getter that throws costs its own property, not its siblings. */
function copyAt(holder: object, key: string | number, walk: Walk): Json | undefined {
  let item: unknown;
  try {
    item = (holder as Record<string | number, unknown>)[key];
  } catch {
    lose(walk, "it threw when it was read");
    return "[Unreadable]";
  }
  return copy(item, walk);
}
