/** Arbitrary schemas, also such that are none, and arbitrary values for them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { createRegistry } from "../../src/registry.ts";
import type { JsonSchema } from "../../src/tool.ts";
import { type RepairMode, type Validated, validateCall } from "../../src/validate/index.ts";

/** Each schema is compiled a few times, so these are few; `CALLCHART_FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env["CALLCHART_FUZZ_RUNS"] ?? 400);
const MODES: readonly RepairMode[] = ["none", "safe", "lenient"];
const KEYS = [
  "a",
  "b",
  "max_size",
  "maxSize",
  "name",
  "arguments",
  "__proto__",
  "toString",
] as const;
const keys = fc.constantFrom(...KEYS);
const TEXTS = [
  "",
  "1",
  "1e3",
  " 5 ",
  "true",
  "True",
  "null",
  "[1]",
  '{"a":"1"}',
  "on",
  "ON",
  "x,y",
];
const texts = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 6 }));
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 5, 1000, -0.5, "ON"),
    texts,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const args = fc.dictionary(keys, json, { maxKeys: 5, noNullPrototype: true });

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;
const count = fc.nat(4);
/** What schemas refer to: with `sound` nothing that is not there, so that they compile. */
function schemas(sound: boolean): fc.Arbitrary<JsonSchema> {
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(keys, tie("schema"), { maxKeys: 4, noNullPrototype: true });
    const scalar = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom(...TYPES),
          fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
        ),
        enum: fc.uniqueArray(json, {
          minLength: 1,
          maxLength: 3,
          selector: (value) => JSON.stringify(value),
        }),
        default: json,
        minimum: fc.integer({ min: -2, max: 6 }),
        maxLength: count,
        pattern: fc.constantFrom("^a", "[0-9]+", "^[\\w-.]+$"),
        format: fc.constantFrom("date", "email", "int64", "no-such-format"),
      },
      { requiredKeys: [] },
    );
    const typed = fc.constantFrom(...TYPES).map((type) => ({ type }));
    const structure = fc.record(
      {
        type: fc.constantFrom("object", "array", "OBJECT"),
        properties: map,
        required: fc.uniqueArray(keys, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        items: tie("schema"),
        uniqueItems: fc.boolean(),
        minItems: count,
        nullable: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    );
    const choice = fc.oneof(
      list.map((anyOf) => ({ anyOf })),
      list.map((oneOf) => ({ oneOf })),
      list.map((allOf) => ({ allOf })),
      tie("schema").map((not) => ({ not })),
    );
    const odd = fc.record(
      {
        if: tie("schema"),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: tie("schema"),
        $ref: fc.constantFrom("#", "#/properties/a", "#/$defs/none", "https://example.org/x"),
      },
      { requiredKeys: [] },
    );
    const kinds = [scalar, typed, structure, choice, fc.boolean()];
    return {
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        ...kinds,
        ...(sound ? [] : [odd]),
      ) as fc.Arbitrary<JsonSchema>,
    };
  });
  return schema;
}
/** A schema of an object, and an object with some of its keys. */
const pair = fc
  .dictionary(keys, schemas(true), { minKeys: 1, noNullPrototype: true })
  .chain((properties) => {
    const known = fc.constantFrom(...Object.keys(properties));
    return fc.record({
      given: fc.record({
        type: fc.constant("object"),
        properties: fc.constant(properties),
        required: fc.uniqueArray(known, { maxLength: 1 }),
        additionalProperties: fc.boolean(),
      }) as fc.Arbitrary<JsonSchema>,
      data: fc.dictionary(fc.oneof({ weight: 9, arbitrary: known }, keys), json, {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      }),
    });
  });
/** Anything in the place of a schema. */
const nonsense = fc.oneof(
  schemas(false),
  fc.object({
    key: fc.constantFrom(
      "type",
      "properties",
      "items",
      "enum",
      "$ref",
      "pattern",
      "$id",
      "$schema",
    ),
  }),
) as fc.Arbitrary<JsonSchema>;

function judge(
  inputSchema: JsonSchema,
  given: Json,
): ReadonlyMap<RepairMode, Validated> | undefined {
  const registry = createRegistry([{ name: "t", inputSchema, execute: () => null }], {
    onBroken: () => {},
  });
  if (registry.broken.length > 0) {
    expect(registry.broken[0]?.reason).not.toBe("");
    return undefined;
  }
  const call = { id: "1", name: "t", arguments: given };
  return new Map(MODES.map((repair) => [repair, validateCall({ registry, call, repair })]));
}

describe("Arguments against arbitrary schemas", () => {
  it("are judged without an exception; what is no schema is reported", () => {
    fc.assert(
      fc.property(nonsense, args, (given, data) => {
        for (const judged of judge(given, data)?.values() ?? []) {
          if (!judged.ok) expect(judged.failure.message.length).toBeLessThanOrEqual(4_000);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("are never made invalid by mending, nor touched when they are valid; what was mended is valid", () => {
    let mended = 0;
    fc.assert(
      fc.property(pair, ({ given, data }) => {
        const before = JSON.stringify(data);
        const judged = judge(given, data);
        if (judged === undefined) return;
        const strict = judged.get("none");
        for (const result of judged.values()) {
          if (strict?.ok === true) {
            expect(result).toEqual(strict);
            expect(result.repairs).toEqual([]);
          } else if (result.ok) {
            mended += 1;
            expect(result.repairs.length).toBeGreaterThan(0);
            // Valid as it is: nothing is left to be mended.
            const again = judge(given, result.arguments)?.get("none");
            expect(again).toMatchObject({ ok: true });
          }
        }
        expect(JSON.stringify(data)).toBe(before);
      }),
      { numRuns: 2 * RUNS },
    );
    expect(mended).toBeGreaterThan(0);
  });

  it("never have null read as a value", () => {
    const nulls = (value: Json): number =>
      value === null
        ? 1
        : typeof value === "object"
          ? Object.values(value).reduce((sum: number, each: Json) => sum + nulls(each), 0)
          : 0;
    fc.assert(
      fc.property(
        pair.map(({ given, data }) => ({
          given,
          data: Object.fromEntries(Object.keys(data).map((key) => [key, null])),
        })),
        ({ given, data }) => {
          for (const result of judge(given, data)?.values() ?? []) {
            if (!result.ok) continue;
            const values = Object.values(result.arguments as object);
            expect(values.every((value) => value === null)).toBe(true);
            expect(nulls(result.arguments)).toBe(values.length);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
