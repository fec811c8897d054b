/** Schemas as tools declare them. */

import { Ajv2019 } from "ajv/dist/2019.js";
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { compileValidator, SchemaError } from "../../src/validate/dialect/index.ts";
import { CASES, readCases, readListedTools } from "../support/cases.ts";

function accepts(schema: unknown, data: unknown): boolean {
  // Whatever a program hands over.
  return compileValidator(schema as JsonSchema).first(data as Json).length === 0;
}

function faultsOf(schema: unknown): readonly string[] {
  try {
    compileValidator(schema as JsonSchema);
  } catch (thrown) {
    if (thrown instanceof SchemaError) return thrown.faults.map(({ path }) => path);
    throw thrown;
  }
  return [];
}

interface NastyRow {
  readonly id: string;
  readonly schema: unknown;
  readonly valid_sample: unknown;
  readonly invalid_sample: unknown;
  readonly generator?: string;
}

/** What its row names and does not write out. */
function generated(kind: string): NastyRow {
  const row = { id: kind, generator: kind };
  if (kind === "wide-2000") {
    const names = Array.from({ length: 2_000 }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const valid = Object.fromEntries(names.map((name) => [name, "x"]));
    const schema = { type: "object", properties, additionalProperties: false };
    return { ...row, schema, valid_sample: valid, invalid_sample: { ...valid, p7: 1 } };
  }
  if (kind === "description-1mb") {
    const a = { type: "string", description: "x".repeat(1_000_000) };
    const schema = { type: "object", properties: { a } };
    return { ...row, schema, valid_sample: { a: "x" }, invalid_sample: { a: 1 } };
  }
  let [schema, valid, invalid]: [unknown, unknown, unknown] = [{ type: "string" }, "x", 1];
  for (let level = 0; level < 200; level += 1) {
    schema = { type: "object", properties: { a: schema }, required: ["a"] };
    [valid, invalid] = [{ a: valid }, { a: invalid }];
  }
  return { ...row, schema, valid_sample: valid, invalid_sample: invalid };
}

describe(`Schemas that no standard allows (${CASES})`, () => {
  const rows = (readCases("schema-dialects/nasty-schemas.jsonl") as readonly NastyRow[]).map(
    (row) => (row.generator === undefined ? row : generated(row.generator)),
  );
  /** Rows that have no meaning, and where that is told. */
  const meaningless = new Map([
    ["ref-dangling", "/properties/issue/$ref"],
    ["ref-external", "/properties/p/$ref"],
  ]);

  it.each(rows.map((row) => [row.id, row] as const))("judge as they were meant: %s", (id, row) => {
    const told = meaningless.get(id);
    if (told !== undefined) {
      expect(faultsOf(row.schema)).toEqual([told]);
      return;
    }
    if (row.valid_sample !== null) expect(accepts(row.schema, row.valid_sample)).toBe(true);
    if (row.invalid_sample !== null) expect(accepts(row.schema, row.invalid_sample)).toBe(false);
  });
});

interface ConvertedRow {
  readonly id: string;
  readonly schema?: JsonSchema;
  readonly samples?: readonly {
    readonly args: Json;
    readonly args_text?: string;
    /** What the library says, and what ajv says of the converted schema; `null`: ajv could not compile it. */
    readonly zod: boolean;
    readonly ajv: boolean | null;
  }[];
}

describe(`Schemas that converters emit (${CASES})`, () => {
  const rows = readCases("schema-dialects/converted-schemas.jsonl") as readonly ConvertedRow[];

  it("compile, all of them", () => {
    for (const { id, schema } of rows) {
      if (schema !== undefined) expect(faultsOf(schema), id).toEqual([]);
    }
  });

  it("judge as the library does, or as the schema that came out says", () => {
    const ajv = new Ajv2019({
      strict: false,
      validateSchema: false,
      ownProperties: true,
      logger: false,
    });
    const wrong = rows.flatMap(({ id, schema, samples = [] }) => {
      if (schema === undefined) return [];
      const { first } = compileValidator(schema);
      return samples.flatMap(({ args, args_text, zod, ajv: by }) => {
        const data: Json = args_text === undefined ? args : JSON.parse(args_text);
        const bySchema = by ?? judgedBy(ajv, schema, args);
        const verdict = first(data).length === 0;
        return verdict === zod || verdict === bySchema ? [] : [`${id}: ${JSON.stringify(args)}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

/** `undefined`: not even this one compiles it. */
function judgedBy(ajv: Ajv2019, schema: JsonSchema, args: Json): unknown {
  try {
    return ajv.validate(withoutDialect(schema), args);
  } catch {
    return undefined;
  }
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const { $schema: _, ...bare } = schema;
  return bare;
}

describe(`Schemas that servers list (${CASES})`, () => {
  it("compile as they are", () => {
    for (const { file, name, inputSchema } of readListedTools()) {
      expect(compileValidator(inputSchema).changes, `${file} ${name}`).toEqual([]);
    }
  });
});

interface BfclTool {
  readonly tool_id: string;
  readonly parameters: JsonSchema;
  readonly parameters_jsonschema: JsonSchema;
}

interface BfclCase {
  readonly tool_id: string;
  readonly arguments: Json;
}

describe(`Tools in the words of BFCL (${CASES})`, () => {
  const tools = new Map(
    (readCases("bfcl/tools.jsonl") as readonly BfclTool[]).map((tool) => [
      tool.tool_id,
      [compileValidator(tool.parameters), compileValidator(tool.parameters_jsonschema)] as const,
    ]),
  );

  it.each(["cases-valid", "cases-derived-invalid", "cases-derived-policy"])(
    "judge as their translation does: %s",
    (file) => {
      let judged = 0;
      for (const row of readCases(`bfcl/${file}.jsonl`) as readonly BfclCase[]) {
        const [raw, translated] = tools.get(row.tool_id) ?? [];
        if (raw === undefined || translated === undefined) continue;
        judged += 1;
        const told = (errors: ReturnType<typeof raw.all>): unknown =>
          errors.map(({ keyword, instancePath }) => `${instancePath} ${keyword}`);
        expect(told(raw.all(row.arguments))).toEqual(told(translated.all(row.arguments)));
      }
      expect(judged).toBeGreaterThan(10);
    },
  );
});

/** A schema, data that fits it, and data that does not. */
type Meaning = readonly [what: string, schema: unknown, valid: unknown[], invalid: unknown[]];

const NULLABLE: readonly Meaning[] = [
  ["a type", { type: "string", nullable: true }, ["a", null], [1]],
  ["types", { type: ["string", "number"], nullable: true }, ["a", 1, null], [true]],
  ["an enum", { type: "string", enum: ["a"], nullable: true }, ["a", null], ["b", 1]],
  ["a const", { const: "a", nullable: true }, ["a", null], ["b"]],
  [
    "a reference",
    { $ref: "#/$defs/A", nullable: true, $defs: { A: { type: "string" } } },
    ["a", null],
    [1],
  ],
  ["a choice", { oneOf: [{ type: "string" }, { type: "null" }], nullable: true }, ["a", null], [1]],
  ["allOf", { allOf: [{ type: "string" }, { minLength: 2 }], nullable: true }, ["ab", null], ["a"]],
  ["nothing else", { nullable: true }, ["a", null, 1], []],
  ["as text", { type: "STRING", nullable: "true" }, ["a", null], [1]],
  ["x-nullable", { type: "string", "x-nullable": true }, ["a", null], [1]],
  ["false", { type: "string", nullable: false }, ["a"], [null, 1]],
];

const WORDS: readonly Meaning[] = [
  [
    "of Gemini",
    { type: "OBJECT", properties: { n: { type: "INTEGER" } } },
    [{ n: 1 }],
    [{ n: "1" }],
  ],
  ["unspecified", { type: "TYPE_UNSPECIFIED" }, [1, "a", null], []],
  [
    "of Python",
    { type: "dict", properties: { a: { type: "list" } } },
    [{ a: [] }],
    [{ a: {} }, []],
  ],
  [
    "of Java",
    { type: "HashMap", properties: { a: { type: "Boolean" } } },
    [{ a: true }],
    [{ a: 1 }],
  ],
  ["long and double", { items: [{ type: "long" }, { type: "double" }] }, [[1, 1.5]], [[1.5, 1]]],
  ["in a list", { type: ["STRING", null] }, ["a", null], [1]],
  ["None", { type: "None" }, [null], [0, ""]],
  ["empty", { type: "" }, [1, "a"], []],
  ["any", { properties: { a: { type: "any" } } }, [{ a: 1 }, { a: null }], []],
  ["null for none", { type: null, enum: null, minimum: null }, [1, "a"], []],
  [
    "alone",
    { properties: { a: "string" }, additionalProperties: "false" },
    [{ a: "x" }],
    [{ a: 1 }, { b: 1 }],
  ],
  [
    "as data",
    { properties: { type: { enum: ["dict", "STRING"] }, const: { const: { type: "dict" } } } },
    [{ type: "dict", const: { type: "dict" } }],
    [{ type: "object" }, { const: { type: "object" } }],
  ],
];

const HABITS: readonly Meaning[] = [
  [
    "required in properties",
    { properties: { a: { required: true }, b: { required: false } }, required: ["c"] },
    [{ a: 1, c: 1 }],
    [{ c: 1 }, { a: 1 }],
  ],
  ["required of a nested one", { items: { required: true } }, [[1]], []],
  ["one required name", { required: "a" }, [{ a: 1 }], [{}]],
  [
    "a property called required",
    { properties: { required: { type: "string" } } },
    [{ required: "a" }],
    [{ required: true }],
  ],
  [
    "numbers as text",
    { minimum: "3", maxLength: "2", maxItems: "1" },
    [3, "ab", [1]],
    [2, "abc", [1, 2]],
  ],
  ["bounds of draft-04", { minimum: 0, exclusiveMinimum: true }, [1], [0, -1]],
  ["bounds that exclude nothing", { minimum: 0, exclusiveMinimum: false }, [0], [-1]],
  ["bounds without a number", { exclusiveMaximum: true }, [1e9], []],
  ["negative factors", { multipleOf: -2 }, [4], [3]],
  ["a factor of 0", { multipleOf: 0 }, [4, 3.3], []],
  ["negative least counts", { minLength: -1, minItems: -5 }, ["", []], []],
  [
    "PHP's empty objects",
    { type: "object", properties: [], $defs: [], items: [] },
    [{ a: 1 }],
    [[]],
  ],
  ["empty choices", { anyOf: [], oneOf: [], allOf: [] }, [1, {}], []],
  [
    "repeated values",
    { type: ["string", "string"], required: ["a", "a"], enum: ["x", "x"] },
    ["x"],
    [1],
  ],
  [
    "words that are none",
    { title: 3, description: ["a"], format: 1, $comment: {}, examples: "x" },
    [1],
    [],
  ],
  ["$async", { $async: true, type: "string" }, ["a"], [1]],
  ["$data", { properties: { a: { $data: "1/b" } } }, [{ a: 1 }], []],
];

const DIALECTS: readonly Meaning[] = [
  [
    "draft-04 ids",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "http://x.test/a",
      properties: { a: { $ref: "#b" } },
      definitions: { b: { id: "#b", type: "string" } },
    },
    [{ a: "x" }],
    [{ a: 1 }],
  ],
  [
    "a tuple of draft-07",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: [{ type: "string" }],
      additionalItems: { type: "number" },
    },
    [["a", 1], []],
    [[1], ["a", "b"]],
  ],
  [
    "a tuple without a dialect",
    { items: [{ type: "string" }], additionalItems: false },
    [["a"]],
    [["a", 1]],
  ],
  [
    "a reference into a tuple",
    {
      properties: { a: { items: [{ type: "string" }, {}] }, b: { $ref: "#/properties/a/items/0" } },
    },
    [{ b: "x" }],
    [{ b: 1 }],
  ],
  [
    "a reference into a nullable choice",
    {
      properties: {
        a: { oneOf: [{ type: "string" }], nullable: true },
        b: { $ref: "#/properties/a/oneOf/0" },
      },
    },
    [{ a: null, b: "x" }],
    [{ b: 1 }, { b: null }],
  ],
  [
    "siblings of $ref in draft-07",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/S", maxLength: 2 } },
      definitions: { S: { type: "string" } },
    },
    [{ a: "abc" }],
    [{ a: 1 }],
  ],
  [
    "2019-09 with #",
    { $schema: "https://json-schema.org/draft/2019-09/schema#", dependentRequired: { a: ["b"] } },
    [{ b: 1 }],
    [{ a: 1 }],
  ],
  [
    "$recursiveRef",
    {
      $schema: "https://json-schema.org/draft/2019-09/schema",
      $recursiveAnchor: true,
      type: "object",
      properties: { a: { $recursiveRef: "#" } },
    },
    [{ a: { a: {} } }],
    [{ a: { a: 1 } }],
  ],
  ["an unknown dialect", { $schema: "urn:mine", type: "string" }, ["a"], [1]],
  ["no dialect at all", { $schema: null, type: "string" }, ["a"], [1]],
  [
    "OpenAPI's components",
    {
      $ref: "#/components/schemas/A",
      components: {
        schemas: {
          A: { type: "ARRAY", items: { $ref: "#/components/schemas/B" } },
          B: { type: "STRING", nullable: true },
        },
      },
    },
    [["a", null]],
    [[1], "a"],
  ],
  [
    "generated ids",
    {
      $schema: "http://json-schema.org/draft-07/schema",
      $id: "http://x.test/r.json",
      properties: { a: { $id: "#/properties/a", type: "string" } },
    },
    [{ a: "x" }],
    [{ a: 1 }],
  ],
  [
    "a dialect of a part",
    {
      properties: {
        a: { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
      },
    },
    [{ a: ["x"] }],
    [{ a: [1] }],
  ],
  ["no schema", null, [{}, { a: 1 }], [[], "a"]],
  [
    "newer words in an older dialect",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      prefixItems: [{ type: "string" }],
      items: false,
      dependentRequired: { a: ["b"] },
    },
    [["a"], {}],
    [[1], ["a", 1], { a: 1 }],
  ],
];

describe.each([
  ["nullable with", NULLABLE],
  ["type words", WORDS],
  ["habits", HABITS],
  ["dialects", DIALECTS],
])("%s", (_, meanings) => {
  it.each(meanings)("%s", (_, schema, valid, invalid) => {
    for (const data of valid) expect(accepts(schema, data), JSON.stringify(data)).toBe(true);
    for (const data of invalid) expect(accepts(schema, data), JSON.stringify(data)).toBe(false);
  });
});

describe("A schema without a safe meaning", () => {
  it.each([
    ["a type that is none", { properties: { a: { type: "strng" } } }, "/properties/a/type"],
    ["a file", { type: "file" }, "/type"],
    ["a type of parts", { type: [{ type: "string" }] }, "/type"],
    ["an enum that is no list", { enum: "a" }, "/enum"],
    ["a number that is none", { minimum: "many" }, "/minimum"],
    ["a count below 0", { maxItems: -1 }, "/maxItems"],
    ["names that are none", { required: [1] }, "/required"],
    ["a property that is none", { properties: { a: "The city" } }, "/properties/a"],
    ["a list of properties", { properties: [{ name: "a" }] }, "/properties"],
    ["null as an alternative", { anyOf: [{ type: "string" }, null] }, "/anyOf/1"],
    ["alternatives that are no list", { oneOf: { a: {} } }, "/oneOf"],
    ["a pattern that is none", { patternProperties: { "(": {} } }, "/patternProperties/("],
    ["a pattern that JavaScript reads otherwise", { pattern: "\\Qa.b\\E" }, "/pattern"],
    ["two tuples", { prefixItems: [{}], items: [{}] }, "/items"],
    ["a missing reference", { $ref: "#/$defs/A" }, "/$ref"],
    ["a missing anchor", { properties: { a: { $ref: "#a" } } }, "/properties/a/$ref"],
    ["a missing document", { $ref: "other.json" }, "/$ref"],
    ["a reference to no schema", { $ref: "#/required", required: ["a"] }, "/$ref"],
    ["an endless reference", { $ref: "#" }, "/$ref"],
    [
      "an endless way round",
      { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#" }] } } },
      "/$defs/a/anyOf/0/$ref",
    ],
    ["no schema at all", "a text", ""],
    ["a list", [{ type: "string" }], ""],
  ])("is refused with its place: %s", (_, schema, path) => {
    expect(faultsOf(schema)).toContain(path);
  });

  it("tells every place, the first three in its message", () => {
    const properties = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, { type: "x" }]));
    try {
      compileValidator({ properties });
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(TypeError);
      const { faults, message } = thrown as SchemaError;
      expect(faults).toHaveLength(4);
      expect(message.split("; ")).toHaveLength(3);
      expect(message).toContain("(at #/properties/a/type)");
    }
  });

  it("is refused when it is nested too deep, at once", () => {
    let schema: JsonSchema = { type: "string" };
    for (let level = 0; level < 5_000; level += 1) schema = { items: schema };
    expect(() => compileValidator(schema)).toThrow(/nested too deep/);
  });
});

describe("Changes", () => {
  it("are told with their places, in the schema as it was given", () => {
    const { changes, schema } = compileValidator({
      type: "dict",
      properties: { a: { items: [{ type: "float" }], nullable: true } },
    });
    expect(changes.map(({ path }) => path).toSorted()).toEqual([
      "/properties/a/items",
      "/properties/a/items/0/type",
      "/properties/a/nullable",
      "/type",
    ]);
    expect(schema).toEqual({
      type: "object",
      properties: { a: { prefixItems: [{ type: "number" }] } },
    });
  });

  it("are made on a copy", () => {
    const given = { type: "dict", properties: { a: { type: "float", required: true } } };
    const before = structuredClone(given);
    compileValidator(given);
    expect(given).toEqual(before);
  });

  it("leave a schema that needs none as it is", () => {
    const given = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(compileValidator(given)).toMatchObject({ changes: [], dialect: "2020-12" });
    expect(compileValidator(given).schema).toBe(given);
  });
});
