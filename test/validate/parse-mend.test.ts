import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { parseArguments } from "../../src/validate/parse/index.ts";
import { REPAIR_RULES, type RepairRuleName } from "../../src/validate/repair/rules.ts";
import { CASES, readCases } from "../support/cases.ts";

/** A text, what it is read as, and the rules by which. */
type Row = readonly [text: string, value: Json, ...rules: RepairRuleName[]];

const A = { a: 1 };
const FENCE = "```";

function titled(rows: readonly Row[]): readonly (readonly [string, Row])[] {
  return rows.map((row) => [row[0], row]);
}

function expectMended([text, value, ...rules]: Row): void {
  const parsed = parseArguments(text);
  expect(parsed).toMatchObject({ kind: "value", value });
  if (parsed.kind !== "value") return;
  expect(parsed.value).toEqual(value);
  expect(parsed.repairs.map(({ rule }) => rule)).toEqual(rules);
  for (const { path, message } of parsed.repairs) {
    expect(path).toBe("");
    expect(message).not.toBe("");
  }
}

function expectRefused(text: string): void {
  const parsed = parseArguments(text);
  // Strict reading knows nothing of it either.
  expect(parsed).toEqual({ kind: "fault", message: expect.stringMatching(/.{40}/) });
  expect(parseArguments(text, { repair: "none" }).kind).toBe("fault");
}

describe("Around one object", () => {
  it.each(
    titled([
      [`${FENCE}json\n{"a":1}\n${FENCE}`, A, "code-fence"],
      [`${FENCE}\n{"a":1}\n${FENCE}`, A, "code-fence"],
      [`${FENCE}json {"a":1}${FENCE}`, A, "code-fence"],
      [`\n\n${FENCE}JSON\r\n\r\n{"a":1}\r\n${FENCE}\r\n`, A, "code-fence"],
      [`~~~json\n{"a":1}\n~~~`, A, "code-fence"],
      [`${FENCE}json\n{"a":1}`, A, "code-fence"],
      [`{"a":1}\n${FENCE}`, A, "code-fence"],
      ['`{"a":1}`', A, "code-fence"],
      [
        `${FENCE}python\n{'a': True}\n${FENCE}`,
        { a: true },
        "code-fence",
        "quotes",
        "python-words",
      ],
      [
        `${FENCE}json\n{"md":"${FENCE}js\\n1\\n${FENCE}"}\n${FENCE}`,
        { md: "```js\n1\n```" },
        "code-fence",
      ],
      [
        `Sure, here it is:\n${FENCE}json\n{"a":1}\n${FENCE}\nTell me more.`,
        A,
        "code-fence",
        "prose",
      ],
      ['Here is the call: {"a":1}', A, "prose"],
      ['I\'ll call it: {"a":1}', A, "prose"],
      ['I call `write` with {"a":1}', A, "prose"],
      ['Arguments: {"a":1}', A, "prose"],
      ['**Arguments:** {"a":1}', A, "prose"],
      ['json\n{"a":1}', A, "prose"],
      ['Action: write\nAction Input: {"a":1}', A, "prose"],
      ['{"a":1} trailing text', A, "prose"],
      ['{"a":1} (done)', A, "prose"],
      ['{"a":1}\n\nNote: the default is "x" here.', A, "prose"],
      ['<think>The user said "hi".</think>\n{"a":1}', A, "prose"],
      ['<tool_call>\n{"a":1}\n</tool_call>', A, "prose"],
      ['<|python_tag|>{"a":1}<|eom_id|>', A, "prose"],
      ['{"a":1}</s>', A, "prose"],
      ['{"a":1} // done', A, "prose"],
    ] satisfies Row[]),
  )("what may be left out is: %j", (_, row) => expectMended(row));

  it.each([
    '{"a":1}{"a":2}',
    '{}{"a":1}',
    "{}{}",
    '{"a":1}\n{"a":2}',
    '{"a":1} or {"a":2}',
    '{"a":1}, {"a":2}',
    '{"a":1}}',
    "{}}",
    '{"a":1}]',
    '{{"a":1}}',
    '[{"a":1}',
    'see [1]: {"a":1}',
    '<think>use {x}</think>{"a":1}',
    `${FENCE}json\n{"a":1}\n${FENCE}\n${FENCE}json\n{"b":1}\n${FENCE}`,
    `${FENCE}bash\nls\n${FENCE}\n${FENCE}json\n{"a":1}\n${FENCE}`,
    `${FENCE}json\n${FENCE}`,
    `${FENCE}json\nnull\n${FENCE}`,
    '`{"a":1}',
    '{"a":1}`',
    'x = {"a":1}',
    'const args = {"a":1};',
    'write({"a":1})',
    "write(path='/x')",
    'write(a={"a":1})',
    '"args": {"a":1}',
    'filter: {"a":1}',
    '- filter: {"a":1}',
    'path: /x\noptions: {"a":1}',
    'path: /x\nThe rest is {"a":1}',
    '{"a":1}\npath: /x',
    '{"a":1}, "b": 2',
    '{"a":1},',
    '{"a":1};',
    '{"a":1} 42',
    '{"a":1} null',
    '{"a":1} "x"',
    '{"a":1}\n"b": 2',
    '{"a":1} and "b": 2',
    '42 {"a":1}',
    'true {"a":1}',
    'None{"a":1}',
    'undefined {"a":1}',
    '"x" {"a":1}',
    "'x', {\"a\":1}",
    '<parameter name="x">{"a":1}</parameter>',
    '<city>{"a":1}</city>',
    '<function=write>{"a":1}</function>',
    '<invoke name="w"><parameter name="city">Paris</parameter></invoke>',
    "<tool_call><arg_key>a</arg_key><arg_value>1</arg_value></tool_call>",
    "text only",
    "undefined",
    "None",
    "NaN",
    "path: /x",
    "--path /x",
    "a=1, b=2",
  ])("what may be a value is not: %j", expectRefused);
});

describe("Inside of an object", () => {
  it.each(
    titled([
      ['{"a":1,}', A, "trailing-comma"],
      ['{"a":[1,2,\n],\n}', { a: [1, 2] }, "trailing-comma"],
      ["{'a': 1}", A, "quotes"],
      ["{'a': 'it\\'s'}", { a: "it's" }, "quotes"],
      ["{'a': \"it's\", 'b': 'say \"hi\"'}", { a: "it's", b: 'say "hi"' }, "quotes"],
      ["{'a': 'x\\\"y\\\\z\\n\\u00e9'}", { a: 'x"y\\z\né' }, "quotes"],
      [
        "{'a': 'function f() {', '': ['b[', '', '//c', ',}']}",
        { a: "function f() {", "": ["b[", "", "//c", ",}"] },
        "quotes",
      ],
      ["{\"a\": 'x'}", { a: "x" }, "quotes"],
      ["{“a”: ‘x’, 'b': \"y\"}", { a: "x", b: "y" }, "quotes"],
      ['{"a": True, "b": [False, None]}', { a: true, b: [false, null] }, "python-words"],
      ['{"a": "True", "b": None}', { a: "True", b: null }, "python-words"],
      ['{"a": 1, // one\n "b": /* two */ 2}', { a: 1, b: 2 }, "comments"],
      ['{/**/"a"/*k*/:/*v*/1/*e*/}', A, "comments"],
      [
        '{"u": "http://x/*y*/", "a": 1, /* c */}',
        { u: "http://x/*y*/", a: 1 },
        "comments",
        "trailing-comma",
      ],
      [
        '{"a":"line 1\nline 2\r\n\tline 3"}',
        { a: "line 1\nline 2\r\n\tline 3" },
        "control-characters",
      ],
      ['{"a":"\u001b[0m\u0000"}', { a: "\u001b[0m\u0000" }, "control-characters"],
      ['{\u00a0"a":\u00a01\u202f}', A, "control-characters"],
      ['{\ufeff"a"\u3000:1}', A, "control-characters"],
      ["{'a': 'x\ny', }", { a: "x\ny" }, "quotes", "control-characters", "trailing-comma"],
      [
        "{'a': {'b': [1, -0.5e3, True, None, {},],},}",
        { a: { b: [1, -500, true, null, {}] } },
        "quotes",
        "python-words",
        "trailing-comma",
      ],
    ] satisfies Row[]),
  )("what is mechanical is mended: %j", (_, row) => expectMended(row));

  it.each([
    // What another reader takes for something else may mean either.
    "{“a”: “say \"hi\" 'x'”}",
    '{„a“: ‘x’, “b”: "y"}',
    '{"a": 1 "b": 2}',
    '{"a":"x"\n"b":"y"}',
    '{"a": [1 2]}',
    '{"a": ["x" "y"]}',
    '{"a":1;"b":2}',
    '{"a" 1}',
    '{"a"=1}',
    '{"a"=>1}',
    '{"a":}',
    '{"a"}',
    '{"a",}',
    '{"a":1,,}',
    '{,"a":1}',
    "{,}",
    '{"a":[,]}',
    '{"a":[1,,2]}',
    '{"a": /* todo */}',
    '{"a":[1}]',
    '{"a":1]',
    "{a: 1}",
    "{a: 'x', 'b': 2}",
    "{1: 2}",
    "{True: 1}",
    '{"a": x}',
    '{"a": hello world}',
    '{"a": `x`}',
    "{«a»: 1}",
    "{&quot;a&quot;:1}",
    '{\\"a\\":1}',
    "{'a': 'it's'}",
    "{‘a’: ‘it’s’}",
    "{'a': 'x' 'y'}",
    "{'a': 'x' + 'y'}",
    "{'a': '''x'''}",
    "{'a': r'x'}",
    "{'a': b'x'}",
    "{'a': f'x'}",
    "{'a': ('x', 'y')}",
    "{'a': {'b', 'c'}}",
    "{'a': datetime(2024, 1, 1)}",
    '{"a":"env.get("KEY")"}',
    '{"a": "print("x", "y")"}',
    '{"a": "x = ["y"]"}',
    '{"a":"\\x41\\v"}',
    '{"a":"\\d+"}',
    '{"a":"C:\\Users"}',
    '{"a":"it\\\'s"}',
    '{"a":"\\u12"}',
    '{"a":"\\\n"}',
    "{'a': '\\x41'}",
    "{'a': '\\0'}",
    "{“a”: “\\”x”}",
    '{"a":+1}',
    '{"a":01}',
    '{"a":.5}',
    '{"a":5.}',
    '{"a":1e}',
    '{"a":0x10}',
    '{"a":1_000}',
    '{"a":1,000}',
    '{"a":50%}',
    '{"a":$5}',
    '{"a":2024-01-01}',
    '{"a":12:30}',
    '{"a":1L}',
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":undefined}',
    '{"a":TRUE}',
    '{"a":none}',
    '{"a":nil}',
    '{"a":Trueish}',
    '{"a":[1, 2, ...]}',
    '{"a":1, ...}',
    '{"a":[1, // ... and so on\n]}',
    '{"a":[1, /* … */ 9]}',
    '{"a": 1 # one\n}',
    '{"a": /re/}',
    '{"a": http://x}',
    '{\u200b"a":1}',
    '{\u000b"a":1}',
    "{'a':1,'a':2}",
  ])("what may mean several things is not: %j", expectRefused);

  it.each([
    "{'a': 'x",
    "{'a': 'x'",
    "{'a': 'x',",
    "{'a': ['x'",
    "{'a': Tru",
    '{"a": No',
    '{"a": 1, // x }',
    '{"a": 1 /* x }',
    '{"a": "x\n',
    `${FENCE}json\n{"a": 1`,
    `${FENCE}json\n{"a": [1\n${FENCE}`,
    `${FENCE}json\n{"a": "x\n${FENCE}`,
    'Here is the call: {"a": "x',
    '<tool_call>{"a": {"b": 1}',
  ])("what is cut off is never completed: %j", (text) => {
    expect(parseArguments(text)).toMatchObject({
      kind: "fault",
      message: expect.stringContaining("it was probably cut off"),
    });
  });
});

describe("Text that was encoded again", () => {
  const wrap = (value: Json, times: number): string =>
    times === 0 ? JSON.stringify(value) : JSON.stringify(wrap(value, times - 1));

  it("is read up to three times, and said to be", () => {
    for (const [times, words] of [
      [1, "once too often"],
      [2, "2 times too often"],
      [3, "3 times too often"],
    ] as const) {
      expect(parseArguments(` ${wrap({ a: '"\\' }, times)}\n`)).toEqual({
        kind: "value",
        value: { a: '"\\' },
        repairs: [{ path: "", rule: "double-encoded", message: expect.stringContaining(words) }],
      });
    }
    expect(parseArguments(wrap(A, 4))).toMatchObject({ value: wrap(A, 3), repairs: [] });
  });

  it("stays as it is when it may not be mended", () => {
    expect(parseArguments(wrap(A, 1), { repair: "none" })).toMatchObject({
      value: wrap(A, 0),
      repairs: [],
    });
  });

  it.each(["x", "", "null", "[1]", "42", "{a}", "{'a':1}", '{"a":1', '{"a":1}}', '""', '"x"'])(
    "stays a string when it is none of an object: %j",
    (inner) => {
      expect(parseArguments(JSON.stringify(inner))).toEqual({
        kind: "value",
        value: inner,
        repairs: [],
      });
    },
  );

  it("is not looked for inside of values", () => {
    const value = { a: '{"b":1}', c: ["[1]"] };
    expect(parseArguments(JSON.stringify(value))).toEqual({ kind: "value", value, repairs: [] });
  });

  it("keeps the bounds and checks at each level", () => {
    const deep = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;
    expect(parseArguments(JSON.stringify(JSON.stringify(deep)))).toMatchObject({
      kind: "fault",
      message: expect.stringContaining("nested more than 64 levels deep"),
    });
  });
});

describe("Repairs", () => {
  it("are made by every rule on text, and by no other", () => {
    const texts = [
      '"{}"',
      `${FENCE}\n{}${FENCE}`,
      "So: it is {}",
      "{'a':[None,],}",
      '{"a":/**/"\n"}',
    ];
    const made = texts
      .map((text) => parseArguments(text))
      .flatMap((parsed) => (parsed.kind === "value" ? parsed.repairs.map(({ rule }) => rule) : []));
    const onText = Object.entries(REPAIR_RULES).flatMap(([name, { on }]) =>
      on === "text" ? [name] : [],
    );
    expect(new Set(made)).toEqual(new Set(onText));
  });

  it("are one a rule, however often it was applied", () => {
    expect(parseArguments("{'a': ['b', 'c'], 'd': {'e': None, 'f': None}}")).toMatchObject({
      repairs: [{ rule: "quotes" }, { rule: "python-words" }],
    });
  });

  it("show nothing of the arguments", () => {
    const parsed = parseArguments(`My words: ${FENCE}{'password': 'hunter2\n', /*x*/}${FENCE}`);
    expect(parsed.kind).toBe("value");
    expect(JSON.stringify({ ...parsed, value: null })).not.toMatch(/hunter2|My words/);
  });
});

describe(`Broken texts of arguments, mended (${CASES})`, () => {
  it("give exactly what was meant, or are refused as what they are", () => {
    const rows = readCases("malformed-arguments/malformed.jsonl") as readonly {
      readonly id: string;
      readonly raw: string;
      readonly raw_generator?: unknown;
      readonly intended: Json;
      readonly verdict: string;
    }[];
    const judged = rows.filter(
      ({ raw, raw_generator }) => raw !== undefined && raw_generator === undefined,
    );
    expect(judged.length).toBeGreaterThan(35);
    for (const { id, raw, intended, verdict } of judged) {
      const parsed = parseArguments(raw);
      const mended = parsed.kind === "value" && parsed.repairs.length > 0;
      if (verdict === "repair") expect(mended, id).toBe(true);
      if (mended) {
        expect(verdict, id).toMatch(/^repair/);
        expect(parsed.value, id).toEqual(intended);
      }
      if (verdict === "reject-as-truncated") {
        expect(parsed, id).toMatchObject({ message: expect.stringContaining("probably cut off") });
      }
    }
  });
});
