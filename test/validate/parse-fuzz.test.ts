import fc from "fast-check";
import { jsonrepair } from "jsonrepair";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { isList } from "../../src/plain.ts";
import { type Parsed, parseArguments } from "../../src/validate/parse/index.ts";
import { damages, type Style, write } from "../support/damaged-json.ts";

const RUNS = 2_000;
const TEXTS = 100_000;

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        ..."{}[]\"'`\\/*#,:;= \n\t\u0000\u001b“”‘’\u00a0aé😀",
        "//",
        "```",
        "True",
        "\\u",
      ),
      {
        maxLength: 8,
      },
    )
    .map((pieces) => pieces.join("")),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(texts, tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const objects = fc.dictionary(fc.oneof(texts, fc.constant("__proto__")), json, {
  maxKeys: 5,
  noNullPrototype: true,
});

const { stackTraceLimit } = Error;
beforeAll(() => {
  // JSON.parse throws for most of these texts, and stacks would take most of the time.
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

function valueIn(parsed: Parsed): Json | undefined {
  return parsed.kind === "value" ? parsed.value : undefined;
}

/** The beginnings of a text that are not refused. */
function accepted(text: string, before = ""): readonly string[] {
  return Array.from(text, (_, at) => before + text.slice(0, at)).filter(
    (part, at) => at > 0 && parseArguments(part).kind !== "fault",
  );
}

describe("Any JSON", () => {
  it("is read as it was written, and nothing of it is mended", () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(0, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const expected = { kind: "value", value: JSON.parse(text), repairs: [] };
        expect(parseArguments(text)).toEqual(expected);
        expect(parseArguments(text, { repair: "none" })).toEqual(expected);
        expect(parseArguments(JSON.parse(text))).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it("is read up to three times when it was encoded again", () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 3 }), (value, times) => {
        let text = JSON.stringify(value);
        for (let time = 0; time < times; time += 1) text = JSON.stringify(text);
        expect(parseArguments(text)).toMatchObject({
          value: JSON.parse(JSON.stringify(value)),
          repairs: [{ rule: "double-encoded" }],
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("that is cut off anywhere is refused", () => {
    fc.assert(
      fc.property(objects, (value) => {
        const text = JSON.stringify(value);
        expect(accepted(text)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

const styles: fc.Arbitrary<Style> = fc.record({
  damages: fc.uniqueArray(fc.constantFrom(...damages), { minLength: 1 }),
  seed: fc.nat(),
});

const around = fc.constantFrom<readonly [string, string]>(
  ["", ""],
  ["```json\n", "\n```"],
  ["```\n", "```\nThat is it."],
  ["Here it is: ", ""],
  ["", " I wait for the result."],
  ["<think>I see.</think>", ""],
);

describe("Mechanical damage", () => {
  it("of any object is mended to exactly the object, or refused where it may mean something else", () => {
    let [mended, refused] = [0, 0];
    fc.assert(
      fc.property(objects, styles, around, (value, style, [before, after]) => {
        const plain: Json = JSON.parse(JSON.stringify(value));
        const text = `${before}${write(plain, style)}${after}`;
        const parsed = parseArguments(text);
        if (parsed.kind === "fault") {
          refused += 1;
          return;
        }
        mended += 1;
        expect(valueIn(parsed)).toEqual(plain);
      }),
      { numRuns: RUNS * 2 },
    );
    expect(refused).toBeLessThan(mended / 10);
  });

  it("that is cut off anywhere is refused", () => {
    fc.assert(
      fc.property(objects, styles, around, (value, style, [before]) => {
        const text = write(JSON.parse(JSON.stringify(value)), style).trimEnd();
        expect(accepted(text, before)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

/** The same numbers in every run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SPECIAL = "{}[]\"'`\\/*,:;=()<>#+-. \n\t\u0000\u00a0\ufeff“”‘’09eTNtn";
const SEEDS = [
  '{"path":"a/b.txt","n":[1,2.5e3,-0],"deep":{"ok":true,"none":null,"text":"it\'s {x}: \\"y\\"\\n"}}',
  "{'path': 'a.txt', 'ok': True, 'none': None, 'list': ['x', 'y',],}",
  '```json\n{"a": "b", // why\n "c": [1, 2, 3]}\n```',
  'Here is the call:\n{“city”: “Paris”, "n": 2}\nDone.',
  '"{\\"a\\":{\\"b\\":[1,\\"\\\\u00e9\\"]}}"',
];

function mutated(random: (below: number) => number): string {
  let text = SEEDS[random(SEEDS.length)] ?? "";
  for (let edits = 1 + random(3); edits > 0; edits -= 1) {
    const at = random(text.length + 1);
    const put = SPECIAL.charAt(random(SPECIAL.length)).repeat(random(2));
    text = text.slice(0, at) + put + text.slice(at + random(3));
  }
  return text;
}

function bytes(random: (below: number) => number): string {
  const raw = Buffer.from(Array.from({ length: random(40) }, () => random(256)));
  return raw.toString(random(2) === 0 ? "latin1" : "utf8");
}

/** What is wrong with how a text was read. */
function complaint(text: string): string | undefined {
  const parsed = parseArguments(text);
  if (parsed.kind === "missing") return undefined;
  if (parsed.kind === "fault") {
    const { message } = parsed;
    return message.length < 1_000 && message.isWellFormed() ? undefined : "an odd message";
  }
  const { value, repairs } = parsed;
  const json = JSON.stringify(value);
  if (repairs.length === 0) {
    return json === JSON.stringify(JSON.parse(text.trim())) ? undefined : "changed";
  }
  if (typeof value !== "object" || value === null || isList(value)) return "mended to no object";
  const again = valueIn(parseArguments(json, { repair: "none" })) ?? null;
  return JSON.stringify(again) === json ? undefined : "not JSON";
}

describe(`${TEXTS.toLocaleString("en")} texts`, () => {
  it.each([
    ["of random bytes", bytes, 1],
    ["that are JSON with some characters changed", mutated, 2],
  ] as const)("%s are read or refused in time, without any trace", (_, make, seed) => {
    const random = numbers(seed);
    const names = Object.getOwnPropertyNames(Object.prototype);
    const begin = performance.now();
    for (let count = 0; count < TEXTS / 2; count += 1) {
      const text = make(random);
      const found = complaint(text);
      if (found !== undefined) throw new Error(`${found}: ${JSON.stringify(text)}`);
    }
    expect(performance.now() - begin).toBeLessThan(15_000);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
  });
});

describe("What is mended", () => {
  it("is what an independent reader makes of it, where that can read it", () => {
    const random = numbers(3);
    const compared = Array.from({ length: 20_000 }, () => mutated(random)).filter((text) => {
      const parsed = parseArguments(text);
      const isInner =
        parsed.kind === "value" && parsed.repairs.some(({ rule }) => INSIDE.has(rule));
      // It reads a number before a no-break space as text.
      const other = isInner && !/[\u00a0\ufeff]/.test(text) ? readElsewhere(text) : undefined;
      if (other !== undefined) expect(valueIn(parsed), text).toEqual(other);
      return other !== undefined;
    });
    expect(compared.length).toBeGreaterThan(1_000);
  });
});

const INSIDE: ReadonlySet<string> = new Set([
  "quotes",
  "python-words",
  "trailing-comma",
  "comments",
]);

function readElsewhere(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
  } catch {
    return undefined;
  }
}
