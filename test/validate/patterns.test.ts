import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileValidator } from "../../src/validate/dialect/index.ts";
import {
  guardedTest,
  resetGuard,
  UncheckableError,
} from "../../src/validate/dialect/patterns/guarded.ts";
import { readPattern } from "../../src/validate/dialect/patterns/pattern.ts";
import { linearTest } from "../../src/validate/dialect/patterns/re2.ts";
import { growthOf } from "../../src/validate/dialect/patterns/risk.ts";
import { spell } from "../../src/validate/dialect/patterns/spelling.ts";
import { tokensOf } from "../../src/validate/dialect/patterns/tokens.ts";

function test(source: string): (text: string) => boolean {
  const read = readPattern(source);
  if ("reason" in read) throw new Error(read.reason);
  return read.test;
}

describe("A pattern", () => {
  it.each([
    // As JSON Schema asks, and without the flag u.
    ["^\\p{L}+$", ["äß"], ["1"]],
    ["^.$", ["😀"], ["ab"]],
    ["^[\\w-.]+$", ["a-b.c"], [" "]],
    ["^\\_\\-x\\:$", ["_-x:"], ["x"]],
    ["^a{,3}$", ["a{,3}"], ["aa"]],
    // Python and PCRE.
    ["^(?P<y>\\d{4})-(?P=y)$", ["2020-2020"], ["2020-2021"]],
    ["\\A\\d+\\Z", ["12"], ["12a", "AZ"]],
    ["\\A\\d+\\z", ["12"], ["12a"]],
    ["(?i)^abc$", ["ABC", "abc"], ["abd"]],
    ["(?is)^a.c$", ["A\nC"], ["ac"]],
    ["^(?#a comment)a$", ["a"], ["(?#a comment)a"]],
    ["^[[:alpha:]_]+$", ["ab_"], ["a1", ":"]],
    ["^[[:space:][:digit:]]+$", ["1 2"], ["a"]],
    ["^\\p{L}[\\w-.]*$", ["ä-b"], ["1"]],
    ["^[😀\\_]$", ["😀", "_"], ["x", "\ud83d"]],
    // A literal of JavaScript: as a pattern it fits no text at all.
    ["/^ab$/i", ["AB"], ["/ab/i", "b"]],
    // What JavaScript means otherwise stays as JavaScript has it.
    ["^/a/$", ["/a/"], ["a"]],
    ["^\\/x$", ["/x"], ["x"]],
  ])("is read as it was meant: %s", (source, fitting, others) => {
    for (const text of fitting) expect(test(source)(text), text).toBe(true);
    for (const text of others) expect(test(source)(text), text).toBe(false);
  });

  it.each([
    "(",
    "a++",
    "(?>a)b",
    "\\Qa\\E",
    "\\p{L}(?<!",
    "[[:nonsense:]]",
    "(?x) a b",
    "\\h+",
    "[b-a]",
  ])("that has no meaning in JavaScript is refused: %s", (source) => {
    expect(readPattern(source)).toHaveProperty("reason");
  });

  it("tells how it is read only when that is not how it is written", () => {
    expect(readPattern("^[\\w-.]+$")).toMatchObject({ change: undefined });
    expect(readPattern("(?i)^a$")).toMatchObject({ change: "is read as /^a$/iu" });
  });

  it("is made of its tokens, whatever it is (property)", () => {
    fc.assert(
      fc.property(fc.oneof(patternText, fc.string({ unit: "grapheme" })), (source) => {
        expect(
          tokensOf(source)
            .map(({ text }) => text)
            .join(""),
        ).toBe(source);
      }),
    );
  });
});

const atoms = fc.constantFrom(
  ...[
    "a",
    "b",
    ".",
    "\\d",
    "\\w",
    "\\s",
    "\\S",
    "[ab]",
    "[^a\\s]",
    "[a-c\\d]",
    "[\\S ]",
    "\\u0061",
  ],
  ...["\\x62", "\\.", "-", "\\n", "[^]", "[\\]b-]", "é", "\\p{L}", "[[a]", "\\/"],
);
const { pattern: patternText } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc
    .array(
      fc.tuple(
        fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          atoms,
          fc
            .tuple(fc.constantFrom("(", "(?:"), tie("pattern"))
            .map(([open, inner]) => `${open}${inner})`),
          fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
        ),
        fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?"),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.map(([atom, quantifier]) => `${atom}${quantifier}`).join("")),
}));
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      "a",
      "b",
      "1",
      " ",
      "-",
      ".",
      "\n",
      "é",
      "\u00a0",
      "\u2028",
      "/",
      "[",
      "]",
    ),
  }),
  fc.string({ maxLength: 6 }),
);
/** What stands at the start of patterns for passwords. */
const ahead = fc
  .array(
    fc.tuple(fc.constantFrom("(?=", "(?!"), patternText).map(([open, inner]) => `${open}${inner})`),
    { maxLength: 2 },
  )
  .map((parts) => parts.join(""));

describe("The linear engine", () => {
  it("judges as JavaScript's own does (property)", () => {
    let judged = 0;
    const source = fc.oneof(
      patternText,
      fc.tuple(ahead, patternText).map(([start, rest]) => `^${start}${rest}`),
    );
    fc.assert(
      fc.property(source, fc.constantFrom("u", "iu", "su"), text, (pattern, flags, given) => {
        const native = toRegExp(pattern, flags);
        const linear = native === undefined ? undefined : linearTest(pattern, flags);
        if (native === undefined || linear === undefined) return;
        const expected = inTime(native, given);
        if (expected === undefined) return;
        judged += 1;
        expect(linear(given)).toBe(expected);
      }),
      { numRuns: Number(process.env["CALLCHART_FUZZ_RUNS"] ?? 500) },
    );
    expect(judged).toBeGreaterThan(100);
  });

  it.each(["(a)\\1", "a(?=b)", "(?<=a)b", "a{1,5000}", "\\cA"])(
    "leaves to others: %s",
    (source) => {
      expect(linearTest(source, "")).toBeUndefined();
    },
  );
});

/** `undefined`: some of these patterns take forever, even for short texts. */
function inTime(pattern: RegExp, text: string): boolean | undefined {
  resetGuard();
  try {
    return guardedTest(pattern, text);
  } catch {
    return undefined;
  }
}

function toRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

describe("The risk of a pattern", () => {
  const EXPONENTIAL = Number.POSITIVE_INFINITY;
  it.each([
    ["^abc$", 0],
    ["abc", 1],
    ["^a+$", 1],
    ["a+$", 2],
    ["^a*b*$", 2],
    ["^[a-z]{2,5}$", 0],
    ["^[a-z]{2,500}$", 1],
    ["^(ab)+$", 1],
    ["^(a{2})+$", 1],
    ["^(a+)?b$", 1],
    ["^(a+){3}$", 3],
    ["^(a+)+$", EXPONENTIAL],
    ["^(a|b)*$", EXPONENTIAL],
    ["^(a?)*$", EXPONENTIAL],
    ["^((ab)+c)*$", EXPONENTIAL],
    ["^(?:.*,){11}P", EXPONENTIAL],
    ["^a+|b+$", 3],
  ])("is known from its quantifiers: %s", (source, power) => {
    expect(growthOf(source)).toMatchObject({ power });
  });
});

describe("A short text", () => {
  it("is judged at once by JavaScript's own engine, whatever the pattern (property)", () => {
    fc.assert(
      fc.property(patternText, text, (source, given) => {
        const { test } = readPattern(source) as { test?: (text: string) => boolean };
        const start = performance.now();
        try {
          test?.(given);
        } catch {
          // It says that it has no time.
        }
        // Loading and compiling for the linear engine is in it.
        expect(performance.now() - start).toBeLessThan(1_000);
      }),
      { numRuns: Number(process.env["CALLCHART_FUZZ_RUNS"] ?? 300) },
    );
  });
});

describe("A text made to take forever", () => {
  const long = "a".repeat(50_000);
  it.each([
    ["^(a+)+$", `${long}!`],
    ["(a|aa)+$", `${long}!`],
    ["^([a-z]+\\d*)*$", `${long}!`],
    ["(.*)(.*)(.*)x$", long],
    ["^\\s+|\\s+$", `x${" ".repeat(50_000)}x`],
    ["^(?=.*[a-z])(?=.*\\d)[A-Za-z\\d]{8,}$", long],
    [
      "^(?!\\.)(?!.*\\.\\.)([\\w'+.-]*)[\\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
      `${long}@${long}`,
    ],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", long],
  ])("is judged at once: %s", (pattern, attack) => {
    const { first } = compileValidator({ type: "string", pattern });
    const start = performance.now();
    expect(first(attack)).toMatchObject([{ keyword: "pattern" }]);
    // Loading the engine is in it.
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("ends the check where no engine can be quick, and says where", () => {
    const { first, all } = compileValidator({ items: { pattern: "^(a+)+\\1$" } });
    const list = Array.from({ length: 100 }, () => `${"a".repeat(40)}!`);
    const start = performance.now();
    for (const errors of [first(list), all(list)]) {
      expect(errors).toMatchObject([{ keyword: "depth", instancePath: "/0" }]);
      expect(errors[0]?.message).toMatch(/^cannot be checked: /);
    }
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(first(["aa", "aaaa"])).toEqual([]);
  });

  it("has no more time for many texts than for one", () => {
    // Each alone would take a part of the time.
    const { first } = compileValidator({ items: { pattern: "(?<!x)(?:a|b)+(?:b|c)+$" } });
    const list = Array.from({ length: 200 }, () => `${"b".repeat(3_000)}!`);
    const start = performance.now();
    expect(first(list)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("ends a key that takes as long, and a format", () => {
    const keys = compileValidator({ patternProperties: { "^(a+)+\\1$": {} } });
    expect(keys.first({ [`${"a".repeat(40)}!`]: 1 })).toMatchObject([{ keyword: "depth" }]);
    const url = compileValidator({ items: { format: "url" } });
    const list = Array.from({ length: 50 }, () => `http://${"a:".repeat(25_000)} `);
    const start = performance.now();
    expect(url.first(list)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(1_500);
  });

  it("is ended by a watch of its own", () => {
    expect(() => guardedTest(/^(a+)+$/u, `${"a".repeat(40)}!`)).toThrow(UncheckableError);
    resetGuard();
    expect(guardedTest(/^a+$/u, "aaa")).toBe(true);
  });

  it("holds many items or keys, which are compared in linear time", () => {
    const { first } = compileValidator({ uniqueItems: true });
    const items: { i: number; name: string }[] = Array.from({ length: 50_000 }, (_, i) => ({
      i,
      name: `item ${i}`,
    }));
    const start = performance.now();
    expect(first(items)).toEqual([]);
    expect(first([...items, { name: "item 7", i: 7 }])).toMatchObject([
      { keyword: "uniqueItems", params: { i: 50_000, j: 7 } },
    ]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("spell", () => {
  it("gives a regular expression of JavaScript, or none (property)", () => {
    fc.assert(
      fc.property(fc.oneof(patternText, fc.string()), (source) => {
        const spelled = spell(source);
        if (spelled === undefined) return;
        expect(toRegExp(spelled.source, spelled.flags)).toBeInstanceOf(RegExp);
        if (toRegExp(source, "u") !== undefined && !source.startsWith("/^")) {
          expect(spelled).toEqual({ source, flags: "u", change: undefined });
        }
      }),
    );
  });
});
