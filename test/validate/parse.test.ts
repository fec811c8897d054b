import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { parseArguments } from "../../src/validate/parse/index.ts";
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
    ["a byte order mark", "\ufeff"],
    ["the text null", "null"],
    ["null", null],
  ])("mean {} when they are %s and the tool needs nothing", (_, given) => {
    expect(judge(open, given)).toEqual({ ok: true, arguments: {}, toolName: "t", repairs: [] });
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
    ['{"a": -Infinity}', /JSON has no -Infinity/],
    ['{"a" 1}', /a colon must stand between key and value/],
    ['{"a":1}}', /column 8.*this stands after the end of the JSON value/],
    ['{"a":1} and so on', /this stands after the end of the JSON value/],
    ['{\n  "a": 1,\n  b: 2\n}', /line 3, column 3/],
    ['{"a": "x\ny"}', /a line break inside of a string is written \\n/],
    ['{"a": "\\x41"}', /\\x is no escape of JSON/],
    ['{"c": "env.get("KEY")"}', /a double quote inside of a string is written \\"/],
    ['{\\"a\\":1}', /the quotes around keys and strings have no backslash before them/],
    ['{"a":\\"x\\"}', /the quotes around keys and strings have no backslash before them/],
    ['{"a":"x\\\ny"}', /\\ before a line break or other control character is no escape of JSON/],
    ['{"a":1}\n{"a":2}', /line 2, column 1.*of several calls, each is sent by itself/],
    ["text", /a value must stand here/],
    ["undefined", /a value must stand here/],
  ])("are refused with place and reason when they are not JSON: %s", (text, words) => {
    const [fault, ...others] = faultsIn(judge(open, text, { repair: "none" }));
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
    for (const repair of ["none", "safe"] as const) {
      expect(faultsIn(judge(open, text, { repair }))[0]?.message).toContain(
        `after ${text.length} characters, so it was probably cut off (${words})`,
      );
    }
  });

  it.each([
    ["[1]", "must be a JSON object, not an array"],
    ["42", "must be a JSON object, not a number"],
    ["true", "must be a JSON object, not a boolean"],
    ['"x"', "must be a JSON object, not a string"],
    ['"{\\"a\\":1}"', "not a string (it looks like JSON that was encoded twice: encode it once)"],
  ])("are refused with their type when they are no object: %s", (text, words) => {
    const [fault] = faultsIn(judge(true, text, { repair: "none" }));
    expect(fault).toMatchObject({
      path: "",
      keyword: "type",
      message: expect.stringContaining(words),
    });
  });

  it("show no excerpt where a secret may stand", () => {
    const message = failureIn(judge(open, '{"password": "hunter2" oops}')).message;
    expect(message).toContain("line 1, column 24)");
    expect(message).not.toContain("hunter2");
  });

  it("show no excerpt where a secret began far before, or around", () => {
    for (const text of [
      `{"password": "${"x".repeat(300)} hunter2" oops}`,
      `{"credentials": {"a": "${"x".repeat(300)} hunter2" oops}}`,
      `{'password': '${"x".repeat(300)} hunter2' oops}`,
    ]) {
      expect(failureIn(judge(open, text)).message).not.toContain("hunter2");
    }
  });
});

describe("A key that stands twice", () => {
  it.each([
    ['{"a":1,"a":2}', 'the key "a" stands twice in arguments, with different values'],
    ['{"a":1,"a":1.0}', 'the key "a" stands twice in arguments'],
    ['{"a":{"b":[0,{"c":1,"c":2}]}}', 'the key "c" stands twice in arguments.a.b[1]'],
    ['{"a":1,"\\u0061":2}', 'the key "a" stands twice'],
    ['{"u":"http://x:1","a":1,"a" : 2}', 'the key "a" stands twice'],
    ['{"a":{"x":1},"a":{"x":2}}', 'the key "a" stands twice in arguments'],
    ['{"a":[],"b":1,"a":{}}', 'the key "a" stands twice'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" stands twice'],
    ['{"":1,"":2}', 'the key "" stands twice'],
    ["{'a':1,'a':2}", 'the key "a" stands twice'],
    ['"{\\"a\\":1,\\"a\\":2}"', 'the key "a" stands twice'],
  ])("with different values is refused: %s", (text, words) => {
    expect(faultsIn(judge(open, text))[0]?.message).toContain(words);
  });

  it.each<[string, Json]>([
    ['{"a":1,"a":1}', { a: 1 }],
    ['{"a": {"b": [1]} , "a":{"b": [1]}}', { a: { b: [1] } }],
    ['{"a":{"a":1},"b":{"a":2}}', { a: { a: 1 }, b: { a: 2 } }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['{"a":"\\"a\\":1,\\"a\\":2"}', { a: '"a":1,"a":2' }],
    ['{"a":"::::","b":"\\\\\\":{"}', { a: "::::", b: '\\":{' }],
  ])("with the same value, or in another object, is read: %s", (text, value) => {
    expect(parseArguments(text)).toEqual({ kind: "value", value, repairs: [] });
  });

  it("is told without its values, and cut when it is long", () => {
    const message = failureIn(judge(open, '{"password":"hunter1","password":"hunter2"}')).message;
    expect(message).not.toContain("hunter");
    const long = JSON.stringify("k".repeat(100_000));
    expect(failureIn(judge(open, `{${long}:1,${long}:2}`)).message.length).toBeLessThan(300);
  });
});

describe("What JSON.parse would change in silence", () => {
  it.each([
    ['{"id": 2512292042121000001}', 'the number "id" (2512292042121000001) has more digits'],
    ['{"ids": [9007199254740993]}', "a number (9007199254740993) has more digits"],
    ['{"a": 1e400}', 'the number "a" (1e400) is larger than any number'],
    ['{"a": [1, -1e999]}', "a number (-1e999) is larger than any number"],
    ['{"a": 1e-400}', 'the number "a" (1e-400) is smaller than any number'],
    [`{"a": -0.${"0".repeat(400)}1}`, "is smaller than any number"],
    ['{"token": 9007199254740993}', 'the number "token" has more digits'],
    ["{'a': 9007199254740993,}", 'the number "a" (9007199254740993) has more digits'],
    ['"{\\"a\\": 1e400}"', 'the number "a" (1e400) is larger than any number'],
    ["{'a': '\\ud83d'}", "half of a surrogate pair"],
    ['"{\\"a\\": \\"\\\\ud83d\\"}"', "half of a surrogate pair"],
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
    ['{"a": "1e400 1e-400", "b": 0, "c": 1e30}', { a: "1e400 1e-400", b: 0, c: 1e30 }],
    ['{"a": 0.0, "b": 0e-400, "c": -0}', { a: 0, b: 0, c: -0 }],
    ['{"a": 5e-324}', { a: 5e-324 }],
  ])("is not in %s", (text, args) => {
    expect(judge(open, text)).toEqual({ ok: true, arguments: args, toolName: "t", repairs: [] });
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
    expect(parseArguments(nested(501, "[", "]"), { maxDepth: 1_000_000 }).kind).toBe("fault");
    expect(parseArguments(nested(500, "[", "]"), { maxDepth: 1_000_000 }).kind).toBe("value");
  });

  it.each<[string, string]>([
    ["10,000 lists", nested(10_000, "[", "]")],
    ["1,000,000 lists", nested(1_000_000, "[", "]")],
    ["1,000,000 objects", nested(1_000_000, '{"a":', "}")],
    ["1,000,000 lists that stay open", "[".repeat(1_000_000)],
    ["200,000 objects in single quotes", "{'a':".repeat(200_000)],
    ["60,000 lists behind words", `Here it is: {"a":${"[".repeat(60_000)}`],
    ["lists in an object with a comment", `{/**/"a":${nested(400_000, "[", "]")}}`],
  ])("hold for the nesting of bombs: %s", (_, text) => {
    for (const repair of ["none", "safe"] as const) {
      const begin = performance.now();
      const { message } = failureIn(judge(open, text, { repair }));
      if (repair === "safe" || text.startsWith('{"') || text.startsWith("[")) {
        expect(message).toContain("nested more than 64 levels deep");
      }
      expect(performance.now() - begin).toBeLessThan(1_000);
    }
  });

  const TEN = 9_900_000;
  it.each<[string, string]>([
    ["50 MB", `{"a":"${"x".repeat(50_000_000)}"}`],
    ["a string that is cut off", `{"a":"${"x".repeat(TEN)}`],
    ["backslashes", "\\".repeat(1_000_000)],
    ["backslashes in a string", `{"a":"${"\\".repeat(TEN)}`],
    ["digits", `{"a":${"1".repeat(TEN)}}`],
    ["a number so small", `{"a":0.${"0".repeat(TEN)}1}`],
    ["a word", "a".repeat(TEN)],
    ["line breaks", `{"a":${"\n".repeat(TEN)}x`],
    ["closing brackets", "}".repeat(TEN)],
    ["keys that are twice there", `{${'"a":":",'.repeat(400_000)}"b":1,"b":2}`],
    ["rounded numbers", `[${"1234567890123456789,".repeat(400_000)}1]`],
    ["comments that do not end", `{${"/*".repeat(490_000)}`],
    ["no-break spaces", `{${"\u00a0 ".repeat(490_000)}`],
    ["quotes in single quotes", `{'a':'${'"'.repeat(990_000)}`],
    ["backticks", `${"` ".repeat(490_000)}{"a":1}`],
    ["tags", `${"<|".repeat(490_000)}a>{"a":1}`],
    ["hyphens and colons", `a${"-".repeat(490_000)}${":".repeat(490_000)},{"a":1}`],
  ])("hold for time and for the length of what is told: %s", (_, text) => {
    const begin = performance.now();
    const { message } = failureIn(judge(open, text));
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect(message.length).toBeLessThan(1_000);
  });

  it("hold for what is mended", () => {
    const text = (chars: number): string => `{'a':'${"x".repeat(chars - 8)}'}`;
    expect(judge(open, text(1_000_000)).ok).toBe(true);
    expect(judge(open, text(1_000_001)).ok).toBe(false);
  });

  it("do not count brackets within strings", () => {
    expect(judge(open, JSON.stringify({ a: '[{"\\'.repeat(100) })).ok).toBe(true);
  });
});

describe("Hostile keys", () => {
  it("stay own data: __proto__ changes no prototype", () => {
    const text = '{"__proto__":{"admin":true},"constructor":1,"prototype":{"__proto__":null}}';
    const data: Json = JSON.parse(text);
    const forms: readonly Json[] = [
      text,
      data,
      JSON.stringify(text),
      text.replaceAll('"', "'"),
      `\`\`\`json\n${text}\n\`\`\``,
    ];
    for (const args of forms) {
      const judged = judge(open, args);
      if (!judged.ok) throw new Error(judged.failure.message);
      expect(JSON.stringify(judged.arguments)).toBe(text);
      expect(Object.getPrototypeOf(judged.arguments)).toBe(Object.prototype);
      expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
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
