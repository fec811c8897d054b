/** Values that break naive code: what tools may return or throw. Each is made anew, since some can be used only once. */
import fc from "fast-check";

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function throwing(): never {
  throw new Error("trap");
}

const TRAPS: ProxyHandler<object> = {
  get: throwing,
  has: throwing,
  ownKeys: throwing,
  getPrototypeOf: throwing,
  getOwnPropertyDescriptor: throwing,
};

function nested(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

function errorCycle(): Error {
  const first = new Error("first");
  const second = new Error("second", { cause: first });
  first.cause = second;
  return first;
}

/** Every new object that its getter gives has such a getter itself. */
function endless(): object {
  return {
    get a() {
      return endless();
    },
    get b() {
      return endless();
    },
  };
}

const Named = Object.defineProperty(class {}, "name", { value: "\ud800 lone" });

class Ticking {
  toJSON(): unknown {
    return new Ticking();
  }
}

/** Makers of odd values, by what is odd about them. */
export const ODD_VALUES: { readonly [what: string]: () => unknown } = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  "minus infinity": () => Number.NEGATIVE_INFINITY,
  BigInt: () => 2n ** 70n,
  symbol: () => Symbol("s"),
  function: () => () => 1,
  "revoked function": () => revoked(() => 1),
  "revoked proxy": () => revoked({}),
  "revoked list": () => revoked([]),
  "proxy whose traps throw": () => new Proxy({}, TRAPS),
  "function proxy whose traps throw": () => new Proxy(() => 1, TRAPS),
  "list that says it is endless": () =>
    new Proxy([1], {
      get: (list, key) => (key === "length" ? Number.POSITIVE_INFINITY : Reflect.get(list, key)),
    }),
  "list whose length is a symbol": () =>
    new Proxy([1], {
      get: (list, key) => (key === "length" ? Symbol("n") : Reflect.get(list, key)),
    }),
  "getter that throws": () => ({
    fine: 1,
    get broken() {
      return throwing();
    },
  }),
  "endless getters": endless,
  cycle: () => {
    const value: Record<string, unknown> = { name: "self" };
    value["self"] = value;
    return value;
  },
  "toJSON that throws": () => ({ a: 1, toJSON: throwing }),
  "toJSON getter that throws": () => ({
    a: 1,
    get toJSON() {
      return throwing();
    },
  }),
  "toJSON that gives itself": () => {
    const value = { a: 1, toJSON: (): unknown => value };
    return value;
  },
  "toJSON without end": () => new Ticking(),
  "toJSON that gives nothing": () => ({ toJSON: () => undefined }),
  "10 MB text": () => "x".repeat(10_000_000),
  "a million numbers": () => Array.from({ length: 1_000_000 }, (_, index) => index),
  "sparse list": () => Object.assign([], { 1e6: "last" }),
  "100 000 levels": () => nested(100_000),
  "lone surrogates": () => ({ "\ud800key": "text\udc00", list: ["\ud83d"] }),
  "own __proto__": () => JSON.parse('{"__proto__":{"polluted":true},"a":1}'),
  "no prototype": () => Object.assign(Object.create(null), { a: 1 }),
  Date: () => new Date(0),
  "invalid Date": () => new Date(Number.NaN),
  Map: () => new Map<unknown, unknown>([["a", new Map([[{ k: 1 }, 2]])]]),
  Set: () => new Set([1, new Set(["x"])]),
  WeakMap: () => new WeakMap(),
  Error: () => Object.assign(new Error("outer", { cause: new Error("inner") }), { code: "E1" }),
  AggregateError: () => new AggregateError([new Error("a"), "b", null, 4], "many"),
  DOMException: () => new DOMException("stopped", "AbortError"),
  "errors in a cycle": errorCycle,
  "error whose fields throw": () =>
    Object.defineProperties(new Error("x"), {
      message: { get: throwing },
      name: { get: throwing },
      stack: { get: throwing },
      cause: { get: throwing },
      code: { get: throwing },
    }),
  "error with a hostile list of errors": () =>
    Object.assign(new Error("x"), { errors: new Proxy([], TRAPS) }),
  "error with a revoked list of errors": () =>
    Object.assign(new Error("x"), { errors: revoked([]) }),
  "error without a message": () => new TypeError(""),
  "error of 5 MB": () => new Error("x".repeat(5_000_000)),
  "bytes that lie about their size": () =>
    Object.defineProperty(new Uint8Array(3), "byteLength", { value: Symbol("n") }),
  Buffer: () => Buffer.from([0, 159, 146, 150]),
  ArrayBuffer: () => new ArrayBuffer(8),
  Blob: () => new Blob(["x"]),
  Response: () => new Response("body", { status: 404 }),
  stream: () => new ReadableStream(),
  promise: () => Promise.resolve(1),
  generator: () =>
    (function* () {
      yield 1;
    })(),
  "boxed text": () => new String("boxed"),
  "boxed text that lies": () =>
    Object.assign(new String("boxed"), { valueOf: throwing, toString: throwing }),
  "boxed BigInt": () => Object(3n),
  RegExp: () => /a\/b/giu,
  "RegExp that lies": () => Object.defineProperty(/a/, "source", { value: "\ud800" }),
  "false Date": () => Object.create(Date.prototype),
  "false Map": () => Object.create(Map.prototype),
  "class with an odd name": () => new Named(),
  URL: () => new URL("https://example.org/a?b=c"),
  module: () => import.meta,
  // biome-ignore lint/suspicious/noThenProperty: that is what is odd about it
  "thenable that throws": () => Object.defineProperty({}, "then", { get: throwing }),
};

/** Makers of anything that JavaScript can hold. Makers, since fast-check itself does not survive all of it. */
export function anything(): fc.Arbitrary<() => unknown> {
  const odd = fc.constantFrom(
    ...Object.entries(ODD_VALUES).flatMap(([what, make]) => (SLOW.has(what) ? [] : [make])),
  );
  const key = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "toJSON", "constructor", "\ud800"),
  );
  return fc.oneof(
    ordinary(key).map((value) => () => value),
    odd,
    fc
      .array(fc.tuple(key, odd))
      .map((entries) => () => Object.fromEntries(entries.map(([name, make]) => [name, make()]))),
  );
}

function ordinary(key: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.anything({
    key,
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  });
}

/** Too slow to be made hundreds of times. */
const SLOW: ReadonlySet<string> = new Set([
  "10 MB text",
  "a million numbers",
  "sparse list",
  "100 000 levels",
  "error of 5 MB",
  "endless getters",
  "list that says it is endless",
]);
