import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { createDeferredTool, createTestExecutor } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

const call = { id: "c", name: "deferred", arguments: {} };

/** What a disk keeps of a value. */
function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

describe("a restored call", () => {
  it("waits for the person only as long as was left, in another process", async () => {
    const clock = new SimulatedClock();
    const { tool } = createDeferredTool({ requiresApproval: true, approvalTimeoutMs: 1000 });
    const before = createTestExecutor([tool], { clock });
    const live = before.executor.start(call);
    clock.increment(600);
    const snapshot = stored(live.actor.getPersistedSnapshot());
    expect(snapshot).toEqual(live.actor.getPersistedSnapshot());

    const after = createTestExecutor([tool], { clock });
    const restored = after.executor.restore(snapshot as never);
    clock.increment(399);
    expect(restored.actor.getSnapshot().value).toBe("awaitingApproval");
    expect(after.executor.pending()).toMatchObject([{ callId: "c", expiresAt: 1000 }]);
    clock.increment(1);
    expect(await restored.result).toHaveFailedAt("authorize", { code: "approval_expired" });
  });

  it("is run again when its tool may be run twice, with the same idempotency key", async () => {
    const { tool, runs, last } = createDeferredTool({ annotations: { idempotentHint: true } });
    const before = createTestExecutor([tool]);
    const live = before.executor.start(call);
    const snapshot = stored(live.actor.getPersistedSnapshot());
    const after = createTestExecutor([tool]);
    const restored = after.executor.restore(snapshot as never);
    expect(runs.map(({ context }) => [context.attempt, context.idempotencyKey])).toEqual([
      [1, "execution-1"],
      [2, "execution-1"],
    ]);
    last().resolve("again");
    expect(await restored.result).toMatchObject({ success: true, output: "again" });
  });

  it("that had ended gives its result and runs nothing", async () => {
    const { tool, last, runs } = createDeferredTool();
    const { executor } = createTestExecutor([tool]);
    const live = executor.start(call);
    last().resolve("done");
    const result = await live.result;
    const restored = executor.restore(stored(live.actor.getPersistedSnapshot()) as never);
    expect(await restored.result).toEqual(result);
    expect(runs).toHaveLength(1);
  });

  it("without its tool fails as unknown instead of hanging", async () => {
    const { tool } = createDeferredTool({ annotations: { readOnlyHint: true } });
    const live = createTestExecutor([tool]).executor.start(call);
    const snapshot = stored(live.actor.getPersistedSnapshot());
    const result = await createTestExecutor([]).executor.restore(snapshot as never).result;
    expect(result).toMatchObject({ success: false, failure: { code: "interrupted" } });
  });

  it.for([
    ["nothing", undefined],
    ["null", null],
    ["something else", { status: "active", value: "a", context: {} }],
    ["another version", { status: "active", value: "queued", context: { version: 99 } }],
  ] as const)("is refused with a TypeError when it is %s", ([, snapshot]) => {
    const { executor } = createTestExecutor([]);
    expect(() => executor.restore(snapshot as never)).toThrow(TypeError);
    expect(() => executor.restore(snapshot as never)).toThrow("getPersistedSnapshot()");
  });
});
