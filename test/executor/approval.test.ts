import { describe, expect, it } from "vitest";
import type { AnyTool } from "../../src/index.ts";
import { createMemorySink, forModel } from "../../src/index.ts";
import { createTestExecutor, settle } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

const pay: AnyTool = {
  name: "pay",
  inputSchema: {
    type: "object",
    properties: { cents: { type: "integer", minimum: 1 } },
    required: ["cents"],
    additionalProperties: false,
  },
  requiresApproval: true,
  execute: ({ cents }: { cents: number }) => `paid ${cents}`,
};
const call = (id = "c", cents = 100) => ({ id, name: "pay", arguments: { cents } });

describe("an approval", () => {
  it("is asked for with all that the person needs, and lets the call run when given", async () => {
    const events: unknown[] = [];
    const { executor, clock } = createTestExecutor([pay], {
      onEvent: (event) => events.push(event),
      limits: { approvalTimeoutMs: 5000 },
    });
    const pending = executor.execute(call());
    const asked = {
      callId: "c",
      executionId: "execution-1",
      toolName: "pay",
      arguments: { cents: 100 },
      reason: "the tool asks for a person's approval",
      expiresAt: 5000,
    };
    expect(events).toEqual([{ type: "call.approvalRequired", ...asked }]);
    expect(executor.pending()).toEqual([asked]);
    clock.increment(70);
    expect(executor.approve("c", { by: "Grace", reason: "known customer" })).toEqual({ ok: true });
    const result = await pending;
    expect(result).toMatchObject({
      success: true,
      output: "paid 100",
      metadata: {
        humanWaitMs: 70,
        approval: { decision: "approved", by: "Grace", reason: "known customer", edited: false },
      },
    });
    expect(executor.pending()).toEqual([]);
  });

  it("holds no slot while it is awaited", async () => {
    const other: AnyTool = { name: "other", inputSchema: { type: "object" }, execute: () => "ran" };
    const { executor } = createTestExecutor([pay, other], { limits: { concurrency: 1 } });
    void executor.execute(call());
    expect((await executor.execute({ id: "o", name: "other", arguments: {} })).output).toBe("ran");
  });

  it("with other arguments sends the call back to validating, and the model is told", async () => {
    const { executor } = createTestExecutor([pay]);
    const pending = executor.execute(call());
    executor.approve("c", { by: "Grace", arguments: { cents: 5 } });
    const result = await pending;
    expect(result).toHavePassed([
      "validating",
      "authorizing",
      "awaitingApproval",
      "validating",
      "authorizing",
      "queued",
      "executing",
      "normalizing",
      "tracing",
      "succeeded",
    ]);
    expect(result.metadata.approval?.edited).toBe(true);
    expect(forModel(result)).toBe(
      "paid 5\n(The arguments were changed by the person who approved the call.)",
    );
  });

  it("with other arguments leaves in the trace what the model gave, beside what the tool got", async () => {
    const sink = createMemorySink();
    const { executor } = createTestExecutor([pay], { sinks: [sink] });
    const pending = executor.execute(call());
    executor.approve("c", { arguments: { cents: "5" } });
    const { metadata } = await pending;
    expect(metadata.repairs?.map(({ rule }) => rule)).toEqual(["number-text"]);
    await executor.close();
    expect(sink.records).toMatchObject([
      { call: { arguments: { cents: 100 } }, arguments: { cents: 5 } },
    ]);
  });

  it("cannot make invalid arguments run", async () => {
    const { executor } = createTestExecutor([pay]);
    const pending = executor.execute(call());
    executor.approve("c", { arguments: { cents: -5 } });
    expect(await pending).toHaveFailedAt("validate", { code: "invalid_arguments", executed: "no" });
  });

  it("cannot overrule a policy that denies the edited arguments", async () => {
    const { executor } = createTestExecutor([pay], {
      policy: ({ arguments: args }) =>
        (args as { cents: number }).cents > 1000
          ? { decision: "deny", reason: "too much" }
          : "allow",
    });
    const pending = executor.execute(call());
    executor.approve("c", { arguments: { cents: 5000 } });
    expect(await pending).toHaveFailedAt("authorize", {
      code: "permission_denied",
      message: "too much",
    });
  });

  it("that is refused ends the call, with the reason and who refused", async () => {
    const { executor } = createTestExecutor([pay]);
    const pending = executor.execute(call());
    expect(executor.deny("c", { by: "Grace", reason: "not today" })).toEqual({ ok: true });
    const result = await pending;
    expect(result).toHaveFailedAt("authorize", { code: "approval_denied", message: "not today" });
    expect(result.metadata.approval).toMatchObject({ decision: "denied", by: "Grace" });
  });

  it("counts once: the second decision hears why it came to nothing", async () => {
    const { executor } = createTestExecutor([pay]);
    const pending = executor.execute(call());
    expect(executor.deny("c")).toEqual({ ok: true });
    expect(executor.approve("c")).toEqual({
      ok: false,
      reason: 'no call with the id "c" is running',
    });
    expect((await pending).failure?.code).toBe("approval_denied");
  });

  it("needs the execution id when two calls carry the same id", async () => {
    const { executor } = createTestExecutor([pay]);
    const both = executor.executeAll([call("same", 1), call("same", 2)]);
    expect(executor.approve("same")).toMatchObject({ ok: false });
    expect(executor.approve("execution-2")).toEqual({ ok: true });
    expect(executor.deny("execution-1")).toEqual({ ok: true });
    expect((await both).map(({ output, failure }) => output ?? failure?.code)).toEqual([
      "approval_denied",
      "paid 2",
    ]);
  });

  it("is asked for when the tool's own predicate says so, or fails", async () => {
    const predicate = (args: { cents: number }): boolean => {
      if (args.cents === 13) throw new Error("unlucky");
      const asks = args.cents > 50;
      args.cents = 0;
      return asks;
    };
    const { executor } = createTestExecutor([{ ...pay, requiresApproval: predicate }]);
    expect((await executor.execute(call("small", 10))).output).toBe("paid 10");
    void executor.execute(call("large", 60));
    void executor.execute(call("odd", 13));
    expect(executor.pending().map(({ callId, arguments: args }) => [callId, args])).toEqual([
      ["large", { cents: 60 }],
      ["odd", { cents: 13 }],
    ]);
  });

  it("of the strictest policy wins: deny beats ask beats allow", async () => {
    const tool = { ...pay, requiresApproval: false };
    const verdicts = async (...answers: ("allow" | "ask" | "deny" | undefined)[]) => {
      const policies = answers.map((answer, at) => async () => {
        await settle();
        return at === 0 ? answer : ({ decision: answer ?? "allow", rule: `rule ${at}` } as const);
      });
      const { executor } = createTestExecutor([tool], { policy: policies });
      const live = executor.start(call());
      for (let at = 0; at < 3; at += 1) await settle();
      return live.actor.getSnapshot().value;
    };
    expect(await verdicts("allow", "ask")).toBe("awaitingApproval");
    expect(await verdicts("allow", "ask", "deny")).toBe("failed");
    expect(await verdicts("allow", undefined)).toBe("succeeded");
    expect(await verdicts(undefined)).toBe("succeeded");
  });

  it("lets a policy change nothing by changing what it was shown", async () => {
    const { executor } = createTestExecutor([{ ...pay, requiresApproval: false }], {
      policy({ arguments: args }) {
        (args as { cents: number }).cents = 99_999;
        return "allow";
      },
    });
    expect((await executor.execute(call())).output).toBe("paid 100");
  });
});

describe("a command for a call that is not there", () => {
  it("says so", () => {
    const { executor } = createTestExecutor([pay]);
    for (const answer of [executor.approve("x"), executor.deny("x"), executor.cancel("x")]) {
      expect(answer).toEqual({ ok: false, reason: 'no call with the id "x" is running' });
    }
  });

  it("says when a call is there but does not wait for a person", async () => {
    const never: AnyTool = {
      name: "never",
      inputSchema: { type: "object" },
      execute: () => new Promise(() => {}),
    };
    const { executor } = createTestExecutor([never]);
    void executor.execute({ id: "n", name: "never", arguments: {} });
    expect(executor.approve("n")).toEqual({
      ok: false,
      reason: 'the call "n" does not wait for a person',
    });
  });
});
