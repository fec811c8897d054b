import { describe, expect, it } from "vitest";
import type { AnyTool } from "../../src/index.ts";
import { createDeferredTool, createTestExecutor, settle } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

const call = (name: string, id = "c") => ({ id, name, arguments: {} });

describe("an attempt that takes too long", () => {
  it("is told to stop after exactly its executionTimeoutMs", async () => {
    const { tool, last } = createDeferredTool({ executionTimeoutMs: 50 });
    const { executor, clock, recorder } = createTestExecutor([tool]);
    const result = executor.execute(call("deferred"));
    clock.increment(49);
    expect(recorder.stages().at(-1)).toBe("executing");
    expect(last().context.signal.aborted).toBe(false);
    clock.increment(1);
    expect(recorder.stages().at(-1)).toBe("interrupting");
    expect(last().context.signal.aborted).toBe(true);
    expect(last().context.signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(await result).toHaveFailedAt("execute", { code: "timed_out", executed: "yes" });
  });

  it("is abandoned after exactly its graceMs when it is deaf, and its late outcome is traced", async () => {
    const { tool, last } = createDeferredTool({ deaf: true, executionTimeoutMs: 50, graceMs: 20 });
    const { executor, clock, recorder, sink } = createTestExecutor([tool]);
    const result = executor.execute(call("deferred"));
    clock.increment(50);
    clock.increment(19);
    expect(recorder.stages().at(-1)).toBe("interrupting");
    clock.increment(1);
    expect(await result).toHaveFailedAt("execute", { code: "timed_out", executed: "unknown" });
    expect(sink.lates()).toEqual([]);
    clock.increment(5);
    last().reject(new Error("too late"));
    await settle();
    expect(sink.calls()).toHaveLength(1);
    expect(sink.lates()).toMatchObject([
      {
        callId: "c",
        attempt: 1,
        at: 75,
        outcome: { status: "threw", error: { message: "too late" } },
      },
    ]);
  });

  it("that finishes in its grace period has not succeeded, and nothing of its output is lost", async () => {
    const { tool, last } = createDeferredTool({ deaf: true, executionTimeoutMs: 50 });
    const { executor, clock } = createTestExecutor([tool]);
    const result = executor.execute(call("deferred"));
    clock.increment(50);
    last().resolve("the whole answer");
    expect(await result).toMatchObject({
      success: false,
      output: "the whole answer",
      failure: { code: "timed_out", executed: "yes" },
    });
  });

  it("is capped by the executor whatever the tool says", async () => {
    const { tool } = createDeferredTool({ executionTimeoutMs: 1e6 });
    const { executor, clock, recorder } = createTestExecutor([tool], {
      limits: { executionTimeoutMs: 100 },
    });
    void executor.execute(call("deferred"));
    clock.increment(100);
    expect(recorder.stages().at(-1)).toBe("interrupting");
  });

  it("is capped by what is left of the whole budget", async () => {
    const { tool } = createDeferredTool();
    const { executor, clock } = createTestExecutor([tool], { limits: { deadlineMs: 30 } });
    const result = executor.execute(call("deferred"));
    clock.increment(30);
    expect(await result).toHaveFailedAt("execute", {
      code: "timed_out",
      message: "whole time allowed",
    });
  });

  it("as a generator runs its finally and keeps no later progress", async () => {
    const events: unknown[] = [];
    let cleaned = false;
    const gate = Promise.withResolvers<void>();
    const tool: AnyTool = {
      name: "steps",
      inputSchema: { type: "object" },
      executionTimeoutMs: 50,
      async *execute() {
        try {
          yield 1;
          await gate.promise;
          yield 2;
        } finally {
          cleaned = true;
        }
      },
    };
    const { executor, clock } = createTestExecutor([tool], {
      onEvent: (event) => events.push(event),
    });
    const result = executor.execute(call("steps"));
    await settle();
    clock.increment(50);
    gate.resolve();
    expect(await result).toHaveFailedAt("execute", { code: "timed_out", executed: "yes" });
    expect(cleaned).toBe(true);
    expect(events).toMatchObject([{ type: "call.progress", callId: "c", data: 1 }]);
  });
});

describe("a failure that may pass", () => {
  const flaky = (failures: number, extra: Partial<AnyTool> = {}): AnyTool => {
    let runs = 0;
    return {
      name: "flaky",
      inputSchema: { type: "object" },
      annotations: { idempotentHint: true },
      retry: { maxAttempts: 3, baseMs: 100 },
      execute() {
        runs += 1;
        if (runs <= failures)
          throw Object.assign(new Error(`failure ${runs}`), { code: "ECONNRESET" });
        return `after ${runs}`;
      },
      ...extra,
    };
  };

  it("is retried after a jittered backoff that grows, invisibly to the model", async () => {
    const { executor, advance } = createTestExecutor([flaky(2)]);
    const pending = executor.execute(call("flaky"));
    await advance(1000);
    const result = await pending;
    expect(result).toMatchObject({ success: true, output: "after 3", metadata: { attempts: 3 } });
    expect(result.metadata.stages.filter((state) => state === "backingOff")).toHaveLength(2);
    const [first = 0, second = 0] = result.metadata.trace
      .filter(({ state }) => state === "backingOff")
      .map(({ enteredAt, leftAt = 0 }) => leftAt - enteredAt);
    expect(first).toBeGreaterThanOrEqual(50);
    expect(first).toBeLessThanOrEqual(100);
    expect(second).toBeGreaterThanOrEqual(100);
    expect(second).toBeLessThanOrEqual(200);
    expect(result.metadata.retried).toMatchObject([{ code: "tool_error" }, { code: "tool_error" }]);
  });

  it("is given up when the attempts are used up", async () => {
    const { executor, advance } = createTestExecutor([flaky(9)]);
    const pending = executor.execute(call("flaky"));
    await advance(1000);
    expect(await pending).toMatchObject({
      failure: { code: "tool_error", message: '"flaky" failed: failure 3' },
      metadata: { attempts: 3 },
    });
  });

  const notRetried: readonly (readonly [string, Partial<AnyTool>])[] = [
    ["the tool may not be run twice", { annotations: {} }],
    ["no time would be left", { retry: { maxAttempts: 3, baseMs: 1e9, maxMs: 1e9 } }],
    ["the tool's own predicate says no", { retry: { maxAttempts: 3, when: () => false } }],
    [
      "the tool's own predicate throws",
      {
        retry: {
          maxAttempts: 3,
          when: () => {
            throw new Error("predicate");
          },
        },
      },
    ],
  ];
  it.for(notRetried)("is not retried when %s", async ([, extra]) => {
    const { executor } = createTestExecutor([flaky(1, extra)]);
    expect(await executor.execute(call("flaky"))).toMatchObject({
      failure: { code: "tool_error" },
      metadata: { attempts: 1 },
    });
  });

  it("waits at least as long as the tool asks for", async () => {
    let runs = 0;
    const tool: AnyTool = {
      ...flaky(0),
      execute() {
        runs += 1;
        if (runs === 1) throw Object.assign(new Error("slow down"), { retryAfterMs: 700 });
        return "ok";
      },
    };
    const { executor, clock, recorder } = createTestExecutor([tool]);
    const result = executor.execute(call("flaky"));
    await settle();
    clock.increment(699);
    expect(recorder.stages().at(-1)).toBe("backingOff");
    clock.increment(1);
    expect((await result).output).toBe("ok");
  });
});

describe("a person", () => {
  it("has exactly approvalTimeoutMs to answer", async () => {
    const { tool } = createDeferredTool({ requiresApproval: true, approvalTimeoutMs: 500 });
    const { executor, clock, recorder } = createTestExecutor([tool]);
    const result = executor.execute(call("deferred"));
    clock.increment(499);
    expect(recorder.stages().at(-1)).toBe("awaitingApproval");
    clock.increment(1);
    expect(await result).toHaveFailedAt("authorize", { code: "approval_expired", executed: "no" });
  });

  it("does not use up the budget of the call", async () => {
    const { tool } = createDeferredTool({ requiresApproval: true });
    const { executor, clock, recorder } = createTestExecutor([tool], {
      limits: { deadlineMs: 100 },
    });
    const result = executor.execute(call("deferred"));
    clock.increment(5000);
    expect(executor.approve("c")).toEqual({ ok: true });
    clock.increment(99);
    expect(recorder.stages().at(-1)).toBe("executing");
    clock.increment(1);
    const { metadata, failure } = await result;
    expect(failure?.code).toBe("timed_out");
    expect(metadata.humanWaitMs).toBe(5000);
  });
});

describe("a slot", () => {
  it("is waited for, in order, at most queueTimeoutMs", async () => {
    const { tool, runs } = createDeferredTool();
    const { executor, clock } = createTestExecutor([tool], {
      limits: { concurrency: 1, queueTimeoutMs: 200 },
    });
    const first = executor.execute(call("deferred", "1"));
    const second = executor.execute(call("deferred", "2"));
    clock.increment(100);
    const third = executor.execute(call("deferred", "3"));
    expect(runs).toHaveLength(1);
    clock.increment(100);
    expect(await second).toHaveFailedAt("queue", { code: "overloaded", executed: "no" });
    runs[0]?.resolve("one");
    expect((await first).output).toBe("one");
    await settle();
    expect(runs.map(({ context }) => context.callId)).toEqual(["1", "3"]);
    runs[1]?.resolve("three");
    expect((await third).output).toBe("three");
  });

  it("is refused at once when the queue is full", async () => {
    const { tool } = createDeferredTool();
    const { executor } = createTestExecutor([tool], { limits: { concurrency: 1, maxQueued: 0 } });
    void executor.execute(call("deferred", "1"));
    expect(await executor.execute(call("deferred", "2"))).toHaveFailedAt("queue", {
      code: "overloaded",
    });
  });
});
