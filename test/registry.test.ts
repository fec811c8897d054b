import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type BrokenTool, createRegistry } from "../src/registry.ts";
import type { AnyTool, JsonSchema } from "../src/tool.ts";

/** A tool, whole or with whatever faults. */
function tool(name: string, more: object = {}): AnyTool {
  return { name, inputSchema: { type: "object" }, execute: () => null, ...more };
}

function deep(levels: number): JsonSchema {
  return JSON.parse(`${'{"properties":{"a":'.repeat(levels)}{}${"}}".repeat(levels)}`);
}

/** The reasons of the broken tools among these. */
function brokenIn(tools: readonly AnyTool[]): readonly BrokenTool[] {
  return createRegistry(tools, { onBroken: () => {} }).broken;
}

describe("A registry", () => {
  it("finds tools by exactly their name, and never what every object inherits", () => {
    const registry = createRegistry([tool("a"), tool("b.c/d:e_f-g")]);
    expect(registry.names()).toEqual(["a", "b.c/d:e_f-g"]);
    expect(registry.get("a")?.tool.name).toBe("a");
    for (const name of ["A", "constructor", "toString", "__proto__", ""]) {
      expect(registry.get(name)).toBeUndefined();
    }
  });

  it("lists what a model is told", () => {
    const annotations = { readOnlyHint: true };
    const registry = createRegistry([
      tool("a", { description: "Does a.", annotations }),
      tool("b", { inputSchema: z.object({ n: z.number() }) }),
    ]);
    expect(registry.list()).toEqual([
      { name: "a", description: "Does a.", inputSchema: { type: "object" }, annotations },
      {
        name: "b",
        inputSchema: expect.objectContaining({ properties: { n: { type: "number" } } }),
      },
    ]);
  });

  it("does not notice when a schema is changed after it was registered", () => {
    const inputSchema = { type: "object", properties: { a: { type: "number" } } };
    const registry = createRegistry([tool("a", { inputSchema })]);
    inputSchema.properties.a.type = "string";
    expect(registry.get("a")?.check({ a: 1 })).toEqual([]);
    expect(registry.get("a")?.inputSchema).toMatchObject({ properties: { a: { type: "number" } } });
  });

  it("gives each attempt a copy of the arguments", () => {
    const registered = createRegistry([tool("a")]).get("a");
    const args = { list: [1] };
    const first = registered?.toArguments(args);
    expect(first).toEqual(args);
    expect(first).not.toBe(args);
    expect(first).not.toBe(registered?.toArguments(args));
  });

  it("checks outputs when there is a schema for them, and calls them so", () => {
    const registry = createRegistry([tool("a", { outputSchema: { type: "number" } }), tool("b")]);
    expect(registry.get("a")?.checkOutput?.(1)).toEqual([]);
    expect(registry.get("a")?.checkOutput?.("x")).toEqual([
      { path: "", keyword: "type", message: 'output must be a number, not the string "x"' },
    ]);
    expect(registry.get("b")?.checkOutput).toBeUndefined();
  });

  it("refuses two tools of one name, also when one of them is broken", () => {
    expect(() => createRegistry([tool("a"), tool("a")])).toThrow(
      new TypeError('Two tools are named "a". Rename one of them.'),
    );
    expect(() => createRegistry([tool("a"), tool("a", { executionTimeoutMs: -1 })])).toThrow(
      TypeError,
    );
  });
});

describe("A broken tool", () => {
  it.each<[string, object, RegExp]>([
    [
      "a type that is none",
      { inputSchema: { type: "objekt" } },
      /^its inputSchema cannot be compiled: the schema\.type must be .*"object".*, not the string "objekt" \(at #\/type\)/,
    ],
    [
      "a nested type that is none",
      { inputSchema: { properties: { a: { type: "strng" } } } },
      /the schema\.properties\.a\.type must be .*\(at #\/properties\/a\/type\)/,
    ],
    [
      "a reference to nothing",
      { inputSchema: { properties: { a: { $ref: "#/$defs/Issue" } } } },
      /#\/\$defs\/Issue.*\(at #\/properties\/a\/\$ref\)/,
    ],
    [
      "a remote reference",
      { inputSchema: { properties: { a: { $ref: "https://example.org/x.json" } } } },
      /https:\/\/example\.org.*\(at #\/properties\/a\/\$ref\)/,
    ],
    [
      "a reference to itself",
      { inputSchema: { properties: { a: { allOf: [{ $ref: "#/properties/a" }] } } } },
      /refers to itself without an end/,
    ],
    [
      "a pattern that is none",
      { inputSchema: { properties: { a: { pattern: "[" } } } },
      /Invalid regular expression/,
    ],
    [
      "a pattern of keys that is none",
      { inputSchema: { patternProperties: { "[": {} } } },
      /cannot be compiled/,
    ],
    [
      "a text for a number",
      { inputSchema: { properties: { a: { minimum: "one" } } } },
      /minimum must be a number, not the string "one"/,
    ],
    [
      "something else for a property's schema",
      { inputSchema: { properties: { a: 5 } } },
      /must be a JSON Schema .*, not 5 \(at #\/properties\/a\)/,
    ],
    ["ten thousand levels", { inputSchema: deep(10_000) }, /500 levels/],
    [
      "a type that no arguments have",
      { inputSchema: { type: "string" } },
      /it accepts string, but arguments are always an object/,
    ],
    [
      "types that no arguments have",
      { inputSchema: { type: ["array", "null"] } },
      /it accepts array or null/,
    ],
    ["a schema that accepts nothing", { inputSchema: false }, /it accepts nothing/],
    [
      "a function in its schema",
      { inputSchema: { type: "object", properties: { a: { default: () => 1 } } } },
      /not plain JSON \(\/properties\/a\/default: a function/,
    ],
    ["no schema", { inputSchema: undefined }, /it has no inputSchema/],
    [
      "a list for a schema",
      { inputSchema: [] },
      /neither a JSON Schema \(an object\) nor a Standard Schema/,
    ],
    [
      "a broken output schema",
      { outputSchema: { type: "objekt" } },
      /^its outputSchema cannot be compiled/,
    ],
    ["no function", { execute: undefined }, /it has no function `execute`/],
    ["a timeout of 0", { executionTimeoutMs: 0 }, /executionTimeoutMs must be more than 0/],
    ["a timeout that is too long for a timer", { graceMs: 2_147_483_648 }, /graceMs must be/],
    ["an approval timeout of NaN", { approvalTimeoutMs: Number.NaN }, /approvalTimeoutMs must be/],
    [
      "no attempts",
      { retry: { maxAttempts: 0 } },
      /retry\.maxAttempts must be a whole number of at least 1/,
    ],
    ["no concurrency", { concurrency: 0 }, /concurrency must be a whole number/],
  ])(
    "with %s is reported by name when it is registered, and the others work",
    (_, fault, reason) => {
      const registry = createRegistry([tool("good"), tool("bad", fault), tool("better")], {
        onBroken: () => {},
      });
      expect(registry.broken).toEqual([{ name: "bad", reason: expect.stringMatching(reason) }]);
      expect(registry.names()).toEqual(["good", "better"]);
      expect(registry.get("bad")).toBeUndefined();
      expect(registry.get("good")?.check({ a: 1 })).toEqual([]);
    },
  );

  it.each(["", "a b", "ä", "x".repeat(129), "a\n"])("is one named %j", (name) => {
    expect(brokenIn([tool(name)])[0]?.reason).toMatch(/its name must be 1 to 128 letters, digits/);
  });

  it("is one that is no tool at all", () => {
    const tools = [null, 1, "x", {}, Object.create(null)] as unknown as AnyTool[];
    expect(brokenIn(tools).map(({ name }) => name)).toEqual([
      "(tool 1)",
      "(tool 2)",
      "(tool 3)",
      "(tool 4)",
      "(tool 5)",
    ]);
  });

  it("is told to onBroken, and as a process warning by default", () => {
    const onBroken = vi.fn();
    createRegistry([tool("bad", { inputSchema: { type: "objekt" } })], { onBroken });
    expect(onBroken).toHaveBeenCalledExactlyOnceWith({ name: "bad", reason: expect.any(String) });
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    createRegistry([tool("bad", { inputSchema: { type: "objekt" } })]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('The tool "bad" cannot be used: its inputSchema'),
      { type: "CallchartWarning" },
    );
    warn.mockRestore();
  });

  it("throws with `strict`, and all of them are named", () => {
    const tools = [tool("a"), tool("b", { inputSchema: false }), tool("c", { graceMs: -1 })];
    expect(() => createRegistry(tools, { strict: true })).toThrow(
      /^2 of 3 tools cannot be used: "b": .*; "c": its graceMs/,
    );
    expect(() => createRegistry(tools, { strict: true })).toThrow(TypeError);
  });
});

describe("A schema as it is in the wild", () => {
  it.each<[string, object | null, object, object | undefined]>([
    [
      "type words of Python",
      { type: "dict", properties: { a: { type: "float" } } },
      { a: 1.5 },
      { a: "x" },
    ],
    [
      "upper-case types",
      { type: "OBJECT", properties: { a: { type: "STRING" } } },
      { a: "x" },
      { a: {} },
    ],
    ["nullable", { properties: { a: { type: "string", nullable: true } } }, { a: null }, { a: {} }],
    [
      "a flag for required",
      { properties: { a: { type: "string", required: true } } },
      { a: "x" },
      {},
    ],
    [
      "a limit of draft-04",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        properties: { a: { minimum: 0, exclusiveMinimum: true } },
      },
      { a: 1 },
      { a: 0 },
    ],
    ["a limit as text", { properties: { a: { minimum: "3" } } }, { a: 3 }, { a: 2 }],
    ["no schema at all", null, {}, undefined],
  ])("is read as it was meant: %s", (_, inputSchema, right, wrong) => {
    const registered = createRegistry([tool("a", { inputSchema })], { strict: true }).get("a");
    // What a schema's own dialect means by it is no change.
    const isDeclared = inputSchema !== null && "$schema" in inputSchema;
    expect(registered?.schemaChanges.length === 0).toBe(isDeclared);
    expect(registered?.check(right as never)).toEqual([]);
    if (wrong !== undefined) expect(registered?.check(wrong as never)).not.toEqual([]);
  });

  it("may refer to documents that the registry is given, and to no others", () => {
    const city = { $id: "https://example.org/city", type: "string", minLength: 2 };
    const inputSchema = { properties: { a: { $ref: "https://example.org/city" } } };
    const schemas = { schemas: { "https://example.org/city": city } };
    const registered = createRegistry([tool("a", { inputSchema })], { strict: true, schemas }).get(
      "a",
    );
    expect(registered?.check({ a: "Oslo" })).toEqual([]);
    expect(registered?.check({ a: "O" })).toMatchObject([{ path: "/a", keyword: "minLength" }]);
  });
});

describe("Schemas of one registry", () => {
  it("may carry the same $id, $anchor and definitions, and mean different things", () => {
    const registry = createRegistry(
      ["number", "string"].map((type) =>
        tool(type, {
          inputSchema: {
            $id: "https://example.org/tool",
            type: "object",
            properties: { a: { $ref: "#a" }, b: { $ref: "inner" } },
            $defs: { a: { $anchor: "a", type }, b: { $id: "inner", type } },
          },
        }),
      ),
      { strict: true },
    );
    expect(registry.get("number")?.check({ a: 1, b: 1 })).toEqual([]);
    expect(registry.get("string")?.check({ a: "x", b: "x" })).toEqual([]);
    expect(
      registry
        .get("string")
        ?.check({ a: 1, b: 1 })
        .map(({ path }) => path),
    ).toEqual(["/a", "/b"]);
  });

  it("may be registered again and again, also after one was broken", () => {
    const inputSchema = { $id: "x", type: "object", properties: { a: { $ref: "#/$defs/none" } } };
    const mended = { ...inputSchema, $defs: { none: { type: "number" } } };
    for (let round = 0; round < 3; round += 1) {
      expect(brokenIn([tool("a", { inputSchema })])).toHaveLength(1);
      const registry = createRegistry([tool("a", { inputSchema: mended })], { strict: true });
      expect(registry.get("a")?.check({ a: "x" })).toHaveLength(1);
    }
  });

  it.each<[string, JsonSchema, readonly number[], number]>([
    // In draft-07 `items` is a tuple; in 2019-09 too; in 2020-12 `prefixItems` is.
    [
      "draft-06",
      {
        $schema: "http://json-schema.org/draft-06/schema#",
        properties: { a: { items: [{ type: "string" }] } },
      },
      [1],
      1,
    ],
    [
      "draft-07",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { items: [{ type: "string" }] } },
      },
      [1],
      1,
    ],
    [
      "draft-07 over https, with no #",
      {
        $schema: "https://json-schema.org/draft-07/schema",
        properties: { a: { items: [{ type: "string" }] } },
      },
      [1],
      1,
    ],
    [
      "2019-09",
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        properties: { a: { items: [{ type: "string" }], unevaluatedItems: false } },
      },
      [1, 2],
      2,
    ],
    [
      "2020-12",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { a: { prefixItems: [{ type: "string" }] } },
      },
      [1],
      1,
    ],
    [
      "2020-12 without $schema",
      { properties: { a: { prefixItems: [{ type: "string" }] } } },
      [1],
      1,
    ],
    [
      "2020-12 for a $schema that nobody knows",
      {
        $schema: "https://example.org/mine",
        properties: { a: { prefixItems: [{ type: "string" }] } },
      },
      [1],
      1,
    ],
  ])("are compiled by the draft that they name: %s", (_, inputSchema, a, faults) => {
    const registered = createRegistry([tool("a", { inputSchema })], { strict: true }).get("a");
    expect(registered?.check({ a })).toHaveLength(faults);
  });

  it("ignore keywords and formats that nobody knows", () => {
    const inputSchema = {
      type: "object",
      propertyOrdering: ["a"],
      properties: { a: { type: "string", format: "uint32", optional: true, example: 1 } },
    };
    expect(
      createRegistry([tool("a", { inputSchema })], { strict: true })
        .get("a")
        ?.check({ a: "x" }),
    ).toEqual([]);
  });

  it("do not take NaN and Infinity for numbers", () => {
    const inputSchema = { type: "object", properties: { a: { type: "number" } } };
    const registered = createRegistry([tool("a", { inputSchema })], { strict: true }).get("a");
    expect(registered?.check({ a: Number.NaN })).toHaveLength(1);
    expect(registered?.check({ a: Number.POSITIVE_INFINITY })).toHaveLength(1);
  });

  it("may be recursive; data that is too deep for them is a fault, not an exception", () => {
    const inputSchema = { type: "object", properties: { next: { $ref: "#" } } };
    const registered = createRegistry([tool("a", { inputSchema })], { strict: true }).get("a");
    let data = {};
    for (let level = 0; level < 100_000; level += 1) data = { next: data };
    expect(registered?.check(data)).toEqual([
      { path: "", keyword: "depth", message: "arguments cannot be checked: it is nested too deep" },
    ]);
    expect(registered?.check({ next: { next: {} } })).toEqual([]);
  });
});
