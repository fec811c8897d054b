import { describe, expect, it } from "vitest";
import { readTools } from "../../src/cli/read-tools.ts";
import { toSchemaLines, toTypeText } from "../../src/cli/schema-lines.ts";

const schema = { type: "object", properties: { a: { type: "integer" } } };
const declared = [{ name: "f", description: "F.", inputSchema: schema }];

describe("a list of tools", () => {
  it.each([
    ["an array with inputSchema", [{ name: "f", description: "F.", inputSchema: schema }]],
    ["an array with parameters", [{ name: "f", description: "F.", parameters: schema }]],
    [
      "an array whose mapped schema stands beside the original",
      [
        {
          name: "f",
          description: "F.",
          parameters: { type: "dict" },
          parameters_jsonschema: schema,
        },
      ],
    ],
    ["a tools/list result", { tools: [{ name: "f", description: "F.", inputSchema: schema }] }],
    [
      "a JSON-RPC answer",
      {
        jsonrpc: "2.0",
        id: 1,
        result: { tools: [{ name: "f", description: "F.", inputSchema: schema }] },
      },
    ],
    [
      "OpenAI's nested tools",
      [{ type: "function", function: { name: "f", description: "F.", parameters: schema } }],
    ],
    [
      "OpenAI's flat tools",
      [{ type: "function", name: "f", description: "F.", parameters: schema }],
    ],
    ["a single tool", { name: "f", description: "F.", inputSchema: schema }],
  ])("may be %s", (_form, value) => {
    expect(readTools(JSON.stringify(value, null, 2))).toEqual({
      tools: declared,
      broken: new Map(),
    });
  });

  it("may be one tool a line", () => {
    const line = JSON.stringify({ name: "f", description: "F.", parameters: schema });
    const other = JSON.stringify({ name: "g", parameters: schema });
    expect(readTools(`${line}\n\n${other}\n`).tools.map(({ name }) => name)).toEqual(["f", "g"]);
  });

  it("lets OpenAI's functions have no parameters", () => {
    const [tool] = readTools('[{"type":"function","function":{"name":"f"}}]').tools;
    expect(tool?.inputSchema).toEqual({ type: "object", properties: {} });
  });

  it("names what is wrong with single tools and keeps the others", () => {
    const text = JSON.stringify([...declared, 7, { inputSchema: schema }, { name: "h" }]);
    expect(readTools(text)).toEqual({
      tools: declared,
      broken: new Map([
        ["#2", "is a number, not an object"],
        ["#3", "has no name"],
        ["h", "has neither inputSchema nor parameters"],
      ]),
    });
  });

  it("takes the same tool twice for one, and two different ones of one name for none", () => {
    const same = readTools(JSON.stringify([...declared, ...declared]));
    expect(same.tools).toEqual(declared);
    const two = readTools(JSON.stringify([...declared, { name: "f", inputSchema: {} }]));
    expect(two).toEqual({
      tools: [],
      broken: new Map([["f", "is declared more than once, with different schemas"]]),
    });
  });

  it.each([
    ["", "is empty"],
    ["{", "is not JSON"],
    ['{"name":"f"}\n{', "has no JSON in line 2"],
    ["7", "has no list of tools"],
    ['{"error":{"code":1}}', "has no list of tools"],
    ["[]", "lists no tools"],
  ])("is refused when it is none: %j", (text, message) => {
    expect(() => readTools(text)).toThrow(message);
  });
});

describe("schemas for people", () => {
  it("are one line a property, nested ones below", () => {
    expect(
      toSchemaLines({
        type: "object",
        required: ["city"],
        properties: {
          city: { type: "string", description: "Where.\nReally." },
          unit: { enum: ["c", "f"] },
          days: {
            type: "array",
            items: { type: "object", properties: { n: { type: "integer" } } },
          },
        },
      }),
    ).toEqual([
      "city  string (required)  Where. Really.",
      'unit  "c" | "f"',
      "days  object[]",
      "  n  integer",
    ]);
  });

  it("say so when there are no arguments", () => {
    expect(toSchemaLines({ type: "object", properties: {} })).toEqual(["no arguments"]);
  });

  it.each([
    [true, "any"],
    [{}, "any"],
    [{ const: 3 }, "3"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ anyOf: [{ type: "string" }, { type: "array", items: {} }] }, "string | any[]"],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, "1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | …"],
  ])("name types in few words: %j", (given, text) => {
    expect(toTypeText(given)).toBe(text);
  });
});
