import { types } from "node:util";

/** What stands for an object that is not plain data, before that is copied itself. */
export type Stand =
  /** Something simpler; `loss` says what of the original it does not hold. */
  | { readonly as: "value"; readonly value: unknown; readonly loss?: string }
  | { readonly as: "list"; readonly items: readonly unknown[]; readonly loss?: string }
  /** An object of these entries, and of the original's own properties if `own`. */
  | {
      readonly as: "entries";
      readonly entries: readonly (readonly [string, unknown])[];
      readonly own: boolean;
      readonly loss?: string;
    }
  /** What its own `toJSON` gives. */
  | { readonly as: "json"; readonly toJson: (key: string) => unknown; readonly loss?: string };

/**
 * What stands for an instance of a class. At most about `room` items of a collection are taken. Reads nothing but what a
 * kind is made of, through the built-in methods: what a subclass or an own property overrides is not asked. May throw,
 * when a trap of a hostile object does.
 */
export function toStand(value: object, room: number): Stand {
  return (
    toText(value) ??
    toCollection(value, room) ??
    toBoxed(value) ??
    toJsonMethod(value) ??
    toFormless(value) ??
    toOwnProperties(value)
  );
}

function toText(value: object): Stand | undefined {
  if (types.isDate(value)) {
    const time = Date.prototype.getTime.call(value);
    return Number.isFinite(time)
      ? { as: "value", value: new Date(time).toISOString() }
      : { as: "value", value: "Invalid Date", loss: "an invalid Date became text" };
  }
  if (types.isRegExp(value)) {
    return { as: "value", value: String(RegExp.prototype.toString.call(value)) };
  }
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) {
    const text = `[Binary: ${value.byteLength} bytes]`;
    return { as: "value", value: text, loss: "binary data was left out" };
  }
  return undefined;
}

function toCollection(value: object, room: number): Stand | undefined {
  if (types.isSet(value)) return toSet(value, room);
  if (types.isMap(value)) return toMap(value, room);
  // A DOMException is no native error, but an instance of Error.
  if (types.isNativeError(value) || value instanceof Error) return toErrorEntries(value);
  return undefined;
}

function toSet(set: ReadonlySet<unknown>, room: number): Stand {
  const { items, left } = take(Set.prototype.values.call(set), room);
  return { as: "list", items, ...left };
}

function toMap(map: ReadonlyMap<unknown, unknown>, room: number): Stand {
  const { items, left } = take<[unknown, unknown]>(Map.prototype.entries.call(map), room);
  const entries = items.filter((entry): entry is [string, unknown] => typeof entry[0] === "string");
  return entries.length === items.length
    ? { as: "entries", entries, own: false, ...left }
    : { as: "list", items, ...left };
}

interface Taken<T> {
  readonly items: readonly T[];
  readonly left: { readonly loss?: string };
}

function take<T>(iterator: Iterable<T>, room: number): Taken<T> {
  const items: T[] = [];
  for (const item of iterator) {
    if (items.length >= room) return { items, left: { loss: "more items were left out" } };
    items.push(item);
  }
  return { items, left: {} };
}

/** What is not enumerable on an error, and still says most about it. Its stack is not among it. */
const ERROR_FIELDS = ["name", "message", "code", "cause", "errors"] as const;

function toErrorEntries(error: object): Stand {
  const entries = ERROR_FIELDS.map((field) => [field, readSafely(error, field)] as const);
  return { as: "entries", entries: entries.filter(([, held]) => held !== undefined), own: true };
}

function toBoxed(value: object): Stand | undefined {
  if (types.isStringObject(value))
    return { as: "value", value: String.prototype.valueOf.call(value) };
  if (types.isNumberObject(value))
    return { as: "value", value: Number.prototype.valueOf.call(value) };
  if (types.isBooleanObject(value))
    return { as: "value", value: Boolean.prototype.valueOf.call(value) };
  if (types.isBigIntObject(value))
    return { as: "value", value: BigInt.prototype.valueOf.call(value) };
  return undefined;
}

/** An object that says itself what it is as JSON. */
export function toJsonMethod(value: object): Stand | undefined {
  const method = readSafely(value, "toJSON");
  if (typeof method !== "function") return undefined;
  return { as: "json", toJson: (key) => Reflect.apply(method, value, [key]) };
}

/** Live things: their own properties are their machinery, not what they hold. */
function toFormless(value: object): Stand | undefined {
  if (!types.isPromise(value) && !(Symbol.asyncIterator in value)) return undefined;
  return formless(value);
}

function toOwnProperties(value: object): Stand {
  const name = classNameOf(value);
  const isEmpty = Object.keys(value).length === 0;
  return isEmpty && name !== "Object" ? formless(value) : { as: "entries", entries: [], own: true };
}

function formless(value: object): Stand {
  const name = classNameOf(value);
  return { as: "value", value: `[${name}]`, loss: `a ${name} has no plain form` };
}

const MAX_NAME_CHARS = 100;

/** Never empty; well-formed, since it gets into texts. */
function classNameOf(value: object): string {
  const tag = readSafely(value, Symbol.toStringTag);
  const made = readSafely(value, "constructor");
  const name = typeof made === "function" ? readSafely(made, "name") : undefined;
  const found = [tag, name].find((text) => typeof text === "string" && text !== "");
  return typeof found === "string" ? found.slice(0, MAX_NAME_CHARS).toWellFormed() : "Object";
}

/** A property of any object, or function; `undefined` when reading it throws. */
export function readSafely(value: object, key: string | symbol): unknown {
  try {
    // Not Reflect.get, which is some times slower: every plain object is asked for its toJSON.
    return (value as Record<string | symbol, unknown>)[key];
  } catch {
    return undefined;
  }
}
