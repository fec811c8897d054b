import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breachesOf } from "../../src/validate/dialect.ts";
import { isSimpleSchema } from "../../src/validate/simple.ts";
import { CASES, readListedTools } from "../support/cases.ts";

const DIALECTS = ["draft-07", "2019-09", "2020-12"] as const;

const keywords = fc.constantFrom(
  "type",
  "properties",
  "items",
  "required",
  "enum",
  "minimum",
  "maxLength",
  "anyOf",
  "additionalProperties",
  "uniqueItems",
  "description",
  "format",
  "const",
  "$ref",
);
/** Schemas, right and wrong, out of everyday keywords and whatever they may hold. */
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.dictionary(keywords, tie("value"), { maxKeys: 4 }),
  ),
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("object", "string", "number", "nonsense", 0, 3, -1, 1.5, true, null, [], {}),
    fc.constantFrom(["string", "null"], ["string", "string"], ["a", "b"], ["a", "a"]),
    tie("schema"),
    fc.array(tie("schema"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
  ),
}));

describe("a simple schema", () => {
  it("keeps to the meta-schema of every dialect (property)", () => {
    let simple = 0;
    fc.assert(
      fc.property(schema, (candidate) => {
        if (!isSimpleSchema(candidate)) return;
        simple += 1;
        for (const dialect of DIALECTS)
          expect(breachesOf(dialect, candidate as object)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
    expect(simple).toBeGreaterThan(100);
  });

  it(`is most of what real servers list, and never one that is broken (${CASES})`, () => {
    const tools = readListedTools();
    const simple = tools.filter(({ inputSchema }) => isSimpleSchema(withoutDialect(inputSchema)));
    expect(simple.length / tools.length).toBeGreaterThan(0.5);
    for (const { inputSchema } of simple) {
      expect(breachesOf("2020-12", withoutDialect(inputSchema) as object)).toEqual([]);
    }
  });

  it("is not one that is nested very deep", () => {
    let deep: unknown = true;
    for (let level = 0; level < 100; level += 1) deep = { items: deep };
    expect(isSimpleSchema(deep)).toBe(false);
  });
});

function withoutDialect(given: unknown): unknown {
  const { $schema: _, ...bare } = given as Record<string, unknown>;
  return bare;
}
