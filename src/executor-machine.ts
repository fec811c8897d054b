import { fromCallback } from "xstate";
import {
  type CallContext,
  type ExecutorCommand,
  type ExecutorMachine,
  executorMachine,
  type ToolCall,
  type ToolCallEmitted,
  type ToolResult,
} from "../machines/index.ts";
import type { LiveCall, LiveCalls } from "./live-calls.ts";

/** The executor's chart, bound to a running executor. */
export type ExecutorLogic = ExecutorMachine;

interface Runtime extends Pick<LiveCalls, "approve" | "deny" | "cancel"> {
  readonly start: (
    call: ToolCall,
    context: CallContext | undefined,
    options: { readonly signal?: AbortSignal; readonly onEvent: (event: ToolCallEmitted) => void },
  ) => LiveCall;
}
type FromRuntime =
  | { readonly type: "runtime.result"; readonly result: ToolResult }
  | ToolCallEmitted;

/** Binds the executor's chart to `runtime`. Calls that run when its actor is stopped are cancelled. */
export function bindExecutorMachine(runtime: Runtime): ExecutorLogic {
  const logic = fromCallback<ExecutorCommand, unknown>(({ sendBack, receive }) => {
    const running = new Set<LiveCall>();
    let closed = false;
    const tell = (event: FromRuntime): void => sendBack(event);
    const call = (event: Extract<ExecutorCommand, { type: "executor.call" }>): void => {
      const live = runtime.start(event.call, event.context, {
        onEvent: tell,
        ...(closed ? { signal: CLOSED } : {}),
      });
      running.add(live);
      // A call's result never rejects.
      void live.result.then((result) => {
        running.delete(live);
        tell({ type: "runtime.result", result });
      });
    };
    receive((event) => {
      switch (event.type) {
        case "executor.call":
          return call(event);
        case "executor.approve":
          return void runtime.approve(event.id, event);
        case "executor.deny":
          return void runtime.deny(event.id, event);
        case "executor.cancel":
          return void runtime.cancel(event.id, event);
        case "executor.close":
          closed = true;
      }
    });
    return () => {
      for (const { executionId } of running) {
        runtime.cancel(executionId, { reason: "the executor's actor was stopped" });
      }
    };
  });
  // `runtime` is declared by name only in the chart; its logic comes from here.
  return executorMachine.provide({ actors: { runtime: logic as never } });
}

const CLOSED = AbortSignal.abort();
