/** A call as a child of somebody's own machine, and the whole executor as one actor. */
import { describe, expect, it } from "vitest";
import { assign, createActor, setup, toPromise } from "xstate";
import { getShortestPaths } from "xstate/graph";
import type { ExecutorEmitted, ToolCallEmitted, ToolResult } from "../../src/index.ts";
import { createDeferredTool, createTestExecutor, settle } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

function createParent(executor: ReturnType<typeof createTestExecutor>["executor"]) {
  return setup({
    types: {
      context: {} as { heard: ToolCallEmitted[]; result: ToolResult | undefined },
      events: {} as ToolCallEmitted | { type: "leave" } | { type: "go" },
    },
    actors: { call: executor.toolCallLogic },
    actions: {
      hear: assign(({ context, event }) => ({
        heard: [...context.heard, event as ToolCallEmitted],
      })),
    },
  }).createMachine({
    context: { heard: [], result: undefined },
    initial: "idle",
    states: {
      idle: { on: { go: "calling" } },
      calling: {
        invoke: {
          src: "call",
          id: "call",
          input: { call: { id: "c", name: "deferred", arguments: {} }, context: { user: "ada" } },
          onDone: { target: "done", actions: assign({ result: ({ event }) => event.output }) },
        },
        on: {
          "call.progress": { actions: "hear" },
          "call.approvalRequired": { actions: "hear" },
          leave: "left",
        },
      },
      left: {},
      done: { type: "final" },
    },
  });
}

describe("toolCallLogic", () => {
  it("tells its parent of progress and approvals, and ends with a result", async () => {
    const { tool, last } = createDeferredTool({ requiresApproval: true });
    const { executor, recorder } = createTestExecutor([tool]);
    const parent = createActor(createParent(executor), { inspect: recorder.inspect }).start();
    parent.send({ type: "go" });
    await settle();
    expect(parent.getSnapshot().context.heard).toMatchObject([{ type: "call.approvalRequired" }]);
    expect(executor.approve("c")).toEqual({ ok: true });
    await settle();
    last().context.progress({ done: 1 });
    expect(last().context.caller).toEqual({ user: "ada" });
    last().resolve("R");
    await toPromise(parent);
    const { heard, result } = parent.getSnapshot().context;
    expect(heard.map(({ type }) => type)).toEqual(["call.approvalRequired", "call.progress"]);
    expect(result).toMatchObject({ success: true, output: "R" });
    expect(recorder.stages("c")).toEqual(result?.metadata.stages);
  });

  it("is stopped with the state that invoked it: the tool is told, and the slot and the trace are kept right", async () => {
    const { tool, runs } = createDeferredTool();
    const { executor, sink } = createTestExecutor([tool], { limits: { concurrency: 1 } });
    const parent = createActor(createParent(executor)).start();
    parent.send({ type: "go" });
    await settle();
    const next = executor.execute({ id: "next", name: "deferred", arguments: {} });
    parent.send({ type: "leave" });
    await settle();
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(runs).toHaveLength(2);
    runs[1]?.resolve("mine");
    expect((await next).output).toBe("mine");
    expect(sink.calls()[0]?.result).toMatchObject({
      callId: "c",
      failure: { code: "cancelled", executed: "unknown" },
    });
    expect(sink.lates()).toMatchObject([{ callId: "c", outcome: { status: "threw" } }]);
    parent.stop();
  });

  it("runs nothing when a parent machine is only explored", () => {
    const asked: string[] = [];
    const { tool, runs } = createDeferredTool();
    const { executor } = createTestExecutor([tool], {
      policy({ call }) {
        asked.push(call.id);
        return "allow";
      },
    });
    const paths = getShortestPaths(createParent(executor) as never, {
      events: [{ type: "go" }, { type: "leave" }] as never,
    });
    expect(paths.length).toBeGreaterThan(2);
    expect({ asked, runs }).toEqual({ asked: [], runs: [] });
  });
});

describe("executorMachine", () => {
  it("runs calls, hears decisions, and is done when it is closed and idle", async () => {
    const { tool, runs } = createDeferredTool();
    const ask = {
      ...createDeferredTool({ name: "ask", requiresApproval: true }).tool,
      execute: () => "asked",
    };
    const { executor } = createTestExecutor([tool, ask]);
    const heard: ExecutorEmitted[] = [];
    const actor = createActor(executor.executorMachine);
    actor.on("*", (event) => void heard.push(event));
    actor.start();
    actor.send({ type: "executor.call", call: { id: "1", name: "deferred", arguments: {} } });
    actor.send({ type: "executor.call", call: { id: "2", name: "ask", arguments: {} } });
    await settle();
    actor.send({ type: "executor.approve", id: "2", by: "Grace" });
    await settle();
    actor.send({ type: "executor.close" });
    actor.send({ type: "executor.call", call: { id: "3", name: "deferred", arguments: {} } });
    await settle();
    expect(actor.getSnapshot().status).toBe("active");
    runs[0]?.resolve("one");
    await settle();
    expect(actor.getSnapshot()).toMatchObject({
      status: "done",
      value: "closed",
      context: { inFlight: 0, succeeded: 2, failed: 1 },
    });
    const results = heard.flatMap((event) =>
      event.type === "executor.result" ? [event.result] : [],
    );
    expect(results.map(({ callId, output, failure }) => [callId, output ?? failure?.code])).toEqual(
      [
        ["2", "asked"],
        ["3", "cancelled"],
        ["1", "one"],
      ],
    );
    expect(heard[0]).toMatchObject({ type: "call.approvalRequired", callId: "2" });
  });

  it("cancels what runs when its actor is stopped", async () => {
    const { tool, runs } = createDeferredTool();
    const { executor, sink } = createTestExecutor([tool]);
    const actor = createActor(executor.executorMachine).start();
    actor.send({ type: "executor.call", call: { id: "1", name: "deferred", arguments: {} } });
    await settle();
    actor.stop();
    await settle();
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(sink.calls()[0]?.result.failure?.code).toBe("cancelled");
  });
});
