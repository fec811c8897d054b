import { describe, expect, it } from "vitest";
import type { CallContext, ToolResult } from "../../machines/index.ts";
import type { Disclosure, ExecutorOptions } from "../../src/index.ts";
import { createTestExecutor } from "../../src/testing/index.ts";

const inputSchema = {
  type: "object",
  properties: { amount_in_cents: { type: "integer" } },
  required: ["amount_in_cents"],
  additionalProperties: false,
} as const;

const tools = [
  { name: "pay_out", permissions: ["payments"], inputSchema, execute: () => "paid" },
  { name: "pay_in", inputSchema, execute: () => "paid" },
  { name: "look_up", inputSchema, execute: () => "found" },
];
const RIGHT = { amount_in_cents: 5 };
const NOBODY: CallContext = {};
const CASHIER: CallContext = { permissions: ["payments"] };

function call(
  name: string,
  args: unknown,
  context: CallContext,
  options: Partial<ExecutorOptions> = {},
): Promise<ToolResult> {
  const { executor } = createTestExecutor(tools, options);
  return executor.execute({ id: "1", name, arguments: args }, context);
}

const WRONG = [{}, { amount: 1 }, "{not json", { amount_in_cents: "x" }, null, 5];

describe("A tool that a caller may not use", () => {
  it.each(WRONG)(
    "tells that caller nothing of its schema, whatever the arguments: %j",
    async (args) => {
      const right = await call("pay_out", RIGHT, NOBODY);
      const wrong = await call("pay_out", args, NOBODY);
      expect(wrong.failure?.code).toBe("permission_denied");
      expect(wrong.error).toBe(right.error);
      expect(wrong.metadata.stages).toEqual(right.metadata.stages);
      expect(JSON.stringify(wrong)).not.toContain("amount_in_cents");
    },
  );

  it("tells a caller who may use it what is wrong", async () => {
    const { failure } = await call("pay_out", { amount: 1 }, CASHIER);
    expect(failure?.code).toBe("invalid_arguments");
    expect(failure?.message).toContain("amount_in_cents");
  });

  it.each<[Disclosure]>([["allowed-only"], ["none"]])(
    "does not exist for that caller with disclosure %s",
    async (disclosure) => {
      for (const args of [RIGHT, ...WRONG]) {
        const forbidden = await call("pay_out", args, NOBODY, { disclosure });
        const missing = await call("pay_zzz", args, NOBODY, { disclosure });
        const told = (result: ToolResult) =>
          JSON.stringify([result.error, result.failure, result.metadata.stages]);
        expect(told(forbidden)).toBe(told(missing).replaceAll("pay_zzz", "pay_out"));
        expect(forbidden.failure?.code).toBe("unknown_tool");
      }
      // Nor is it the one that a similar name means.
      const similar = await call("PayOut", RIGHT, NOBODY, { disclosure });
      expect(similar.failure?.code).toBe("unknown_tool");
      expect(JSON.stringify(similar.failure)).not.toContain("pay_out");
      expect((await call("PayOut", RIGHT, CASHIER, { disclosure })).success).toBe(true);
    },
  );

  it("is judged by the caller's list of tools and the executor's own rule, too", async () => {
    const options: Partial<ExecutorOptions> = {
      disclosure: "allowed-only",
      visible: (tool, { tenant }) => tool.name !== "look_up" || tenant === "a",
    };
    const allowed = { allowedTools: ["pay_in"] };
    expect((await call("pay_in", RIGHT, allowed, options)).success).toBe(true);
    expect((await call("look_up", RIGHT, { ...allowed, tenant: "a" }, options)).failure?.code).toBe(
      "unknown_tool",
    );
    expect((await call("look_up", RIGHT, { tenant: "a" }, options)).success).toBe(true);
    expect((await call("look_up", RIGHT, { tenant: "b" }, options)).failure?.code).toBe(
      "unknown_tool",
    );
  });

  it("is refused for want of permission by the executor's own rule when all may know of it", async () => {
    const { failure, metadata } = await call("look_up", {}, NOBODY, { visible: () => false });
    expect(failure?.code).toBe("permission_denied");
    expect(metadata.decision?.rule).toBe("visible");
  });

  it("stays hidden when the executor's own rule throws", async () => {
    const visible = () => {
      throw new Error("boom");
    };
    const { failure } = await call("look_up", RIGHT, NOBODY, { visible, disclosure: "none" });
    expect(failure?.code).toBe("unknown_tool");
  });
});

describe("A call of an unknown tool", () => {
  it.each<[Disclosure, readonly string[], readonly string[]]>([
    ["full", ["pay_out", "pay_in", "look_up"], []],
    ["allowed-only", ["pay_in", "look_up"], ["pay_out"]],
    ["none", [], ["pay_out", "pay_in", "look_up"]],
  ])("with disclosure %s names %j", async (disclosure, named, hidden) => {
    const { failure } = await call("pay_ou", RIGHT, NOBODY, { disclosure });
    const told = JSON.stringify(failure);
    for (const name of named) expect(told).toContain(name);
    for (const name of hidden) expect(told).not.toContain(`"${name}`);
    for (const name of hidden) expect(failure?.nearest).not.toContain(name);
  });
});

describe("A call of a tool by another spelling of its name", () => {
  it("runs it, is permitted as it, and says so", async () => {
    const result = await call("functions.PayOut", RIGHT, CASHIER);
    expect(result).toMatchObject({
      success: true,
      toolName: "pay_out",
      metadata: { calledAs: "functions.PayOut" },
    });
    expect((await call("functions.PayOut", RIGHT, NOBODY)).failure?.code).toBe("permission_denied");
    expect((await call("pay_out", RIGHT, CASHIER)).metadata.calledAs).toBeUndefined();
  });

  it("is refused where nothing may be mended, and told the right name", async () => {
    const { failure } = await call("Look-Up", RIGHT, NOBODY, { repair: "none" });
    expect(failure).toMatchObject({ code: "unknown_tool", nearest: ["look_up"] });
  });
});
