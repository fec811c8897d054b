import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { failureIn, faultsIn, judge } from "../support/judge.ts";

const open = { type: "object" };
const needsCity = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** Lists or objects within each other. */
function nested(levels: number, opening: string, closing: string): string {
  return `${opening.repeat(levels)}1${closing.repeat(levels)}`;
}

describe("Arguments that are not given", () => {
  it.each<[string, Json]>([
    ["an empty text", ""],
    ["a blank text", " \n\t"],
    ["the text null", "null"],
    ["null", null],
  ])("mean {} when they are %s and the tool needs nothing", (_, given) => {
    expect(judge(open, given)).toEqual({ ok: true, arguments: {} });
  });

  it("are told as what is missing when the tool needs something", () => {
    expect(faultsIn(judge(needsCity, ""))).toEqual([
      {
        path: "",
        keyword: "required",
        message: 'arguments must have the key "city" (a string), which is missing',
      },
    ]);
  });
});

describe("Arguments as text", () => {
  it("give the same as arguments as data", () => {
    const args = { city: "Paris", at: [1, { x: null }] };
    expect(judge(needsCity, JSON.stringify(args))).toEqual(judge(needsCity, args));
  });

  it.each<[string, RegExp]>([
    [
      '{"a": 1 "b": 2}',
      /line 1, column 9, at the mark in "\{\\"a\\": 1 ▸\\"b\\": 2\}".*: a comma or \} must stand here/,
    ],
    ["{'a': 1}", /column 2.*a key in double quotes must stand here/],
    ["{\"a\": 'x'}", /column 7.*strings stand in double quotes, not in single ones/],
    ['{"a": True}', /true, false and null are written in small letters/],
    ['{"a": NaN}', /JSON has no NaN/],
    ['{"a": 01}', /01 is not a number as JSON writes them/],
    ['{"a": +1}', /\+1 is not a number as JSON writes them/],
    ['{"a": 1,}', /column 9.*no comma may stand before \}/],
    ['{"a": [1,]}', /no comma may stand before \]/],
    ['{"a" 1}', /a colon must stand between key and value/],
    ['{"a":1}}', /column 8.*this stands after the end of the JSON value/],
    ['{"a":1} and so on', /this stands after the end of the JSON value/],
    ['{\n  "a": 1,\n  b: 2\n}', /line 3, column 3/],
    ['{"a": "x\ny"}', /a line break inside of a string is written \\n/],
    ['{"a": "\\x41"}', /\\x is no escape of JSON/],
    ['{"c": "env.get("KEY")"}', /a double quote inside of a string is written \\"/],
    ["text", /a value must stand here/],
    ["undefined", /a value must stand here/],
  ])("are refused with place and reason when they are not JSON: %s", (text, words) => {
    const [fault, ...others] = faultsIn(judge(open, text));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      path: "",
      keyword: "json",
      message: expect.stringMatching(words),
    });
    expect(fault?.message).not.toContain("cut off");
  });

  it.each([
    ['{"a": "x', "a string has no closing quote; } is missing at the end"],
    ['{"a":"x\\', "a string has no closing quote; } is missing at the end"],
    ['{"items": [1, 2, 3', "]} is missing at the end"],
    ['{"items":[{"n":1},{"n":2', "}]} is missing at the end"],
    ['{"a": tru', "} is missing at the end"],
    ['{"a": -', "} is missing at the end"],
    ['{"a":', "} is missing at the end"],
    ['{"code": "if (x) {", "y": 2', "} is missing at the end"],
  ])("are refused as cut off when they end too early: %s", (text, words) => {
    const message = faultsIn(judge(open, text))[0]?.message;
    expect(message).toContain(
      `after ${text.length} characters, so it was probably cut off (${words})`,
    );
  });

  it.each([
    ["[1]", "must be a JSON object, not an array"],
    ["42", "must be a JSON object, not a number"],
    ["true", "must be a JSON object, not a boolean"],
    ['"x"', "must be a JSON object, not a string"],
    ['"{\\"a\\":1}"', "not a string (it looks like JSON that was encoded twice: encode it once)"],
  ])("are refused with their type when they are no object: %s", (text, words) => {
    const [fault] = faultsIn(judge(true, text));
    expect(fault).toMatchObject({
      path: "",
      keyword: "type",
      message: expect.stringContaining(words),
    });
  });

  it("keep the last of two equal keys, as JSON.parse does", () => {
    expect(judge(open, '{"a":1,"a":2}')).toEqual({ ok: true, arguments: { a: 2 } });
  });

  it("show no excerpt where a secret may stand", () => {
    const message = failureIn(judge(open, '{"password": "hunter2" oops}')).message;
    expect(message).toContain("line 1, column 24)");
    expect(message).not.toContain("hunter2");
  });
});

describe("What JSON.parse would change in silence", () => {
  it.each([
    ['{"id": 2512292042121000001}', 'the number "id" (2512292042121000001) has more digits'],
    ['{"ids": [9007199254740993]}', "a number (9007199254740993) has more digits"],
    ['{"a": 1e400}', 'the number "a" (1e400) is larger than any number'],
    [`{"a": ${"9".repeat(400)}}`, "is larger than any number"],
    ['{"a": "\\ud83d"}', "half of a surrogate pair"],
    ['{"\\udc00": 1}', "half of a surrogate pair"],
    ['{"a": "\ud83d"}', "half of a surrogate pair"],
  ])("is refused: %s", (text, words) => {
    expect(faultsIn(judge(open, text))).toEqual([
      { path: "", keyword: "json", message: expect.stringContaining(words) },
    ]);
  });

  it.each<[string, Json]>([
    ['{"a": 9007199254740992}', { a: 9007199254740992 }],
    ['{"a": 100000000000000000000000}', { a: 1e23 }],
    ['{"a": 0.12345678901234567890}', { a: 0.12345678901234568 }],
    ['{"a": 1e300}', { a: 1e300 }],
    ['{"a": "\\ud83d\\ude00"}', { a: "😀" }],
    ['{"a": "2512292042121000001"}', { a: "2512292042121000001" }],
  ])("is not in %s", (text, args) => {
    expect(judge(open, text)).toEqual({ ok: true, arguments: args });
  });
});

describe("Bounds", () => {
  it("are kept for the length of a text, to the character", () => {
    const text = '{"a":"xxxx"}';
    expect(judge(open, text, { maxTextChars: text.length }).ok).toBe(true);
    expect(failureIn(judge(open, text, { maxTextChars: text.length - 1 })).message).toContain(
      "the arguments have 12 characters; at most 11 are read",
    );
  });

  it("are kept for the nesting of texts and of data alike, to the level", () => {
    for (const [levels, ok] of [
      [64, true],
      [65, false],
    ] as const) {
      const text = nested(levels, '{"a":', "}");
      expect(judge(open, text).ok).toBe(ok);
      expect(judge(open, JSON.parse(text)).ok).toBe(ok);
    }
    expect(failureIn(judge(open, nested(65, '{"a":', "}"))).message).toContain(
      "nested more than 64 levels deep",
    );
    expect(judge(open, '{"a":{}}', { maxDepth: 1 }).ok).toBe(false);
  });

  it("hold for bombs: a million brackets, in lists and in objects, closed and open", () => {
    for (const text of [
      "[".repeat(1_000_000),
      nested(1_000_000, "[", "]"),
      nested(200_000, '{"a":', "}"),
    ]) {
      expect(failureIn(judge(open, text)).message).toContain("nested more than 64 levels deep");
    }
  });

  it("do not count brackets within strings", () => {
    expect(judge(open, JSON.stringify({ a: '[{"\\'.repeat(100) })).ok).toBe(true);
  });
});

describe("Hostile keys", () => {
  it("stay own data: __proto__ changes no prototype", () => {
    for (const given of ['{"__proto__":{"admin":true},"constructor":1}'] as const) {
      for (const args of [given, JSON.parse(given) as Json]) {
        const judged = judge(open, args);
        if (!judged.ok) throw new Error(judged.failure.message);
        expect(Object.keys(judged.arguments as object)).toEqual(["__proto__", "constructor"]);
        expect(Object.getPrototypeOf(judged.arguments)).toBe(Object.prototype);
        expect(({} as { admin?: boolean }).admin).toBeUndefined();
      }
    }
  });

  it("are not present because every object inherits them", () => {
    const schema = { type: "object", required: ["toString", "__proto__", "constructor"] };
    expect(faultsIn(judge(schema, {})).map(({ message }) => message)).toEqual([
      'arguments must have the key "toString", which is missing',
      'arguments must have the key "__proto__", which is missing',
      'arguments must have the key "constructor", which is missing',
    ]);
    expect(judge({ type: "object", properties: { toString: { type: "string" } } }, {}).ok).toBe(
      true,
    );
  });
});
