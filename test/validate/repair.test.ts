import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { createRegistry } from "../../src/registry.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { type RepairMode, validateCall } from "../../src/validate/index.ts";
import { REPAIR_RULES, type RepairRuleName } from "../../src/validate/repair/index.ts";
import { CASES, readCases } from "../support/cases.ts";
import { faultsIn, judge } from "../support/judge.ts";

const object = (properties: JsonSchema, rest: object = {}): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...rest,
});
const a = (schema: JsonSchema): JsonSchema => object({ a: schema });
const needed = (schema: JsonSchema): JsonSchema => object({ a: schema }, { required: ["a"] });
const NUMBER = { type: "number" };
const INTEGER = { type: "integer" };
const STRING = { type: "string" };
const BOOLEAN = { type: "boolean" };
const STRINGS = { type: "array", items: STRING };

interface Row {
  readonly rule: RepairRuleName;
  readonly schema: JsonSchema;
  readonly given: Json;
  readonly got: Json;
  /** Where something was mended. Default `/a`. */
  readonly path?: string;
}

const MENDED: readonly Row[] = [
  { rule: "json-text", schema: a(STRINGS), given: { a: '["x","y"]' }, got: { a: ["x", "y"] } },
  {
    rule: "json-text",
    schema: a({ type: "object" }),
    given: { a: ' {"b":1} ' },
    got: { a: { b: 1 } },
  },
  {
    rule: "json-text",
    schema: a({ anyOf: [{ type: "object" }, { type: "null" }] }),
    given: { a: '{"b":1}' },
    got: { a: { b: 1 } },
  },
  {
    rule: "json-text",
    schema: a({ type: "array", items: { type: "array", items: INTEGER } }),
    given: { a: ["[1,2]", [3]] },
    got: { a: [[1, 2], [3]] },
    path: "/a/0",
  },
  { rule: "number-text", schema: a(INTEGER), given: { a: "10" }, got: { a: 10 } },
  { rule: "number-text", schema: a(NUMBER), given: { a: "-0.5" }, got: { a: -0.5 } },
  {
    rule: "number-text",
    schema: a({ type: ["number", "null"] }),
    given: { a: "7" },
    got: { a: 7 },
  },
  {
    rule: "number-text",
    schema: a({ anyOf: [{ type: "integer" }, { type: "null" }] }),
    given: { a: "7" },
    got: { a: 7 },
  },
  { rule: "number-text", schema: a({ enum: [1, 5] }), given: { a: "5" }, got: { a: 5 } },
  {
    rule: "number-text",
    schema: a({ type: "array", items: NUMBER }),
    given: { a: [1, "2"] },
    got: { a: [1, 2] },
    path: "/a/1",
  },
  { rule: "boolean-text", schema: a(BOOLEAN), given: { a: "true" }, got: { a: true } },
  {
    rule: "boolean-text",
    schema: a({ type: ["boolean", "integer"] }),
    given: { a: "false" },
    got: { a: false },
  },
  { rule: "boolean-text", schema: a({ const: true }), given: { a: "true" }, got: { a: true } },
  {
    rule: "boolean-text",
    schema: a({ type: "boolean", default: "false" }),
    given: { a: "false" },
    got: { a: false },
  },
  { rule: "single-item", schema: a(STRINGS), given: { a: "x" }, got: { a: ["x"] } },
  {
    rule: "single-item",
    schema: a({ type: "array", items: NUMBER }),
    given: { a: 5 },
    got: { a: [5] },
  },
  {
    rule: "single-item",
    schema: a({ type: "array", items: { type: "object", required: ["b"] } }),
    given: { a: { b: 1 } },
    got: { a: [{ b: 1 }] },
  },
  {
    rule: "enum-case",
    schema: a({ type: "string", enum: ["celsius", "Fahrenheit"] }),
    given: { a: "Celsius" },
    got: { a: "celsius" },
  },
  { rule: "enum-case", schema: a({ const: "ON" }), given: { a: "on" }, got: { a: "ON" } },
  {
    rule: "enum-case",
    schema: a({ type: "array", items: { enum: ["Red", "Blue"] } }),
    given: { a: ["Red", "blue"] },
    got: { a: ["Red", "Blue"] },
    path: "/a/1",
  },
  { rule: "optional-null", schema: a(STRING), given: { a: null }, got: {} },
  { rule: "optional-null", schema: a(STRINGS), given: { a: null }, got: {} },
  { rule: "optional-null", schema: a({ enum: ["x"] }), given: { a: null }, got: {} },
  {
    rule: "optional-null",
    schema: a(object({ c: STRING })),
    given: { a: { c: null } },
    got: { a: {} },
    path: "/a/c",
  },
  {
    rule: "optional-null",
    schema: a({ type: "array", items: object({ c: STRING }) }),
    given: { a: [{ c: "x" }, { c: null }] },
    got: { a: [{ c: "x" }, {}] },
    path: "/a/1/c",
  },
  {
    rule: "echoed-default",
    schema: a({ type: "string", default: null }),
    given: { a: null },
    got: {},
  },
  {
    rule: "echoed-default",
    schema: a({ enum: ["seconds", "milliseconds"], default: "N/A" }),
    given: { a: "N/A" },
    got: {},
  },
  {
    rule: "wrapped-call",
    schema: object({ city: STRING }, { required: ["city"] }),
    given: { name: "t", arguments: { city: "Paris" } },
    got: { city: "Paris" },
    path: "",
  },
  {
    rule: "wrapped-call",
    schema: object({ city: STRING }, { required: ["city"] }),
    given: { name: "functions.t", parameters: '{"city":"Paris"}' },
    got: { city: "Paris" },
    path: "",
  },
  {
    rule: "key-case",
    schema: object({ max_results: INTEGER }),
    given: { maxResults: 5 },
    got: { max_results: 5 },
    path: "/maxResults",
  },
  { rule: "loose-number", schema: a(NUMBER), given: { a: " 10 " }, got: { a: 10 } },
  { rule: "loose-number", schema: a(INTEGER), given: { a: "1e3" }, got: { a: 1000 } },
  { rule: "loose-number", schema: a(NUMBER), given: { a: "10.0" }, got: { a: 10 } },
  { rule: "loose-boolean", schema: a(BOOLEAN), given: { a: "True" }, got: { a: true } },
  { rule: "plain-text", schema: a(STRING), given: { a: 5 }, got: { a: "5" } },
  { rule: "plain-text", schema: a(STRING), given: { a: true }, got: { a: "true" } },
];

const modesOf = (rule: RepairRuleName): readonly RepairMode[] =>
  REPAIR_RULES[rule].mode === "safe" ? ["safe", "lenient"] : ["lenient"];
const OTHERS = { safe: ["none"], lenient: ["none", "safe"] } as const;

describe("Faulty arguments are mended by schema", () => {
  it.each(MENDED)("$rule: $given is read as $got", ({ rule, schema, given, got, path = "/a" }) => {
    for (const repair of modesOf(rule)) {
      const before = structuredClone(given);
      const result = judge(schema, given, { repair });
      expect(result).toMatchObject({ ok: true, repairs: [{ rule, path }] });
      expect(result.ok && result.arguments).toEqual(got);
      expect(given).toEqual(before);
    }
    for (const repair of OTHERS[REPAIR_RULES[rule].mode]) {
      expect(judge(schema, given, { repair }).ok).toBe(false);
    }
  });

  it("has a row here for each of its rules", () => {
    const bySchema = Object.entries(REPAIR_RULES).filter(([, { on }]) => on === "schema");
    expect(new Set(MENDED.map(({ rule }) => rule))).toEqual(
      new Set(bySchema.map(([name]) => name)),
    );
  });

  it.each<[why: string, schema: JsonSchema, given: Json, mode?: RepairMode]>([
    ["null for a required text", needed(STRING), { a: null }, "lenient"],
    ["null for a required number", needed(NUMBER), { a: null }, "lenient"],
    ["null for a required boolean", needed(BOOLEAN), { a: null }, "lenient"],
    ["null for a required list", needed(STRINGS), { a: null }, "lenient"],
    ["null in a list", a(STRINGS), { a: ["x", null] }, "lenient"],
    [
      "a required argument's refused default",
      needed({ type: "string", default: null }),
      { a: null },
      "lenient",
    ],
    [
      "a key that another one needs",
      object({ a: STRING, b: STRING }, { dependentRequired: { b: ["a"] } }),
      { a: null, b: "x" },
      "lenient",
    ],
    ["empty text for a number", a(NUMBER), { a: "" }, "lenient"],
    ["spaces for a number", a(NUMBER), { a: "  " }, "lenient"],
    ["a hexadecimal number", a(NUMBER), { a: "0x10" }, "lenient"],
    ["thousands with a comma", a(NUMBER), { a: "1,000" }, "lenient"],
    ["a number with a unit", a(NUMBER), { a: "5px" }, "lenient"],
    ["Infinity", a(NUMBER), { a: "Infinity" }, "lenient"],
    ["more digits than a number keeps", a(INTEGER), { a: "12345678901234567890" }, "lenient"],
    ["a fraction for an integer", a(INTEGER), { a: "1.5" }, "lenient"],
    ["spaces around a number", a(NUMBER), { a: " 10" }],
    ["an exponent", a(NUMBER), { a: "1e3" }],
    ["closing zeros", a(NUMBER), { a: "10.0" }],
    ["a plus", a(NUMBER), { a: "+1" }, "lenient"],
    ["yes for true", a(BOOLEAN), { a: "yes" }, "lenient"],
    ["1 for true", a(BOOLEAN), { a: 1 }, "lenient"],
    ["capital True", a(BOOLEAN), { a: "True" }],
    ["a boolean for a number", a(NUMBER), { a: true }, "lenient"],
    ["JSON text that is cut off", a(STRINGS), { a: '["x"' }, "lenient"],
    ["text that begins like a list", a(STRINGS), { a: "[x]" }, "lenient"],
    ["JSON text of another kind", a({ type: "object" }), { a: "[1]" }, "lenient"],
    ["JSON text of a number for an object", a({ type: "object" }), { a: "1" }, "lenient"],
    ["text that may be several items", a(STRINGS), { a: "x, y" }, "lenient"],
    ["lines that may be several items", a(STRINGS), { a: "x\ny" }, "lenient"],
    ["a list of lists for a list", a({ type: "array", items: STRINGS }), { a: ["x,y"] }, "lenient"],
    [
      "an object where a list of anything is wanted",
      a({ type: "array" }),
      { a: { b: 1 } },
      "lenient",
    ],
    ["an object where a list of texts is wanted", a(STRINGS), { a: { b: 1 } }, "lenient"],
    ["an allowed value that is misspelt", a({ enum: ["celsius"] }), { a: "celcius" }, "lenient"],
    ["two allowed values in another case", a({ enum: ["on", "ON"] }), { a: "On" }, "lenient"],
    ["a number for text", a(STRING), { a: 5 }],
    ["an object for text", a(STRING), { a: {} }, "lenient"],
    ["a misspelt key", object({ query: STRING }), { qurey: "x" }, "lenient"],
    ["a key in another case", object({ query: STRING }), { Query: "x" }],
    [
      "a key in another case beside the right one",
      object({ query: STRING }),
      { Query: "x", query: "y" },
      "lenient",
    ],
    ["a key that could be two", object({ a_b: STRING, aB: STRING }), { "a-b": "x" }, "lenient"],
    [
      "a whole call of another tool",
      needed(STRING),
      { name: "u", arguments: { a: "x" } },
      "lenient",
    ],
    [
      "a whole call and more",
      needed(STRING),
      { name: "t", arguments: { a: "x" }, b: 1 },
      "lenient",
    ],
    [
      "what may be two things",
      a({
        oneOf: [
          { type: "array", items: STRING },
          { type: "array", items: { type: "string", maxLength: 3 } },
        ],
      }),
      { a: 5 },
      "lenient",
    ],
  ])("never: %s", (_, schema, given, repair = "safe") => {
    const result = judge(schema, given, { repair });
    expect(result.ok).toBe(false);
  });

  it.each<[why: string, schema: JsonSchema, given: Json]>([
    ["JSON text where a string fits", a({ type: ["string", "array"] }), { a: '["x"]' }],
    ["number text where a string fits", a({ type: ["string", "number"] }), { a: "10" }],
    ["number text where anything fits", a({}), { a: "10" }],
    ["null where null fits", a({ type: ["number", "null"] }), { a: null }],
    ["null in a union with null", a({ anyOf: [NUMBER, { type: "null" }] }), { a: null }],
    ["null in an exclusive union with null", a({ oneOf: [STRING, { type: "null" }] }), { a: null }],
    ["a default that is valid", a({ type: "number", default: 5 }), { a: 5 }],
    ["unknown keys of an open object", { type: "object", properties: { a: STRING } }, { A: null }],
    ["a call where a tool takes names", { type: "object" }, { name: "t", arguments: { a: 1 } }],
  ])("leaves alone: %s", (_, schema, given) => {
    for (const repair of ["none", "safe", "lenient"] as const) {
      const result = judge(schema, given, { repair });
      expect(result).toMatchObject({ ok: true, repairs: [] });
      expect(result.ok && result.arguments).toEqual(given);
    }
  });

  it("mends all faults at once, also inside of what was mended", () => {
    const schema = object({
      actions: {
        type: "array",
        items: object({ n: INTEGER, kind: { enum: ["Get"] }, note: STRING }),
      },
      dry: BOOLEAN,
      ...Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`o${at}`, STRING])),
    });
    const given = {
      actions: '[{"n":"1","kind":"get","note":null},{"n":2}]',
      dry: "false",
      ...Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`o${at}`, null])),
    };
    const result = judge(schema, given);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.arguments).toEqual({
      actions: [{ n: 1, kind: "Get" }, { n: 2 }],
      dry: false,
    });
    expect(result.repairs).toHaveLength(65 + 5);
  });

  it("tells only the faults that are left, and what was mended on the way", () => {
    const schema = object({ n: { type: "integer", minimum: 1 }, to: STRING }, { required: ["to"] });
    const result = judge(schema, { n: "0" });
    expect(faultsIn(result).map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      " required",
      "/n type",
    ]);
    expect(result.repairs).toEqual([]);
  });

  it("names what was given and what it was read as, but no secret", () => {
    const schema = object({ n: INTEGER, password: INTEGER });
    const result = judge(schema, { n: "5", password: "12345" });
    expect(result.repairs?.map(({ message }) => message)).toEqual([
      'arguments.n was the string "5", read as the number 5',
      "arguments.password was a string (not shown: it may be a secret), read as a number (not shown: it may be a secret)",
    ]);
  });

  it("takes bounded time on large data with many faults", () => {
    const schema = a({ type: "array", items: { type: "object", properties: { n: INTEGER } } });
    const given = { a: Array.from({ length: 20_000 }, (_, at) => ({ n: `x${at}` })) };
    const began = performance.now();
    expect(judge(schema, given).ok).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

interface BfclRow {
  readonly id: string;
  readonly tool_id: string;
  readonly kind: string;
  readonly derived_from: string;
  readonly arguments: Json;
}

/** Kinds of calls that were broken on purpose, and the rules that read each as it was. */
const RESTORED = new Map<string, readonly RepairRuleName[]>([
  ["stringified_integer", ["number-text"]],
  ["stringified_number", ["number-text"]],
  ["stringified_boolean", ["boolean-text"]],
  ["stringified_array", ["json-text", "single-item"]],
  ["stringified_object", ["json-text"]],
  ["enum_wrong_case", ["enum-case"]],
]);

describe(`Broken calls of the Berkeley Function Calling Leaderboard (${CASES})`, () => {
  const tools = readCases("bfcl/tools.jsonl") as readonly {
    readonly tool_id: string;
    readonly parameters_jsonschema: JsonSchema;
  }[];
  const registry = createRegistry(
    tools.map((tool) => ({
      name: tool.tool_id,
      inputSchema: tool.parameters_jsonschema,
      execute: () => null,
    })),
    { strict: true },
  );
  const rows = ["bfcl/cases-derived-policy.jsonl", "bfcl/cases-derived-invalid.jsonl"].flatMap(
    (path) => readCases(path) as readonly BfclRow[],
  );
  const right = new Map(
    (readCases("bfcl/cases-valid.jsonl") as readonly BfclRow[]).map((row) => [
      row.id,
      row.arguments,
    ]),
  );
  const read = (row: BfclRow, repair: RepairMode) =>
    validateCall({
      registry,
      call: { id: row.id, name: row.tool_id, arguments: row.arguments },
      repair,
    });

  it("are read as they were before, where that is mechanical", () => {
    const mendable = rows.filter(
      ({ kind, derived_from }) => RESTORED.has(kind) && right.has(derived_from),
    );
    expect(mendable.length).toBeGreaterThan(50);
    for (const row of mendable) {
      const result = read(row, "safe");
      expect(result.ok && result.arguments, row.id).toEqual(right.get(row.derived_from));
      expect(result.repairs).toHaveLength(1);
      expect(RESTORED.get(row.kind)).toContain(result.repairs?.[0]?.rule);
    }
  });

  it("are refused where a meaning would have to be guessed, also when lenient", () => {
    const lost = rows.filter(({ kind }) => !RESTORED.has(kind) && kind !== "unknown_arg");
    expect(lost.length).toBeGreaterThan(150);
    expect(lost.filter((row) => read(row, "lenient").ok).map(({ id }) => id)).toEqual([]);
  });
});
