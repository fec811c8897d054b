/** Every odd shape that {@link makeOddShape} knows. */
export const ODD_SHAPES = [
  "undefined",
  "function",
  "symbol",
  "bigint",
  "nan",
  "cycle",
  "map",
  "set",
  "date",
  "invalidDate",
  "error",
  "bytes",
  "classInstance",
  "nullPrototype",
  "protoKey",
  "throwingGetter",
  "throwingToJson",
  "throwingProxy",
  "revokedProxy",
  "rejectingThenable",
  "throwingThen",
  "sparseArray",
  "hugeArray",
  "hugeText",
  "deep",
  "loneSurrogate",
  "controlCharacters",
] as const;

/** The name of an odd shape. */
export type OddShape = (typeof ODD_SHAPES)[number];

/** Values that no JSON text can hold, or that hurt whoever reads them. */
const makers: Record<OddShape, () => unknown> = {
  undefined: () => undefined,
  function: () => () => "called",
  symbol: () => Symbol("odd"),
  bigint: () => 2n ** 70n,
  nan: () => ({ nan: Number.NaN, infinity: Number.POSITIVE_INFINITY, minusZero: -0 }),
  cycle: makeCycle,
  map: () =>
    new Map<unknown, unknown>([
      ["a", 1],
      [{ key: "object" }, 2],
    ]),
  set: () => new Set([1, "two", { three: 3 }]),
  date: () => new Date(0),
  invalidDate: () => new Date(Number.NaN),
  error: () => new RangeError("returned, not thrown", { cause: "a cause" }),
  bytes: () => new Uint8Array(1000),
  classInstance: () => new URL("https://example.com/?a=1"),
  nullPrototype: () => Object.assign(Object.create(null), { a: 1 }),
  protoKey: () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  throwingGetter: () => ({
    good: 1,
    get bad() {
      throw new Error("a getter threw");
    },
  }),
  throwingToJson: () => ({
    good: 1,
    toJSON() {
      throw new Error("toJSON threw");
    },
  }),
  throwingProxy: makeThrowingProxy,
  revokedProxy: makeRevokedProxy,
  rejectingThenable: () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what is odd about it
    then(_: unknown, reject: (error: unknown) => void) {
      reject("a thenable rejected");
    },
  }),
  throwingThen: () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is what is odd about it
    get then() {
      throw new Error("reading then threw");
    },
  }),
  sparseArray: () => Object.assign([], { length: 5, 3: "three" }),
  hugeArray: () => Array.from({ length: 1_000_000 }, (_, index) => index),
  hugeText: () => "x".repeat(20_000_000),
  deep: makeDeep,
  loneSurrogate: () => "a\uD800b",
  controlCharacters: () => "\u0000\u001B[31mred\u001B[0m\u202Eesrever\u0007",
};

/** Makes a fresh value of an odd shape: what it takes to test that results survive whatever a tool returns. */
export function makeOddShape(shape: OddShape): unknown {
  return makers[shape]();
}

function makeCycle(): unknown {
  const parent: Record<string, unknown> = { name: "parent" };
  parent.child = { name: "child", parent };
  return parent;
}

function makeThrowingProxy(): unknown {
  const refuse = (): never => {
    throw new Error("a proxy's trap threw");
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
}

function makeRevokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Deep enough to overflow the stack of a recursive reader. */
function makeDeep(): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < 20_000; level += 1) value = { value };
  return value;
}
