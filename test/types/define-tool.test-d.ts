import { Type } from "@sinclair/typebox";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { FromJsonSchema } from "../../src/infer.ts";
import { type AnyTool, defineTool, type JsonSchema } from "../../src/tool.ts";

describe("defineTool infers the arguments of execute", () => {
  it("from a zod schema, after its transforms and defaults", () => {
    defineTool({
      name: "t",
      inputSchema: z.object({
        city: z.string(),
        days: z.number().default(3),
        at: z.string().transform((text) => new Date(text)),
        note: z.string().optional(),
      }),
      execute(args) {
        expectTypeOf(args.city).toEqualTypeOf<string>();
        expectTypeOf(args.days).toEqualTypeOf<number>();
        expectTypeOf(args.at).toEqualTypeOf<Date>();
        expectTypeOf(args.note).toEqualTypeOf<string | undefined>();
        // @ts-expect-error there is no such argument
        return args.town;
      },
    });
  });

  it("from a valibot schema", () => {
    defineTool({
      name: "t",
      inputSchema: v.object({ city: v.string(), days: v.optional(v.number(), 3) }),
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
        // @ts-expect-error there is no such argument
        return args.town;
      },
    });
  });

  it("from an ArkType type", () => {
    defineTool({
      name: "t",
      inputSchema: type({ city: "string", unit: "'C' | 'F'", "days?": "number" }),
      execute(args) {
        expectTypeOf(args.unit).toEqualTypeOf<"C" | "F">();
        expectTypeOf(args.days).toEqualTypeOf<number | undefined>();
        // @ts-expect-error there is no such argument
        return args.town;
      },
    });
  });

  it("from a TypeBox schema", () => {
    defineTool({
      name: "t",
      inputSchema: Type.Object({
        city: Type.String(),
        tags: Type.Optional(Type.Array(Type.String())),
      }),
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ city: string; tags?: string[] }>();
        // @ts-expect-error there is no such argument
        return args.town;
      },
    });
  });

  it("from a literal JSON Schema", () => {
    defineTool({
      name: "t",
      inputSchema: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer" },
          unit: { enum: ["C", "F"] },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["city", "unit"],
        additionalProperties: false,
      },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{
          city: string;
          unit: "C" | "F";
          days?: number;
          tags?: string[];
        }>();
        // @ts-expect-error there is no such argument
        return args.town;
      },
      requiresApproval(args) {
        expectTypeOf(args.city).toEqualTypeOf<string>();
        return args.unit === "C";
      },
    });
  });

  it("from the author's own annotation when the schema's type is not a literal", () => {
    const inputSchema: JsonSchema = JSON.parse("{}");
    defineTool({
      name: "t",
      inputSchema,
      execute: ({ city }: { readonly city: string }) => city,
    });
    defineTool({
      name: "t",
      inputSchema: { type: "object" },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ [name: string]: unknown }>();
      },
    });
    defineTool({
      name: "t",
      inputSchema: true,
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ [name: string]: unknown }>();
      },
    });
  });

  it("and refuses a function that wants other arguments", () => {
    defineTool({
      name: "t",
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      // @ts-expect-error the schema says that n is a number
      execute: ({ n }: { n: string }) => n,
    });
  });

  it("and any tool is an AnyTool", () => {
    const tool = defineTool({
      name: "t",
      inputSchema: z.object({ n: z.number() }),
      execute: ({ n }) => n,
    });
    expectTypeOf(tool).toExtend<AnyTool>();
    const tools: readonly AnyTool[] = [tool];
    return tools;
  });
});

describe("FromJsonSchema", () => {
  it("follows the keywords that models' schemas are made of", () => {
    expectTypeOf<FromJsonSchema<{ type: "string" }>>().toEqualTypeOf<string>();
    expectTypeOf<FromJsonSchema<{ type: "integer" }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ type: readonly ["string", "null"] }>>().toEqualTypeOf<
      string | null
    >();
    expectTypeOf<FromJsonSchema<{ type: "string"; nullable: true }>>().toEqualTypeOf<
      string | null
    >();
    expectTypeOf<FromJsonSchema<{ const: "a" }>>().toEqualTypeOf<"a">();
    expectTypeOf<FromJsonSchema<{ enum: readonly ["a", 1, null] }>>().toEqualTypeOf<
      "a" | 1 | null
    >();
    expectTypeOf<
      FromJsonSchema<{
        anyOf: readonly [{ type: "string" }, { type: "array"; items: { type: "number" } }];
      }>
    >().toEqualTypeOf<string | number[]>();
    expectTypeOf<
      FromJsonSchema<{ oneOf: readonly [{ type: "boolean" }, { type: "null" }] }>
    >().toEqualTypeOf<boolean | null>();
    expectTypeOf<
      FromJsonSchema<{ type: "object"; additionalProperties: { type: "number" } }>
    >().toEqualTypeOf<{ [name: string]: number }>();
    expectTypeOf<
      FromJsonSchema<{ type: "array"; prefixItems: readonly [{ type: "string" }]; items: false }>
    >().toEqualTypeOf<[string?]>();
    expectTypeOf<FromJsonSchema<{ type: "array" }>>().toEqualTypeOf<unknown[]>();
    expectTypeOf<FromJsonSchema<{ $ref: "#/$defs/x" }>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<true>>().toEqualTypeOf<unknown>();
    expectTypeOf<FromJsonSchema<false>>().toEqualTypeOf<never>();
    expectTypeOf<FromJsonSchema<{ type: string }>>().toEqualTypeOf<unknown>();
  });

  it("keeps a required key that is not described", () => {
    expectTypeOf<
      FromJsonSchema<{ properties: { a: { type: "string" } }; required: readonly ["a", "b"] }>
    >().toEqualTypeOf<{ a: string; b: unknown }>();
  });

  it("joins the parts of allOf", () => {
    type Both = FromJsonSchema<{
      allOf: readonly [
        { properties: { a: { type: "string" } }; required: readonly ["a"] },
        { properties: { b: { type: "number" } } },
      ];
    }>;
    expectTypeOf<Both["a"]>().toEqualTypeOf<string>();
    expectTypeOf<Both["b"]>().toEqualTypeOf<number | undefined>();
  });
});
