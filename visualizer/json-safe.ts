import type { Json } from "../machines/contract.ts";

/** How much of a value is kept. */
const MAX_DEPTH = 12;
const MAX_NODES = 20_000;
const MAX_CHARS = 50_000;

interface Copying {
  readonly open: Set<object>;
  nodes: number;
}

/**
 * Makes a plain copy of anything, for inspectors that serialize in a timer, where a throw would end the process. Total:
 * getters and proxies that throw, cycles, BigInts, Errors and endless values all have an answer. Not for the runtime's
 * own data: it says less about what was lost.
 */
export function toJsonSafe(value: unknown): Json {
  return copy(value, 0, { open: new Set(), nodes: 0 }) ?? null;
}

/** `undefined` means: leave it out. */
function copy(value: unknown, depth: number, copying: Copying): Json | undefined {
  copying.nodes += 1;
  if (copying.nodes > MAX_NODES) return "[more]";
  switch (typeof value) {
    case "string":
      return value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value;
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return String(value);
    case "undefined":
      return undefined;
    case "function":
      return { type: String(attempt(() => value.name)) };
    default:
      return typeof value === "object" && value !== null ? copyObject(value, depth, copying) : null;
  }
}

function copyObject(value: object, depth: number, copying: Copying): Json {
  if (copying.open.has(value)) return "[circular]";
  if (depth >= MAX_DEPTH) return "[deeper]";
  copying.open.add(value);
  try {
    return copyKind(value, depth + 1, copying);
  } catch {
    // A proxy may throw at any question, a getter at any answer.
    return "[unreadable]";
  } finally {
    copying.open.delete(value);
  }
}

function copyKind(value: object, depth: number, copying: Copying): Json {
  if (Array.isArray(value)) return copyList(value, depth, copying);
  if (value instanceof Error) return copyError(value, depth, copying);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof Map) return copyList([...value], depth, copying);
  if (value instanceof Set) return copyList([...value], depth, copying);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (isActor(value)) return { id: String(value.id), sessionId: value.sessionId };
  return copyFields(value, Object.keys(value), depth, copying);
}

function copyList(list: readonly unknown[], depth: number, copying: Copying): Json {
  const copied: Json[] = [];
  for (let index = 0; index < list.length && copying.nodes <= MAX_NODES; index += 1) {
    copied.push(
      copy(
        attempt(() => list[index]),
        depth,
        copying,
      ) ?? null,
    );
  }
  return copied;
}

function copyError(error: Error, depth: number, copying: Copying): Json {
  const keys = ["name", "message", "cause", ...Object.keys(error)];
  return copyFields(error, [...new Set(keys)], depth, copying);
}

function copyFields(value: object, keys: readonly string[], depth: number, copying: Copying): Json {
  const entries: [string, Json][] = [];
  for (const key of keys) {
    if (copying.nodes > MAX_NODES) break;
    const field = copy(
      attempt(() => Reflect.get(value, key)),
      depth,
      copying,
    );
    if (field !== undefined) entries.push([key, field]);
  }
  return Object.fromEntries(entries);
}

/** Actors know their whole system: who they are is enough. */
function isActor(value: object): value is { readonly id: unknown; readonly sessionId: string } {
  return "sessionId" in value && typeof value.sessionId === "string" && "send" in value;
}

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return "[threw]";
  }
}
