/** The interpreter beside ajv: the same verdicts, and errors that are alike. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { adaptSchema } from "../../src/validate/dialect/adapt/adapt.ts";
import { compileFast } from "../../src/validate/dialect/fast.ts";
import { isForAjv } from "../../src/validate/dialect/for-ajv.ts";
import { compileValidator } from "../../src/validate/dialect/index.ts";
import { CASES, readCases, readListedTools } from "../support/cases.ts";

const RUNS = Number(process.env["CALLCHART_FUZZ_RUNS"] ?? 300);

type Errors = ReturnType<ReturnType<typeof compileValidator>["all"]>;

/** What explanations look at, in any order. */
function told(errors: Errors): readonly unknown[] {
  return errors
    .map(({ keyword, instancePath, params, message, schema, parentSchema, propertyName }) => ({
      // Which two items are the same is told otherwise.
      ...(keyword === "uniqueItems" ? {} : { params, message }),
      keyword,
      instancePath,
      schema,
      parentSchema: parentSchema ?? false,
      propertyName: keyword === "propertyNames" ? undefined : propertyName,
    }))
    .toSorted((one, other) => compare(JSON.stringify(one), JSON.stringify(other)));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function createAjv(): Ajv2020 {
  const options = { strict: false, strictNumbers: true, ownProperties: true, verbose: true };
  const ajv = new Ajv2020({ ...options, allErrors: true, logger: false, validateSchema: false });
  addFormatsModule.default(ajv);
  return ajv;
}

/** `undefined`: ajv threw. Its code for what a choice has evaluated does so now and then. */
function byAjv(ajv: Ajv2020, schema: JsonSchema, data: Json): Errors | undefined {
  try {
    void ajv.validate(schema, data);
    return ajv.errors ?? [];
  } catch {
    return undefined;
  } finally {
    if (typeof schema === "object") ajv.removeSchema(schema);
  }
}

// Not `toString`: ajv throws at data with that key where it compares objects.
const KEYS = ["a", "b", "hasOwnProperty"] as const;
const key = fc.constantFrom(...KEYS);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 5, -1.5, "", "a", "ab", "x@y.zz", "😀"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;
const count = fc.nat(3);

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(key, tie("schema"), { maxKeys: 3, noNullPrototype: true });
  const names = fc.uniqueArray(key, { minLength: 1, maxLength: 2 });
  const keywords = {
    type: fc.oneof(
      fc.constantFrom(...TYPES),
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 2 }),
    ),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom("^a", "[0-9]+", "^.$"),
    format: fc.constantFrom("email", "date", "int32", "no-such-format"),
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    items: tie("schema"),
    prefixItems: list,
    contains: tie("schema"),
    minContains: fc.constantFrom(0, 1, 2),
    // Where nothing can fit, ajv does not look at the items.
    maxContains: fc.constantFrom(2, 3),
    minProperties: count,
    maxProperties: count,
    required: names,
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "t"), tie("schema"), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: tie("schema"),
    propertyNames: tie("schema"),
    dependentRequired: fc.dictionary(key, names, { maxKeys: 2, noNullPrototype: true }),
    dependentSchemas: map,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: tie("schema"),
    if: tie("schema"),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: tie("schema"),
    else: tie("schema"),
    $ref: fc.constant("#/$defs/one"),
  };
  const names_ = Object.keys(keywords) as (keyof typeof keywords)[];
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.boolean(),
      fc
        .uniqueArray(fc.constantFrom(...names_), { minLength: 1, maxLength: 3 })
        .chain((chosen) =>
          fc.record(Object.fromEntries(chosen.map((name) => [name, keywords[name]]))),
        ),
    ),
  };
});

const ONE = { type: ["string", "object"], minLength: 1, properties: { a: { type: "number" } } };

describe("The interpreter", () => {
  it("finds the errors that ajv finds, for any schema (property)", () => {
    const ajv = createAjv();
    let faulty = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 4 }), (inner, values) => {
        const whole: JsonSchema = { allOf: [inner], $defs: { one: ONE } };
        const { all, first, schema: read } = compileValidator(whole);
        for (const data of values) {
          const errors = byAjv(ajv, read, data);
          if (errors === undefined) continue;
          if (errors.length > 0) faulty += 1;
          expect(told(all(data))).toEqual(told(errors));
          expect(first(data).length > 0).toBe(errors.length > 0);
        }
      }),
      { numRuns: RUNS },
    );
    expect(faulty).toBeGreaterThan(RUNS / 3);
  });

  it(`finds the errors that ajv finds in calls of real tools (${CASES})`, () => {
    const ajv = createAjv();
    const tools = new Map(
      (
        readCases("bfcl/tools.jsonl") as readonly {
          readonly tool_id: string;
          readonly parameters_jsonschema: JsonSchema;
        }[]
      ).map(({ tool_id, parameters_jsonschema }) => [tool_id, parameters_jsonschema]),
    );
    const rows = readCases("bfcl/cases-derived-invalid.jsonl") as readonly {
      readonly tool_id: string;
      readonly arguments: Json;
    }[];
    let judged = 0;
    for (const row of rows.slice(0, 400)) {
      const { all, schema: read } = compileValidator(tools.get(row.tool_id) ?? true);
      const errors = byAjv(ajv, read, row.arguments) ?? [];
      judged += errors.length;
      expect(told(all(row.arguments))).toEqual(told(errors));
    }
    expect(judged).toBeGreaterThan(20);
  });

  it(`is told apart from ajv by nothing but time (${CASES})`, () => {
    for (const { inputSchema } of readListedTools().slice(0, 100)) {
      const adapted = adaptSchema(inputSchema);
      const { first } = compileValidator(inputSchema);
      const saysValid = compileFast(adapted, true);
      if (!isForAjv(adapted)) continue;
      for (const data of [{}, { path: "a" }, { query: 1, limit: "2" }, [], "a", null]) {
        expect(saysValid(data)).toBe(first(data).length === 0);
      }
    }
  });
});

describe("A validator", () => {
  it("goes over to ajv when it is used much, and judges as before", () => {
    const { first, all } = compileValidator({
      type: "object",
      properties: { a: { type: "string" }, list: { items: { type: "integer" } } },
      required: ["a"],
    });
    const list = Array.from({ length: 2_000 }, (_, at) => at);
    for (let round = 0; round < 10; round += 1) {
      expect(first({ a: "x", list })).toEqual([]);
      expect(all({ a: "x", list })).toEqual([]);
      expect(first({ a: 1 })).toMatchObject([{ keyword: "type", instancePath: "/a" }]);
      expect(all({ list: ["a"] })).toMatchObject([
        { keyword: "required", params: { missingProperty: "a" } },
        { keyword: "type", instancePath: "/list/0" },
      ]);
    }
  });

  it("judges data that only ajv has the stack for", () => {
    const { first } = compileValidator({ type: "object", properties: { a: { $ref: "#" } } });
    let data: Json = {};
    for (let level = 0; level < 3_000; level += 1) data = { a: data };
    expect(first(data)).toEqual([]);
  });

  it("says of deeper data that it cannot be checked", () => {
    const { first, all } = compileValidator({ properties: { a: { $ref: "#" } } });
    let data: Json = {};
    for (let level = 0; level < 200_000; level += 1) data = { a: data };
    for (const errors of [first(data), all(data)]) {
      expect(errors).toMatchObject([{ keyword: "depth", instancePath: "" }]);
      expect(errors[0]?.message).toBe("cannot be checked: it is nested too deep");
    }
  });

  it("ends where references multiply without end, and goes on doing so", () => {
    const names = Array.from({ length: 40 }, (_, at) => `d${at}`);
    const $defs = Object.fromEntries(
      names.map((name, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [name, at === 39 ? { type: "string" } : { allOf: [next, next] }];
      }),
    );
    const { first } = compileValidator({ $ref: "#/$defs/d0", $defs });
    for (let round = 0; round < 2; round += 1) {
      expect(first("a")).toMatchObject([{ keyword: "depth" }]);
    }
  });

  it("tells the first fault only of very large data", () => {
    const { all } = compileValidator({ items: { type: "string" } });
    expect(all(Array.from({ length: 6_000 }, () => 1))).toHaveLength(1);
    expect(all(Array.from({ length: 4_000 }, () => 1))).toHaveLength(4_000);
  });
});
