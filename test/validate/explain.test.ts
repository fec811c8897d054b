import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { failureIn, faultsIn, judge as judgeBy } from "../support/judge.ts";

/** Nothing is mended: what is wrong is to be seen. */
const judge = (schema: JsonSchema, args: Json) => judgeBy(schema, args, { repair: "none" });

/** `[path, keyword, message]` of each fault. */
function told(schema: JsonSchema, args: Json): readonly (readonly string[])[] {
  return faultsIn(judge(schema, args)).map(({ path, keyword, message }) => [
    path,
    keyword,
    message,
  ]);
}

function property(schema: JsonSchema) {
  return { type: "object", properties: { a: schema } };
}

const SHAPES: JsonSchema = {
  type: "object",
  properties: {
    shape: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind", "radius"],
        },
        {
          type: "object",
          properties: { kind: { const: "box" }, width: { type: "number" } },
          required: ["kind", "width"],
        },
      ],
    },
  },
};

describe("Each kind of fault is told with its path, what was given and what is wanted", () => {
  it.each<[string, JsonSchema, Json, string, string, string]>([
    [
      "a missing key",
      {
        type: "object",
        properties: { height: { type: "integer", minimum: 1 } },
        required: ["height"],
      },
      {},
      "",
      "required",
      'arguments must have the key "height" (an integer of at least 1), which is missing',
    ],
    [
      "a nested missing key",
      property({ type: "array", items: { type: "object", required: ["name"] } }),
      { a: [{ name: 1 }, {}] },
      "/a/1",
      "required",
      'arguments.a[1] must have the key "name", which is missing',
    ],
    [
      "a wrong type",
      property({ type: "integer" }),
      { a: "5" },
      "/a",
      "type",
      'arguments.a must be an integer, not the string "5"',
    ],
    [
      "a fraction",
      property({ type: "integer" }),
      { a: 1.5 },
      "/a",
      "type",
      "arguments.a must be an integer, not the number 1.5",
    ],
    [
      "null",
      property({ type: "string" }),
      { a: null },
      "/a",
      "type",
      "arguments.a must be a string, not null",
    ],
    [
      "one of several types",
      property({ type: ["string", "null"] }),
      { a: 1 },
      "/a",
      "type",
      "arguments.a must be a string or null, not the number 1",
    ],
    [
      "a wrong type where values are listed",
      property({ type: "string", enum: ["x", "y"] }),
      { a: 1 },
      "/a",
      "type",
      'arguments.a must be one of "x", "y", not the number 1',
    ],
    [
      "an unlisted value",
      property({ enum: ["x", "y", null] }),
      { a: "X" },
      "/a",
      "enum",
      'arguments.a must be one of "x", "y", null, not the string "X"; did you mean "x"?',
    ],
    [
      "another constant",
      property({ const: "x" }),
      { a: true },
      "/a",
      "const",
      'arguments.a must be "x", not true',
    ],
    [
      "a misspelled key",
      { type: "object", properties: { threshold: {}, query: {} }, additionalProperties: false },
      { treshold: 5 },
      "",
      "additionalProperties",
      'arguments must not have the unknown key "treshold": did you mean "threshold"?',
    ],
    [
      "a strange key",
      { type: "object", properties: { query: {} }, additionalProperties: false },
      { zzz: 5 },
      "",
      "additionalProperties",
      'arguments must not have the unknown key "zzz": allowed are "query"',
    ],
    [
      "any key",
      { type: "object", additionalProperties: false },
      { zzz: 5 },
      "",
      "additionalProperties",
      'arguments must not have the unknown key "zzz": no keys are allowed here',
    ],
    [
      "an unevaluated key",
      { type: "object", allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      "",
      "unevaluatedProperties",
      'arguments must not have the unknown key "b": no keys are allowed here',
    ],
    [
      "a range",
      property({ type: "number", minimum: 1, maximum: 10 }),
      { a: 11 },
      "/a",
      "maximum",
      "arguments.a must be at most 10, not the number 11",
    ],
    [
      "an open range",
      property({ type: "number", exclusiveMinimum: 0 }),
      { a: 0 },
      "/a",
      "exclusiveMinimum",
      "arguments.a must be more than 0, not the number 0",
    ],
    [
      "a multiple",
      property({ multipleOf: 5 }),
      { a: 7 },
      "/a",
      "multipleOf",
      "arguments.a must be a multiple of 5, not the number 7",
    ],
    [
      "a short string",
      property({ minLength: 1 }),
      { a: "" },
      "/a",
      "minLength",
      'arguments.a must have at least 1 character, not the string ""',
    ],
    [
      "a pattern",
      property({ pattern: "^[a-z]+$" }),
      { a: "A" },
      "/a",
      "pattern",
      'arguments.a must fit the pattern ^[a-z]+$, not the string "A"',
    ],
    [
      "a date",
      property({ type: "string", format: "date" }),
      { a: "31.1.2026" },
      "/a",
      "format",
      'arguments.a must be a date such as 2026-01-31, not the string "31.1.2026"',
    ],
    [
      "a format of a wrong type",
      property({ type: "string", format: "uuid" }),
      { a: 7 },
      "/a",
      "type",
      "arguments.a must be a UUID such as 123e4567-e89b-12d3-a456-426614174000, not the number 7",
    ],
    [
      "too many items",
      property({ type: "array", maxItems: 1 }),
      { a: [1, 2] },
      "/a",
      "maxItems",
      "arguments.a must have at most 1 item, not an array of 2 items",
    ],
    [
      "equal items",
      property({ type: "array", uniqueItems: true }),
      { a: [1, 1] },
      "/a",
      "uniqueItems",
      "arguments.a must not hold an item twice (items 0 and 1 are the same)",
    ],
    [
      "no fitting item",
      property({ contains: { type: "number" } }),
      { a: ["x"] },
      "/a",
      "contains",
      "arguments.a must contain at least 1 of: a number",
    ],
    [
      "what is excluded",
      property({ not: { type: "string" } }),
      { a: "x" },
      "/a",
      "not",
      'arguments.a must not be a string, which the string "x" is',
    ],
    [
      "a key with a bad name",
      { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
      { A: 1 },
      "",
      "propertyNames",
      'arguments must not have the key "A": its name is not allowed',
    ],
    [
      "a key that needs another",
      { type: "object", dependentRequired: { a: ["b"] } },
      { a: 1 },
      "",
      "dependentRequired",
      'arguments must have the key "b", which is missing and needed together with "a"',
    ],
    [
      "a forbidden key",
      property(false),
      { a: 1 },
      "/a",
      "false schema",
      "arguments.a must not be given, but is the number 1",
    ],
    [
      "an array for an object",
      property({ type: "object", required: ["x"] }),
      { a: [] },
      "/a",
      "type",
      'arguments.a must be an object with "x", not an array of 0 items',
    ],
    [
      "an object for an array",
      property({ type: "array", items: { type: "string" } }),
      { a: { b: 1 } },
      "/a",
      "type",
      'arguments.a must be an array, each item a string, not an object with "b"',
    ],
    [
      "an odd key",
      { type: "object", additionalProperties: { type: "number" } },
      { "a b/~": "x" },
      "/a b~1~0",
      "type",
      'arguments["a b/~"] must be a number, not the string "x"',
    ],
  ])("%s", (_, schema, args, path, keyword, message) => {
    expect(told(schema, args).filter(([, word]) => word === keyword)).toEqual([
      [path, keyword, message],
    ]);
  });
});

describe("Alternatives are condensed", () => {
  it("to their types when the value fits none", () => {
    const schema = property({
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "null" }],
    });
    expect(told(schema, { a: 5 })).toEqual([
      [
        "/a",
        "anyOf",
        "arguments.a must be a string or an array, each item a string or null, not the number 5",
      ],
    ]);
  });

  it("to the alternative whose type was given", () => {
    const schema = property({
      anyOf: [{ type: "null" }, { type: "array", items: { type: "string" } }],
    });
    expect(told(schema, { a: ["x", 1] })).toEqual([
      ["/a/1", "type", "arguments.a[1] must be a string, not the number 1"],
    ]);
  });

  it("to the alternative whose tag was given", () => {
    expect(told(SHAPES, { shape: { kind: "box" } })).toEqual([
      [
        "/shape",
        "required",
        'arguments.shape must have the key "width" (a number), which is missing',
      ],
    ]);
  });

  it("to the tags there are when another was given", () => {
    expect(told(SHAPES, { shape: { kind: "square" } })[0]).toEqual([
      "/shape/kind",
      "enum",
      'arguments.shape.kind must be one of "circle", "box", not the string "square"',
    ]);
  });

  it("also behind references", () => {
    const schema = {
      ...property({ anyOf: [{ $ref: "#/$defs/point" }, { $ref: "#/$defs/name" }] }),
      $defs: {
        point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
        name: { type: "string" },
      },
    };
    expect(told(schema, { a: { x: "1" } })).toEqual([
      ["/a/x", "type", 'arguments.a.x must be a number, not the string "1"'],
    ]);
    expect(told(schema, { a: 1 })).toEqual([
      ["/a", "anyOf", 'arguments.a must be an object with "x" or a string, not the number 1'],
    ]);
  });

  it("to what is needed when one of two keys is", () => {
    const schema = { type: "object", anyOf: [{ required: ["id"] }, { required: ["name"] }] };
    expect(told(schema, {})).toEqual([
      [
        "",
        "anyOf",
        'arguments must be an object with "id" or an object with "name", not an empty object',
      ],
    ]);
  });

  it("but not when several fit and only one may", () => {
    const schema = property({ oneOf: [{ type: "number" }, { type: "integer" }] });
    expect(told(schema, { a: 1 })).toEqual([
      [
        "/a",
        "oneOf",
        "arguments.a must fit exactly one alternative of its schema, but the number 1 fits several",
      ],
    ]);
  });

  it("and leave faults elsewhere alone", () => {
    const schema = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] }, b: { type: "string" } },
      required: ["c"],
    };
    expect(
      told(schema, { a: 1, b: 1 })
        .map(([path, keyword]) => [path, keyword])
        .toSorted(),
    ).toEqual([
      ["", "required"],
      ["/a", "anyOf"],
      ["/b", "type"],
    ]);
  });

  it("and conditions are told by what they ask for", () => {
    const schema: JsonSchema = JSON.parse(
      '{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}',
    );
    expect(told(schema, { a: 1 })).toEqual([
      ["", "required", 'arguments must have the key "b", which is missing'],
    ]);
  });
});

describe("The message for the model", () => {
  const many: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`k${at}`, { type: "string" }]),
    ),
  };

  it("names the tool, lists all faults and says what to do", () => {
    const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };
    expect(failureIn(judge(schema, { a: "1", b: null }))).toMatchObject({
      code: "invalid_arguments",
      stage: "validate",
      executed: "no",
      handledBy: "model",
      message:
        'The arguments of "t" are not valid, so it was not run:\n' +
        '- arguments.a must be a number, not the string "1"\n' +
        "- arguments.b must be a number, not null\n" +
        "Correct this and call it again.",
    });
  });

  it("tells ten faults and counts the others; programs get all, up to fifty", () => {
    const args = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    const failure = failureIn(judge(many, args));
    expect(failure.message.match(/^- arguments/gm)).toHaveLength(10);
    expect(failure.message).toContain("\n- and 20 more\n");
    expect(failure.faults).toHaveLength(30);
  });

  it("is the same for the same call", () => {
    expect(failureIn(judge(many, { k0: 1 }))).toEqual(failureIn(judge(many, { k0: 1 })));
  });

  it("stays below 4 000 characters whatever is large: keys, values, schemas, paths", () => {
    const long = "x".repeat(100_000);
    const nestedPath = {
      type: "object",
      additionalProperties: { type: "object", additionalProperties: { type: "number" } },
    };
    const calls: readonly (readonly [JsonSchema, Json])[] = [
      [
        { type: "object", additionalProperties: false },
        Object.fromEntries([...Array(50).keys()].map((at) => [`${at}${long}`, 1])),
      ],
      [property({ type: "number" }), { a: long }],
      [property({ enum: [...Array(5_000).keys()].map((at) => `value ${at}`) }), { a: "x" }],
      [property({ enum: [long, long] }), { a: "x" }],
      [property({ type: "string", pattern: `^${long}$` }), { a: "y" }],
      [
        property({ anyOf: [...Array(50).keys()].map((at) => ({ const: `${at}${long}` })) }),
        { a: "x" },
      ],
      [
        nestedPath,
        Object.fromEntries([...Array(20).keys()].map((at) => [`${at}${long}`, { [long]: "x" }])),
      ],
      [{ type: "object", required: [...Array(50).keys()].map((at) => `${at}${long}`) }, {}],
    ];
    for (const [schema, args] of calls) {
      const failure = failureIn(judge(schema, args));
      expect(failure.message.length).toBeLessThanOrEqual(4_000);
      expect(failure.message).toMatch(
        /^The arguments of "t" are not valid[\s\S]*Correct this and call it again\.$/,
      );
      expect(JSON.stringify(failure.faults).length).toBeLessThan(200_000);
    }
  });

  it("tells the first fault alone when the data is large: there may be as many as values", () => {
    const args = { a: Array.from({ length: 100_000 }, () => "x") };
    expect(told(property({ type: "array", items: { type: "number" } }), args)).toEqual([
      ["/a/0", "type", 'arguments.a[0] must be a number, not the string "x"'],
    ]);
  });

  it("never shows the value of a key that looks like a secret's", () => {
    const schema = {
      type: "object",
      properties: {
        password: { type: "string", maxLength: 3 },
        auth: { type: "object", properties: { api_key: { type: "number" } } },
        credentials: { type: "array", items: { type: "number" } },
        max_tokens: { type: "integer" },
      },
    };
    const args = {
      password: "hunter2",
      auth: { api_key: "hunter2" },
      credentials: ["hunter2"],
      max_tokens: "many",
    };
    const { message } = failureIn(judge(schema, args));
    expect(message).toContain(
      "arguments.password must have at most 3 characters, not a string (not shown: it may be a secret)",
    );
    expect(message).toContain('arguments.max_tokens must be an integer, not the string "many"');
    expect(message).not.toContain("hunter2");
  });
});
