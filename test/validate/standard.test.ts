import { Type } from "@sinclair/typebox";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../machines/index.ts";
import { createRegistry, type RegisteredTool } from "../../src/registry.ts";
import type { StandardSchema, ToolSchema } from "../../src/tool.ts";
import { failureIn, faultsIn, judge } from "../support/judge.ts";

function register(inputSchema: ToolSchema): RegisteredTool {
  const registry = createRegistry([{ name: "t", inputSchema, execute: () => null }], {
    strict: true,
  });
  const tool = registry.get("t");
  if (tool === undefined) throw new Error("It is not registered.");
  return tool;
}

/** A Standard Schema whose `validate` is this function. */
function standard(validate: (value: unknown) => unknown): StandardSchema {
  return { "~standard": { version: 1, vendor: "test", validate } };
}

const weather = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "number" } },
  required: ["city"],
};

/** The same arguments in each library. */
const LIBRARIES: readonly (readonly [string, ToolSchema, object])[] = [
  ["zod", z.object({ city: z.string(), days: z.number().optional() }), weather],
  ["ArkType", type({ city: "string", "days?": "number" }), weather],
  ["TypeBox", Type.Object({ city: Type.String(), days: Type.Optional(Type.Number()) }), weather],
  [
    "valibot, which gives no JSON Schema itself",
    v.object({ city: v.string(), days: v.optional(v.number()) }),
    { type: "object" },
  ],
];

describe.each(LIBRARIES)("A schema of %s", (_, schema, listed) => {
  it("is listed as JSON Schema", () => {
    expect(register(schema).inputSchema).toMatchObject(listed);
  });

  it("accepts what fits", () => {
    expect(judge(schema, { city: "Paris", days: 2 })).toMatchObject({
      ok: true,
      arguments: { city: "Paris", days: 2 },
    });
  });

  it("tells a missing key at the object that lacks it, a wrong value at its own path", () => {
    expect(faultsIn(judge(schema, {})).map(({ path, keyword }) => [path, keyword])).toEqual([
      ["", "required"],
    ]);
    expect(failureIn(judge(schema, {})).message).toContain('arguments must have the key "city"');
    expect(faultsIn(judge(schema, { city: "Paris", days: "two" })).map(({ path }) => path)).toEqual(
      ["/days"],
    );
  });
});

describe("A Standard Schema", () => {
  it("decides with its refinements, which are in no JSON Schema", () => {
    const schema = z
      .object({ from: z.number(), to: z.number() })
      .refine(({ from, to }) => from <= to, { message: "from must not be after to", path: ["to"] });
    expect(faultsIn(judge(schema, { from: 2, to: 1 }))).toEqual([
      {
        path: "/to",
        keyword: "schema",
        message: "arguments.to is not valid: from must not be after to",
      },
    ]);
  });

  it("gives the tool its output: defaults, transforms, and no keys that it strips", () => {
    const schema = z.object({
      at: z.string().transform((text) => text.length),
      days: z.number().default(3),
    });
    const tool = register(schema);
    expect(tool.check({ at: "abc", more: 1 })).toEqual([]);
    expect(tool.toArguments({ at: "abc", more: 1 })).toEqual({ at: 3, days: 3 });
  });

  it("cannot change the arguments, nor share them with the tool", () => {
    const schema = standard((value) => {
      (value as { list: number[] }).list.push(1);
      return { value };
    });
    const args = { list: [0] };
    const tool = register(schema);
    expect(tool.check(args)).toEqual([]);
    expect(tool.toArguments(args)).toEqual({ list: [0, 1] });
    expect(tool.toArguments(args)).toEqual({ list: [0, 1] });
    expect(args).toEqual({ list: [0] });
  });

  it("maps paths of keys, of indexes and of objects with a key to JSON Pointers", () => {
    const issues = [
      { message: "m", path: ["a/b", 0] },
      { message: "m", path: [{ key: "c~d" }, { key: 1 }] },
      { message: "m" },
    ];
    const args = { "a/b": [1], "c~d": [1, 2] };
    expect(
      faultsIn(
        judge(
          standard(() => ({ issues })),
          args,
        ),
      ).map(({ path }) => path),
    ).toEqual(["/a~1b/0", "/c~0d/1", ""]);
  });

  it("is refused in words when it answers with a promise, and its rejection bothers nobody", () => {
    for (const schema of [
      z.object({ a: z.string().refine(async () => true) }),
      standard(() => Promise.reject(new Error("later"))),
    ]) {
      expect(failureIn(judge(schema, { a: "x" })).message).toMatch(
        /the tool's schema (is asynchronous, and such schemas are not supported|threw )/,
      );
    }
  });

  it.each<[string, (value: unknown) => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      "the tool's schema threw boom",
    ],
    ["answers nothing", () => undefined, "the tool's schema gave no answer"],
    ["refuses without a reason", () => ({ issues: [] }), "the tool's schema gave no reason"],
    [
      "gives issues of odd shapes",
      () => ({ issues: [null, 1, { path: 5 }, { message: "" }] }),
      "arguments is not valid: it is not valid",
    ],
    [
      "refuses with ten thousand issues",
      () => ({ issues: Array.from({ length: 10_000 }, () => ({ message: "x".repeat(1_000) })) }),
      "arguments is not valid: xxx",
    ],
  ])("that %s is a fault, not an exception", (_, validate, words) => {
    const failure = failureIn(judge(standard(validate), { a: 1 }));
    expect(failure.message).toContain(words);
    expect(failure.message.length).toBeLessThanOrEqual(4_000);
  });

  it("may say what was given, but not of a secret", () => {
    const issues = [{ message: "must be short (was hunter2)", path: ["password"] }];
    const { message } = failureIn(
      judge(
        standard(() => ({ issues })),
        { password: "hunter2" },
      ),
    );
    expect(message).toContain("arguments.password is not valid\n");
    expect(message).not.toContain("hunter2");
  });
});

describe("The listing of a schema that JSON Schema cannot express", () => {
  it.each<[string, ToolSchema, Json]>([
    [
      "zod",
      z.object({ at: z.date(), city: z.string() }),
      { type: "object", properties: { at: {}, city: { type: "string" } } },
    ],
    [
      "ArkType",
      type({ at: "Date", city: "string" }),
      { type: "object", properties: { at: {}, city: { type: "string" } } },
    ],
  ])("leaves open what cannot be expressed: %s", (_, schema, listed) => {
    expect(register(schema).inputSchema).toMatchObject(listed as object);
  });

  it("is the input's, when output and input differ", () => {
    const schema = z.object({ days: z.number().default(3) });
    expect(register(schema).inputSchema).not.toHaveProperty("required");
  });

  it("comes from the library's own method when it has no standard one", () => {
    const schema = { ...standard((value) => ({ value })), toJSONSchema: () => weather };
    expect(register(schema).inputSchema).toEqual(weather);
  });

  it("is any object when every way throws", () => {
    const fail = (): never => {
      throw new Error("no");
    };
    const schema = { ...standard((value) => ({ value })), toJSONSchema: fail, toJsonSchema: fail };
    expect(register(schema).inputSchema).toEqual({ type: "object" });
  });
});

describe("TypeBox", () => {
  it("is validated as JSON Schema, symbols or not", () => {
    const schema = Type.Object(
      { kind: Type.Union([Type.Literal("a"), Type.Literal("b")]) },
      { additionalProperties: false },
    );
    expect(faultsIn(judge(schema, { kind: "c", x: 1 }))).toEqual([
      {
        path: "/kind",
        keyword: "anyOf",
        message: 'arguments.kind must be "a" or "b", not the string "c"',
      },
      {
        path: "",
        keyword: "additionalProperties",
        message: expect.stringContaining('unknown key "x"'),
      },
    ]);
  });
});

describe("Faulty arguments of a Standard Schema", () => {
  const schema = z
    .object({ n: z.number(), tags: z.array(z.string()).optional() })
    .refine(({ n }) => n !== 7, { message: "seven is taken", path: ["n"] });

  it("are mended where its JSON Schema says what is wanted, and judged by the library", () => {
    const judged = judge(schema, { n: "5", tags: null });
    expect(judged).toMatchObject({ ok: true, arguments: { n: 5 } });
    expect(judged.repairs?.map(({ rule }) => rule)).toEqual(["number-text", "optional-null"]);
  });

  it("are refused when the library refuses what was mended", () => {
    expect(faultsIn(judge(schema, { n: "7" }))).toMatchObject([{ path: "/n" }]);
    expect(failureIn(judge(schema, { n: "7" })).message).toContain("seven is taken");
  });
});
