import { assign, emit, enqueueActions, sendTo, setup } from "xstate";
import type { CallContext, ToolCall, ToolResult } from "./contract.ts";
import { unboundChild } from "./tool-call-children.ts";
import type { ToolCallEmitted } from "./tool-call-events.ts";

/** What the executor's actor understands. */
export type ExecutorCommand =
  | { readonly type: "executor.call"; readonly call: ToolCall; readonly context?: CallContext }
  | {
      readonly type: "executor.approve";
      readonly id: string;
      readonly by?: string;
      readonly reason?: string;
    }
  | {
      readonly type: "executor.deny";
      readonly id: string;
      readonly by?: string;
      readonly reason?: string;
    }
  | { readonly type: "executor.cancel"; readonly id: string; readonly reason?: string }
  /** Take no more calls; the actor is done when those that run have ended. */
  | { readonly type: "executor.close" };

/** What it tells its watchers and its parent. */
export type ExecutorEmitted =
  | { readonly type: "executor.result"; readonly result: ToolResult }
  | ToolCallEmitted;

/** What its runtime tells it. */
type RuntimeEvent =
  | { readonly type: "runtime.result"; readonly result: ToolResult }
  | ToolCallEmitted;

/** How many calls there are: the calls themselves are actors of their own. */
export interface ExecutorContext {
  readonly inFlight: number;
  readonly succeeded: number;
  readonly failed: number;
}

const announce = enqueueActions<
  ExecutorContext,
  ExecutorCommand | RuntimeEvent,
  undefined,
  ExecutorCommand | RuntimeEvent,
  never,
  never,
  never,
  never,
  ExecutorEmitted
>(({ enqueue, event, self }) => {
  const announcement = toAnnouncement(event);
  if (announcement === undefined) return;
  enqueue(emit(announcement));
  if (self._parent !== undefined) enqueue.sendTo(self._parent, announcement);
});

function toAnnouncement(event: ExecutorCommand | RuntimeEvent): ExecutorEmitted | undefined {
  if (event.type === "runtime.result") return { type: "executor.result", result: event.result };
  return event.type === "call.progress" || event.type === "call.approvalRequired"
    ? event
    : undefined;
}

/**
 * A whole executor as one actor: send it `executor.call`, hear `executor.result`. Its calls run as independent root
 * actors behind its child `runtime`, since thousands of children in one system make every stop slow
 * (docs/decisions/0002-calls-are-root-actors.md).
 */
export const executorMachine = setup({
  types: {
    context: {} as ExecutorContext,
    events: {} as ExecutorCommand | RuntimeEvent,
    emitted: {} as ExecutorEmitted,
  },
  actors: { runtime: unboundChild("runtime") },
  actions: {
    countStart: assign({ inFlight: ({ context }) => context.inFlight + 1 }),
    countEnd: assign(({ context, event }) => {
      if (event.type !== "runtime.result") return {};
      return {
        inFlight: context.inFlight - 1,
        succeeded: context.succeeded + (event.result.success ? 1 : 0),
        failed: context.failed + (event.result.success ? 0 : 1),
      };
    }),
    forward: sendTo("runtime", ({ event }) => event as never),
    announce,
  },
  guards: { isIdle: ({ context }) => context.inFlight === 0 },
}).createMachine({
  id: "executor",
  context: { inFlight: 0, succeeded: 0, failed: 0 },
  invoke: { src: "runtime", id: "runtime", input: undefined as never },
  initial: "open",
  on: {
    "executor.approve": { actions: "forward" },
    "executor.deny": { actions: "forward" },
    "executor.cancel": { actions: "forward" },
    "runtime.result": { actions: ["countEnd", "announce"] },
    "call.progress": { actions: "announce" },
    "call.approvalRequired": { actions: "announce" },
    // Also while it drains: every call gets its one result, here the one that says that the executor is closed.
    "executor.call": { actions: ["countStart", "forward"] },
  },
  states: {
    open: { on: { "executor.close": { target: "draining" } } },
    draining: { entry: "forward", always: { guard: "isIdle", target: "closed" } },
    closed: { type: "final" },
  },
});

/** The type of {@link executorMachine}. */
export type ExecutorMachine = typeof executorMachine;
