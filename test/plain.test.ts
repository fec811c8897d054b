import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clonePlain, toPlain } from "../src/plain.ts";
import { anything, ODD_VALUES } from "./support/odd-values.ts";

function isStable(value: unknown): void {
  const text = JSON.stringify(value);
  const again: unknown = JSON.parse(text);
  expect(JSON.stringify(again) === text).toBe(true);
  if (text.length < 100_000) expect(again).toEqual(value);
}

describe("A plain copy", () => {
  it("of plain data is equal to it, is its own, and loses nothing", () => {
    const given = { a: [1, "b", true, null, { c: {} }], d: [] };
    const { value, losses } = toPlain(given);
    expect(value).toEqual(given);
    expect(value).not.toBe(given);
    expect(losses).toEqual([]);
  });

  it.each<[what: string, given: unknown, value: unknown, losses: readonly string[]]>([
    ["a Date is ISO text", new Date(0), "1970-01-01T00:00:00.000Z", []],
    [
      "an invalid Date is a mark",
      [new Date(Number.NaN)],
      ["Invalid Date"],
      ["/0: an invalid Date became text"],
    ],
    [
      "numbers that JSON has no word for are text",
      { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0 },
      { a: "NaN", b: "Infinity", c: 0 },
      ["/a: NaN became text", "/b: Infinity became text"],
    ],
    ["a BigInt is text", { n: 10n }, { n: "10" }, ["/n: a BigInt became text"]],
    ["a Map with text keys is an object", new Map([["a", 1]]), { a: 1 }, []],
    [
      "a Map with other keys is a list of pairs",
      new Map<unknown, unknown>([
        [1, 2],
        ["a", 3],
      ]),
      [
        [1, 2],
        ["a", 3],
      ],
      [],
    ],
    ["a Set is a list", new Set([1, 2]), [1, 2], []],
    ["what is undefined is left out of an object", { a: undefined, b: 1 }, { b: 1 }, []],
    ["what is undefined is null in a list", [undefined, 1], [null, 1], []],
    [
      "a function is left out",
      { "a/b": { "~": () => 1 } },
      { "a/b": {} },
      ["/a~1b/~0: a function was left out"],
    ],
    ["a symbol is nothing", Symbol("s"), undefined, [": a symbol was left out"]],
    [
      "binary data is a mark with its size",
      Buffer.from("abc"),
      "[Binary: 3 bytes]",
      [": binary data was left out"],
    ],
    [
      "an object with toJSON is what that gives",
      { u: new URL("https://a.org/") },
      { u: "https://a.org/" },
      [],
    ],
    [
      "a class instance is its own properties",
      new (class Point {
        x = 1;
      })(),
      { x: 1 },
      [],
    ],
    ["a live thing is a mark", Promise.resolve(), "[Promise]", [": a Promise has no plain form"]],
    [
      "a stream is a mark, not its machinery",
      new ReadableStream(),
      "[ReadableStream]",
      [": a ReadableStream has no plain form"],
    ],
    [
      "a boxed value is its value",
      [Object("x"), Object(1), Object(false), Object(2n)],
      ["x", 1, false, "2"],
      ["/3: a BigInt became text"],
    ],
    ["a RegExp is its text", /a/g, "/a/g", []],
    [
      "lone surrogates are replaced, in keys too",
      { "k\udc00": "x\ud83dy" },
      { "k\ufffd": "x\ufffdy" },
      [
        "/k\ufffd: a lone surrogate was replaced by U+FFFD",
        "/k\ufffd: a lone surrogate was replaced by U+FFFD",
      ],
    ],
  ])("%s", (_, given, value, losses) => {
    expect(toPlain(given)).toEqual({ value, losses });
  });

  it("of an error is its name, message, code, causes and own properties, not its stack", () => {
    const error = Object.assign(new TypeError("no", { cause: new Error("why") }), {
      code: "E1",
      status: 4,
    });
    expect(toPlain(error).value).toEqual({
      name: "TypeError",
      message: "no",
      code: "E1",
      status: 4,
      cause: { name: "Error", message: "why" },
    });
  });

  it("of an object that occurs twice is two copies; only a cycle is cut", () => {
    const shared = { a: 1 };
    expect(toPlain({ x: shared, y: shared })).toEqual({
      value: { x: { a: 1 }, y: { a: 1 } },
      losses: [],
    });
    const cycle: Record<string, unknown> = {};
    cycle["o"] = cycle;
    expect(toPlain(cycle)).toEqual({ value: { o: "[Circular]" }, losses: ["/o: a cycle was cut"] });
  });

  it("keeps a key __proto__ as data and never sets a prototype", () => {
    const { value } = toPlain(JSON.parse('{"a":{"__proto__":{"polluted":true}}}'));
    expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect(Object.getPrototypeOf(Object(value).a)).toBe(Object.prototype);
    expect(JSON.stringify(clonePlain(value ?? null))).toBe(JSON.stringify(value));
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("costs a getter that throws its own property, not its siblings", () => {
    const { value, losses } = toPlain(ODD_VALUES["getter that throws"]?.());
    expect(value).toEqual({ fine: 1, broken: "[Unreadable]" });
    expect(losses).toEqual(["/broken: it threw when it was read"]);
  });

  it("names the right place for what follows something that cannot be read", () => {
    const hostile = { deep: { proxy: ODD_VALUES["proxy whose traps throw"]?.() }, after: 1n };
    expect(toPlain(hostile).losses).toEqual([
      "/deep/proxy: it could not be read",
      "/after: a BigInt became text",
    ]);
  });

  it("recognizes what comes from another realm", () => {
    const foreign: unknown = runInNewContext(
      "({ d: new Date(0), m: new Map([['a', 1]]), s: new Set([1]), e: new RangeError('far'), o: {}, l: [1] })",
    );
    expect(toPlain(foreign)).toEqual({
      value: {
        d: "1970-01-01T00:00:00.000Z",
        m: { a: 1 },
        s: [1],
        e: { name: "RangeError", message: "far" },
        o: {},
        l: [1],
      },
      losses: [],
    });
  });

  it("is not fooled by a subclass whose own iterator never ends", () => {
    class Endless extends Set<number> {
      override *[Symbol.iterator](): SetIterator<number> {
        for (;;) yield 1;
      }
    }
    expect(toPlain(new Endless([7])).value).toEqual([7]);
  });
});

describe("The bounds of a plain copy", () => {
  it("hold in depth", () => {
    expect(toPlain([[[1]]], { maxDepth: 3 })).toEqual({ value: [[[1]]], losses: [] });
    expect(toPlain([[[1]]], { maxDepth: 2 })).toEqual({
      value: [["[Too deep]"]],
      losses: ["/0/0: what is nested more than 2 levels deep was left out"],
    });
  });

  it("hold in the number of values, of lists, objects and collections", () => {
    expect(toPlain([1, 2, 3, 4], { maxNodes: 3 })).toEqual({
      value: [1, 2],
      losses: [": 2 more items were left out"],
    });
    expect(toPlain({ a: 1, b: 2, c: 3 }, { maxNodes: 2 })).toEqual({
      value: { a: 1 },
      losses: [": 2 more properties were left out"],
    });
    const { value, losses } = toPlain(
      new Map([
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ]),
      { maxNodes: 3 },
    );
    expect(value).toEqual({ a: 1, b: 2 });
    expect(losses).toEqual([": more items were left out"]);
  });

  it("hold in the characters of all texts together", () => {
    const { value, losses } = toPlain({ a: "12345", b: "12345", c: "12345" }, { maxChars: 9 });
    expect(value).toEqual({ a: "12345", b: "12" });
    expect(losses).toEqual([
      "/b: a text of 5 characters was cut to 2",
      expect.stringContaining("more propert"),
    ]);
  });

  it("hold in time, also for getters that dawdle", () => {
    let reads = 0;
    const slow = new Proxy([], {
      get(_, key) {
        if (key === "length") return 1_000_000;
        reads += 1;
        const until = performance.now() + 0.2;
        while (performance.now() < until);
        return reads;
      },
    });
    const { losses } = toPlain(slow, { maxMs: 20 });
    expect(reads).toBeLessThan(2_000);
    expect(losses[0]).toMatch(/more items were left out/);
  });

  it("keep the list of losses short", () => {
    expect(toPlain(Array.from({ length: 1000 }, () => 1n)).losses).toHaveLength(100);
  });

  it("keep a million numbers and 10 MB of text whole", () => {
    const numbers = toPlain(ODD_VALUES["a million numbers"]?.());
    expect(numbers.losses).toEqual([]);
    expect(numbers.value).toHaveProperty("length", 1_000_000);
    const text = toPlain(ODD_VALUES["10 MB text"]?.());
    expect(text.losses).toEqual([]);
    expect(String(text.value)).toHaveLength(10_000_000);
  });
});

describe("Whatever it is, a plain copy is made without throwing and survives JSON:", () => {
  it.each(Object.keys(ODD_VALUES))("%s", (what) => {
    const { value, losses } = toPlain(ODD_VALUES[what]?.());
    if (value !== undefined) isStable(value);
    isStable(losses);
  });

  it("anything", () => {
    fc.assert(
      fc.property(anything(), (make) => {
        const { value, losses } = toPlain(make());
        isStable(losses);
        if (value === undefined) return;
        isStable(value);
        expect(JSON.stringify(value).isWellFormed()).toBe(true);
        expect(toPlain(value)).toEqual({ value, losses: [] });
        expect(clonePlain(value)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});
