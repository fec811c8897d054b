/** What an executor promises whatever happens: properties, and the worst that surroundings can do. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolResult } from "../../machines/index.ts";
import { type AnyTool, createExecutor, createRegistry } from "../../src/index.ts";
import {
  createDeferredTool,
  createTestExecutor,
  type DeferredRun,
  settle,
} from "../../src/testing/index.ts";
import { createMockTool } from "../../tools/index.ts";
import "../../src/testing/vitest.ts";

const boom = (): never => {
  throw new Error("boom");
};
const echo: AnyTool = {
  name: "echo",
  inputSchema: { type: "object" },
  execute: (args: unknown) => args,
};

/** Rejections and exceptions that nobody caught while a test ran. */
const stray: unknown[] = [];
const note = (reason: unknown): void => void stray.push(reason);
beforeEach(() => {
  stray.length = 0;
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
});
afterEach(async () => {
  await settle();
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
  expect(stray).toEqual([]);
});

function checkResult(result: ToolResult): void {
  const { stages, trace } = result.metadata;
  const at = (state: string): number => stages.map(String).indexOf(state);
  expect(stages.at(-1)).toBe(result.success ? "succeeded" : "failed");
  expect(stages.at(-2)).toBe("tracing");
  expect(result.failure === undefined).toBe(result.success);
  if (at("executing") !== -1) {
    expect(at("validating")).toBeLessThan(at("executing"));
    expect(at("authorizing")).toBeLessThan(at("executing"));
    expect(at("queued")).toBeLessThan(at("executing"));
  }
  if (result.failure?.executed === "no") expect(result.metadata.attempts).toBe(0);
  for (const [index, step] of trace.entries()) {
    const next = trace[index + 1];
    if (next !== undefined) expect(next.enteredAt).toBe(step.leftAt);
  }
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
}

describe("execute", () => {
  it("gives one sound result for any call, any tool and any policy (property)", async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anything,
          fc.record({
            id: fc.string({ minLength: 1 }),
            name: fc.constantFrom("any", "any", "any", "other"),
            arguments: fc.oneof(anything, fc.dictionary(fc.string(), fc.jsonValue()), fc.json()),
          }),
        ),
        fc.constantFrom("return", "throw", "reject", "resolve"),
        anything,
        fc.oneof(fc.constantFrom("allow", "deny", undefined), anything),
        async (call, how, value, verdict) => {
          const any: AnyTool = {
            name: "any",
            inputSchema: { type: "object" },
            execute() {
              if (how === "throw") throw value;
              if (how === "return") return value;
              return how === "resolve" ? Promise.resolve(value) : Promise.reject(value);
            },
          };
          const { executor, sink } = createTestExecutor([any], { policy: () => verdict as never });
          const pending = executor.execute(call as never);
          if (verdict === "ask") executor.deny("execution-1");
          const result = await pending;
          checkResult(result);
          expect(sink.calls()).toHaveLength(1);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("gives one sound result whatever is sent to a call while it runs (property)", async () => {
    const move = fc.constantFrom("approve", "edit", "deny", "cancel", "wait", "resolve", "reject");
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 12 }), fc.boolean(), async (moves, deaf) => {
        const { tool, runs } = createDeferredTool({
          deaf,
          requiresApproval: true,
          executionTimeoutMs: 100,
          graceMs: 50,
          approvalTimeoutMs: 300,
          annotations: { idempotentHint: true },
          retry: { maxAttempts: 2, baseMs: 20 },
        });
        const { executor, clock, sink } = createTestExecutor([tool]);
        const pending = executor.execute({ id: "c", name: "deferred", arguments: {} });
        const settled = new Set<DeferredRun>();
        const last = (): DeferredRun | undefined => runs.at(-1);
        const end = (how: "resolve" | "reject"): void => {
          const run = last();
          if (run === undefined) return;
          settled.add(run);
          run[how](Object.assign(new Error(how), { retryable: true }));
        };
        const act: { readonly [name: string]: () => unknown } = {
          approve: () => executor.approve("c"),
          edit: () => executor.approve("c", { arguments: { edited: true } }),
          deny: () => executor.deny("c"),
          cancel: () => executor.cancel("c"),
          wait: () => clock.increment(60),
          resolve: () => end("resolve"),
          reject: () => end("reject"),
        };
        for (const each of moves) {
          act[each]?.();
          await settle();
          const open = runs.filter(
            (run) => !settled.has(run) && (deaf || !run.context.signal.aborted),
          );
          expect(open.length, "attempts never overlap").toBeLessThanOrEqual(1);
        }
        for (let step = 0; step < 20; step += 1) {
          clock.increment(60);
          await settle();
        }
        checkResult(await pending);
        expect(sink.calls()).toHaveLength(1);
        expect(runs.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
  });

  it("survives 5,000 calls on one long-lived signal and leaves no listener, timer or warning", async () => {
    const warnings: unknown[] = [];
    const warn = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", warn);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    let timers = 0;
    const executor = createExecutor({
      registry: createRegistry([echo]),
      clock: {
        now: () => performance.now(),
        setTimeout(fn, ms) {
          timers += 1;
          return setTimeout(() => {
            timers -= 1;
            fn();
          }, ms);
        },
        clearTimeout(id) {
          timers -= 1;
          clearTimeout(id);
        },
      },
    });
    for (let round = 0; round < 5; round += 1) {
      const calls = Array.from({ length: 1000 }, (_, at) => ({
        id: `${at}`,
        name: "echo",
        arguments: {},
      }));
      const results = await executor.executeAll(calls, {}, { signal });
      expect(results.every(({ success }) => success)).toBe(true);
    }
    await settle();
    process.off("warning", warn);
    expect({ listeners, timers, warnings }).toEqual({ listeners: 0, timers: 0, warnings: [] });
  });

  it("cancels every call of a signal that is aborted, and runs none of one that was", async () => {
    const { tool, runs } = createDeferredTool();
    const { executor } = createTestExecutor([tool]);
    const controller = new AbortController();
    const call = { id: "c", name: "deferred", arguments: {} };
    const running = executor.executeAll([call, call], {}, { signal: controller.signal });
    controller.abort();
    for (const result of await running) {
      expect(result).toHaveFailedAt("execute", { code: "cancelled", executed: "yes" });
    }
    const late = await executor.execute(call, {}, { signal: controller.signal });
    expect(late).toHaveFailedAt("validate", { code: "cancelled", executed: "no" });
    expect(late).toHavePassed(["validating", "normalizing", "tracing", "failed"]);
    expect(runs).toHaveLength(2);
  });

  it("is not changed by sinks, listeners, inspectors and ids that throw, and says so", async () => {
    const defects: string[] = [];
    const executor = createExecutor({
      registry: createRegistry([
        {
          ...echo,
          execute(_args: unknown, { progress }) {
            progress("half");
            return "ok";
          },
        },
      ]),
      sinks: [
        { name: "throws", write: boom },
        { name: "rejects", write: async () => boom(), flush: async () => boom() },
      ],
      onEvent: boom,
      inspect: boom,
      ids: boom,
      onDefect: ({ name }) => void defects.push(name),
    });
    const result = await executor.execute({ id: "1", name: "echo", arguments: {} });
    await executor.close();
    expect(result).toMatchObject({ success: true, output: "ok" });
    expect(new Set(defects)).toEqual(new Set(["throws", "rejects", "onEvent", "inspect", "ids"]));
  });

  it("does not fail when the one who hears of defects throws", async () => {
    const executor = createExecutor({
      registry: createRegistry([echo]),
      sinks: [{ name: "throws", write: boom }],
      onDefect: boom,
    });
    expect((await executor.execute({ id: "1", name: "echo", arguments: {} })).success).toBe(true);
  });

  it("bounds a flood of progress and counts what it dropped", async () => {
    let heard = 0;
    const count = (): void => {
      heard += 1;
    };
    const { executor } = createTestExecutor(
      [createMockTool({ behaviour: { kind: "flood", chars: 10, events: 5000 } })],
      { onEvent: count },
    );
    const { metadata } = await executor.execute({ id: "1", name: "mock", arguments: {} });
    expect(heard).toBe(1000);
    expect(metadata.progressDropped).toBe(4000);
  });
});

describe("executeAll", () => {
  it("gives results in call order, one for each, and no failure harms a sibling", async () => {
    const { tool, runs } = createDeferredTool();
    const { executor } = createTestExecutor([tool, echo, { ...echo, name: "boom", execute: boom }]);
    const pending = executor.executeAll([
      { id: "a", name: "deferred", arguments: {} },
      { id: "b", name: "boom", arguments: {} },
      { id: "c", name: "nope", arguments: {} },
      { id: "c", name: "echo", arguments: { twice: true } },
      { id: "d", name: "deferred", arguments: {} },
      null as never,
    ]);
    runs[1]?.resolve("second");
    runs[0]?.resolve("first");
    const results = await pending;
    expect(results.map(({ callId, output, failure }) => [callId, output ?? failure?.code])).toEqual(
      [
        ["a", "first"],
        ["b", "tool_error"],
        ["c", "unknown_tool"],
        ["c", '{"twice":true}'],
        ["d", "second"],
        ["", "invalid_call"],
      ],
    );
  });

  it("runs thousands of calls that end at once through one slot without growing the stack", async () => {
    const { executor } = createTestExecutor([echo], {
      limits: { concurrency: 1, maxQueued: 10_000 },
    });
    const calls = Array.from({ length: 5000 }, (_, at) => ({
      id: `${at}`,
      name: "echo",
      arguments: {},
    }));
    const results = await executor.executeAll(calls);
    expect(results.every(({ success }) => success)).toBe(true);
    expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
  });
});

describe("close", () => {
  it("takes no more calls, lets running ones finish, and flushes the sinks", async () => {
    const { tool, last } = createDeferredTool();
    const order: string[] = [];
    const { executor } = createTestExecutor([tool], {
      sinks: [
        {
          name: "slow",
          async write() {
            await settle();
            order.push("written");
          },
          flush: () => void order.push("flushed"),
        },
      ],
    });
    const running = executor.execute({ id: "1", name: "deferred", arguments: {} });
    const closing = executor.close({ drainMs: 1000 });
    const late = await executor.execute({ id: "2", name: "deferred", arguments: {} });
    expect(late).toHaveFailedAt("validate", { code: "cancelled", message: "closed" });
    last().resolve("in time");
    expect((await running).output).toBe("in time");
    await closing;
    expect(order).toEqual(["written", "written", "flushed"]);
    await expect(executor.close()).resolves.toBeUndefined();
  });

  it("cancels what has not finished after drainMs, also calls that wait for a person or a slot", async () => {
    const { tool } = createDeferredTool({ name: "runs" });
    const asks = { ...echo, name: "asks", requiresApproval: true };
    const { executor, clock } = createTestExecutor([tool, asks], { limits: { concurrency: 1 } });
    const pending = executor.executeAll([
      { id: "1", name: "runs", arguments: {} },
      { id: "2", name: "runs", arguments: {} },
      { id: "3", name: "asks", arguments: {} },
    ]);
    const closing = executor.close({ drainMs: 500 });
    clock.increment(499);
    await settle();
    expect(executor.pending()).toHaveLength(1);
    clock.increment(1);
    const results = await pending;
    await closing;
    expect(results.map(({ failure }) => [failure?.code, failure?.executed])).toEqual([
      ["cancelled", "yes"],
      ["cancelled", "no"],
      ["cancelled", "no"],
    ]);
  });
});

describe("createExecutor", () => {
  it.for([
    ["no registry", {}, "needs a registry"],
    ["a negative time", { limits: { graceMs: -1 } }, "limits.graceMs"],
    ["an endless time", { limits: { deadlineMs: Number.POSITIVE_INFINITY } }, "limits.deadlineMs"],
    ["a time that Node cannot wait", { limits: { deadlineMs: 2 ** 31 } }, "2147483647"],
    ["no number", { limits: { queueTimeoutMs: Number.NaN } }, "limits.queueTimeoutMs"],
    ["no slots", { limits: { concurrency: 0 } }, "limits.concurrency"],
    ["an unknown limit", { limits: { timeout: 5 } }, "limits.timeout is not known"],
    ["a policy that is none", { policy: "allow" }, "policy must be a function"],
  ] as const)("refuses %s with words that say what is right", ([, options, words]) => {
    const registry =
      "limits" in options || "policy" in options ? { registry: createRegistry([]) } : {};
    expect(() => createExecutor({ ...registry, ...options } as never)).toThrow(TypeError);
    expect(() => createExecutor({ ...registry, ...options } as never)).toThrow(words);
  });
});
