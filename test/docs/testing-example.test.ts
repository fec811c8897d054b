import { createDeferredTool, createTestExecutor } from "callchart/testing";
import { expect, it } from "vitest";
import "callchart/testing/vitest";

it("gives a slow tool its time and a deaf one its grace", async () => {
  const slow = createDeferredTool({ deaf: true, executionTimeoutMs: 50, graceMs: 20 });
  const { executor, clock, recorder } = createTestExecutor([slow.tool]);

  const pending = executor.execute({ id: "call_1", name: "deferred", arguments: {} });
  clock.increment(49);
  expect(recorder.stages("call_1").at(-1)).toBe("executing");
  clock.increment(1);
  expect(recorder.stages("call_1").at(-1)).toBe("interrupting");
  clock.increment(20);

  const result = await pending;
  expect(result).toHaveFailedAt("execute", { code: "timed_out", executed: "unknown" });
  expect(result).toHavePassed([
    "validating",
    "authorizing",
    "queued",
    "executing",
    "interrupting",
    "normalizing",
    "tracing",
    "failed",
  ]);
});
