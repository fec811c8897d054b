import type { ToolContext } from "../../src/tool.ts";

/** A context for one run of a tool outside of an executor, and everything that the run reported. */
export interface TestToolContext {
  readonly context: ToolContext;
  /** What the tool gave to `progress`, in order. */
  readonly progress: readonly unknown[];
  /** Aborts the run's signal as a cancelled call does, or with the reason given. */
  readonly abort: (reason?: unknown) => void;
}

/** Makes a {@link ToolContext}; any field can be given, the others hold fixed values. */
export function createToolContext(fields: Partial<ToolContext> = {}): TestToolContext {
  const controller = new AbortController();
  const progress: unknown[] = [];
  return {
    progress,
    abort: (reason) =>
      controller.abort(reason ?? new DOMException("The call was cancelled.", "AbortError")),
    context: {
      callId: "call-1",
      executionId: "execution-1",
      toolName: "tool",
      attempt: 1,
      idempotencyKey: "execution-1",
      signal: controller.signal,
      deadlineAt: 60_000,
      caller: {},
      progress: (data) => progress.push(data),
      ...fields,
    },
  };
}

/** The reason with which the executor aborts an attempt that took too long. */
export function timeoutReason(): DOMException {
  return new DOMException("The tool did not answer in time.", "TimeoutError");
}
