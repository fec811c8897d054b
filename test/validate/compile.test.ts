/** Compiling many schemas: what one leaves behind must not reach another. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { adaptSchema } from "../../src/validate/dialect/adapt/adapt.ts";
import { compileFast } from "../../src/validate/dialect/fast.ts";
import { type CompileOptions, compileValidator } from "../../src/validate/dialect/index.ts";
import { CASES, readListedTools } from "../support/cases.ts";

function accepts(schema: JsonSchema, data: Json, options: CompileOptions = {}): boolean {
  return compileValidator(schema, options).first(data).length === 0;
}

describe("Schemas of one name", () => {
  it("mean what each of them says, in any order and again", () => {
    const named = (type: string): JsonSchema => ({
      $id: "https://example.test/tool.json",
      type: "object",
      properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "https://example.test/tool.json#b" } },
      $defs: { A: { type }, B: { $anchor: "b", type } },
    });
    for (let round = 0; round < 3; round += 1) {
      for (const [type, data] of [
        ["string", "x"],
        ["number", 1],
      ] as const) {
        expect(accepts(named(type), { a: data, b: data })).toBe(true);
        expect(accepts(named(type), { a: true })).toBe(false);
        expect(accepts(named(type), { b: true })).toBe(false);
      }
    }
  });

  it("may carry the name of a meta-schema", () => {
    const schema = { $id: "https://json-schema.org/draft/2020-12/schema", type: "string" };
    expect(accepts(schema, "a")).toBe(true);
    expect(accepts(schema, {})).toBe(false);
    const meta = { $ref: "https://json-schema.org/draft/2020-12/schema" };
    expect(accepts(meta, { type: "string" })).toBe(true);
    expect(accepts(meta, { type: "text" })).toBe(false);
  });
});

describe("A failed compilation", () => {
  it("leaves nothing behind", () => {
    const good = { $id: "https://example.test/a", type: "string" };
    const bad = { $id: "https://example.test/a", properties: { a: { $ref: "#/$defs/none" } } };
    for (let round = 0; round < 3; round += 1) {
      expect(() => compileValidator(bad)).toThrow(/can't resolve reference #\/\$defs\/none/);
      expect(accepts(good, "a")).toBe(true);
      expect(accepts(good, 1)).toBe(false);
    }
  });
});

describe("The same schema", () => {
  it("compiles any number of times, also the same object", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    for (let round = 0; round < 500; round += 1) {
      expect(accepts(schema, { a: "x" })).toBe(true);
      expect(accepts(structuredClone(schema), {})).toBe(false);
    }
  });

  it("is compiled by ajv again and again, in spite of what ajv remembers", () => {
    for (let round = 0; round < 450; round += 1) {
      const saysValid = compileFast(adaptSchema({ $id: "x", type: "string" }), true);
      expect([saysValid("a"), saysValid(1)]).toEqual([true, false]);
    }
  });
});

describe("Formats", () => {
  it("are checked, unless they shall only be notes", () => {
    const schema = { type: "string", format: "email" };
    expect(accepts(schema, "nobody")).toBe(false);
    expect(accepts(schema, "nobody", { formats: "annotate" })).toBe(true);
    const adapted = adaptSchema(schema);
    expect(compileFast(adapted, true)("nobody")).toBe(false);
    expect(compileFast(adapted, false)("nobody")).toBe(true);
  });

  it("that are not known restrict nothing", () => {
    expect(accepts({ format: "my-own" }, "x")).toBe(true);
    expect(accepts({ type: "integer", format: "uint8" }, 300)).toBe(true);
  });
});

describe("Other documents", () => {
  const schemas = {
    "https://example.test/person.json": {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { name: { $ref: "#/definitions/name", maxLength: 1 } },
      definitions: { name: { type: "STRING" } },
    },
    "https://example.test/named.json": {
      $id: "urn:example:named",
      $anchor: "here",
      type: "number",
    },
  };
  const read = (ref: string) => compileValidator({ $ref: ref }, { schemas });

  it("are referred to by their address, their own name, a pointer or an anchor", () => {
    expect(read("https://example.test/person.json").first({ name: "ab" })).toEqual([]);
    expect(read("https://example.test/person.json").first({ name: 1 })).toHaveLength(1);
    expect(read("https://example.test/person.json#/definitions/name").first(1)).toHaveLength(1);
    expect(read("urn:example:named").first("a")).toHaveLength(1);
    expect(read("urn:example:named#here").first(1)).toEqual([]);
    expect(read("https://example.test/named.json").first(1)).toEqual([]);
  });

  it("are never fetched, and must be there", () => {
    for (const ref of ["https://example.test/other.json", "file:///etc/passwd", "person.json"]) {
      expect(() => read(ref)).toThrow(/can't resolve reference .* none is fetched \(at #\/\$ref\)/);
    }
    expect(() => read("https://example.test/person.json#/definitions/none")).toThrow(TypeError);
  });

  it("that are no schemas are refused when they are needed", () => {
    const broken = { "https://example.test/a": { type: "words" } };
    expect(() => compileValidator({ $ref: "https://example.test/a" }, { schemas: broken })).toThrow(
      /must be one of/,
    );
    expect(accepts({ type: "string" }, "a", { schemas: broken })).toBe(true);
  });
});

describe("Names that every object has", () => {
  const data = (text: string): Json => JSON.parse(text);

  it("are properties like any other", () => {
    const schema = data(
      '{"type":"object","properties":{"__proto__":{"type":"number"},"toString":{"type":"string"}},' +
        '"required":["__proto__","constructor"],"additionalProperties":false,"$defs":{}}',
    ) as JsonSchema;
    const { first, all } = compileValidator(schema);
    expect(first(data('{"__proto__":1,"constructor":2}'))).toMatchObject([
      { keyword: "additionalProperties", params: { additionalProperty: "constructor" } },
    ]);
    expect(all({})).toMatchObject([
      { params: { missingProperty: "__proto__" } },
      { params: { missingProperty: "constructor" } },
    ]);
    expect(all(data('{"__proto__":"a","constructor":1,"toString":1}'))).toHaveLength(3);
  });

  it("keep their own key where a change needs a copy", () => {
    const { first } = compileValidator(
      data(
        '{"type":"dict","properties":{"__proto__":{"type":"float","required":true}}}',
      ) as JsonSchema,
    );
    expect(first(data('{"__proto__":1}'))).toEqual([]);
    expect(first(data('{"__proto__":"a"}'))).toHaveLength(1);
    expect(first({})).toMatchObject([{ params: { missingProperty: "__proto__" } }]);
  });

  it("do no harm in data that is compared", () => {
    const { first } = compileValidator({ enum: [{ a: 1 }, "x"] });
    for (let round = 0; round < 2; round += 1) {
      expect(first({ toString: null, valueOf: 1 })).toHaveLength(1);
      expect(first(data('{"__proto__":{"a":1}}'))).toHaveLength(1);
    }
  });
});

describe("Numbers", () => {
  it.each([
    [0.01, 4.35, true],
    [0.1, 0.3, true],
    [0.01, 4.355, false],
    [0.0001, 0.0075, true],
    [1e-8, 12391239123, true],
    [0.123456789, 1e308, false],
    [3, 1e21, false],
    [2.5, -7.5, true],
    [7, 0, true],
  ])("are multiples of decimals as they are written: of %s, %s", (multipleOf, value, valid) => {
    expect(accepts({ multipleOf }, value)).toBe(valid);
    expect(compileFast(adaptSchema({ multipleOf }), true)(value)).toBe(valid);
  });
});

describe(`A thousand tools (${CASES})`, () => {
  it("are read in a fraction of a second, and need no time when they are called", () => {
    const tools = readListedTools();
    const schemas = Array.from({ length: 1_000 }, (_, at) => tools[at % tools.length]?.inputSchema);
    const start = performance.now();
    const validators = schemas.map((schema) => compileValidator(schema ?? true));
    for (const { first } of validators) first({});
    // Some 100 ms; a machine that is busy with others takes longer.
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe("A schema whose references multiply", () => {
  const node = { $ref: "#/$defs/node" };
  const schema = {
    ...node,
    $defs: {
      node: {
        anyOf: [
          { properties: { next: node, ok: { const: 1 } } },
          { properties: { next: node, ok: { const: 2 } } },
        ],
      },
    },
  };
  const chain = (levels: number): Json => {
    let data: Json = { ok: 3 };
    for (let level = 0; level < levels; level += 1) data = { next: data };
    return data;
  };

  it("comes to an end also after many cheap calls", () => {
    const validator = compileValidator(schema);
    for (let at = 0; at < 3_000; at += 1) expect(validator.first({ ok: 1 })).toEqual([]);
    const began = performance.now();
    expect(validator.first(chain(30))).not.toEqual([]);
    expect(performance.now() - began).toBeLessThan(18_000);
  });
});
