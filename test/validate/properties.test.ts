import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { createRegistry } from "../../src/registry.ts";
import type { ToolSchema } from "../../src/tool.ts";
import { type Validated, validateCall } from "../../src/validate/index.ts";

const SCHEMAS: readonly ToolSchema[] = [
  true,
  { type: "object" },
  {
    type: "object",
    properties: {
      a: { type: ["string", "null"], maxLength: 3 },
      b: { anyOf: [{ type: "number" }, { type: "array", items: { $ref: "#" } }] },
      c: { oneOf: [{ properties: { k: { const: 1 } } }, { properties: { k: { const: 2 } } }] },
      next: { $ref: "#" },
    },
    required: ["a"],
    additionalProperties: { type: "boolean" },
  },
];

const registry = createRegistry(
  SCHEMAS.map((inputSchema, at) => ({ name: `t${at}`, inputSchema, execute: () => null })),
  { strict: true },
);

const toolNames = fc.constantFrom(...registry.names());
/** Keys that the schemas know, so that values get past the first fault; and any others. */
const keys = fc.oneof(
  fc.constantFrom("a", "b", "c", "k", "next", "__proto__", "toString"),
  fc.string(),
);
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "grapheme" }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

function check(name: string, args: Json): Validated {
  const call = { id: "1", name, arguments: args };
  const judged = validateCall({ registry, call, repair: "none" });
  if (!judged.ok) {
    expect(judged.failure.code).toBe("invalid_arguments");
    expect(judged.failure.message.length).toBeLessThanOrEqual(4_000);
    expect(judged.failure.message.isWellFormed()).toBe(true);
    expect(judged.failure.faults?.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(judged.failure))).toEqual(judged.failure);
  }
  return judged;
}

/** Do two values share an object? */
function shares(a: Json, b: Json): boolean {
  const objects = new Set<unknown>();
  const collect = (value: unknown, found: (object: object) => void): void => {
    if (typeof value !== "object" || value === null) return;
    found(value);
    for (const item of Object.values(value)) collect(item, found);
  };
  collect(a, (object) => objects.add(object));
  let shared = false;
  collect(b, (object) => {
    shared ||= objects.has(object);
  });
  return shared;
}

describe("validateCall", () => {
  it("never throws, and what it finds valid is an own copy of what was given, whatever JSON it is", () => {
    fc.assert(
      fc.property(toolNames, json, (name, args) => {
        const before = JSON.stringify(args);
        const judged = check(name, args);
        expect(JSON.stringify(args)).toBe(before);
        if (judged.ok && typeof args === "object" && args !== null) {
          expect(JSON.stringify(judged.arguments)).toBe(before);
          expect(shares(judged.arguments, args)).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives the same for data and for its text", () => {
    fc.assert(
      fc.property(toolNames, fc.dictionary(keys, json, { noNullPrototype: true }), (name, args) => {
        expect(check(name, JSON.stringify(args))).toEqual(
          check(name, JSON.parse(JSON.stringify(args))),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throws, and finds no text valid that is not JSON, whatever text it is", () => {
    const pieces = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        ",",
        ":",
        "a",
        "1",
        "-",
        "e",
        ".",
        "true",
        "nul",
        "\\u",
        "\n",
        " ",
        "'",
        "\ud83d",
      ),
      { maxLength: 30 },
    );
    const cut = fc
      .tuple(json, fc.nat(), fc.string({ unit: "binary", maxLength: 2 }))
      .map(([value, at, put]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + put.length);
      });
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      pieces.map((list) => list.join("")),
      cut,
    );
    fc.assert(
      fc.property(toolNames, texts, (name, text) => {
        const judged = check(name, text);
        if (!judged.ok || text.trim() === "" || text.trim() === "null") return;
        expect(judged.arguments).toEqual(JSON.parse(text.trim()));
      }),
      { numRuns: 5_000 },
    );
  });

  it("says that a text was cut off exactly when more text could have made it JSON", () => {
    const wholes = fc
      .dictionary(keys, json, { noNullPrototype: true })
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(wholes, fc.nat(), (whole, at) => {
        const text = whole.slice(0, 1 + (at % (whole.length - 1)));
        const judged = check("t1", text);
        expect(!judged.ok && judged.failure.message).toContain("it was probably cut off");
      }),
      { numRuns: 2_000 },
    );
  });
});
