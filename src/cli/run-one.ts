import type { ToolCallEmitted, ToolResult } from "../../machines/index.ts";
import type { Executor } from "../executor.ts";
import type { Approver } from "./approve.ts";
import type { Progress } from "./progress.ts";
import type { CallLine } from "./read-calls.ts";

/** What one call is run with. */
export interface RunOneOptions {
  readonly executor: Executor;
  readonly approver: Approver;
  readonly progress: Progress;
  readonly interrupt: { readonly signal: AbortSignal };
}

/** A function that runs one line's call to its end: shows it, answers its approval, cancels it when the line says so. */
export function createRunOne(options: RunOneOptions): (line: CallLine) => Promise<ToolResult> {
  const { executor, approver, progress, interrupt } = options;
  return async (line) => {
    // Made when somebody is asked: aborting one costs more than the rest of a quick call.
    let ended: AbortController | undefined;
    const shown = progress.begin(line.call.name);
    const onEvent = (event: ToolCallEmitted): void => {
      if (event.type === "call.progress") {
        shown.report(event.data);
        return;
      }
      ended ??= new AbortController();
      const { signal } = ended;
      // Not at once: the call is still on its way into the state in which it can be answered.
      queueMicrotask(() => approver.answer(event, line.approval, signal));
    };
    const live = executor.start(line.call, line.context, { signal: interrupt.signal, onEvent });
    const cancel = cancelLater(executor, live.executionId, line.cancelAfterMs);
    const result = await live.result;
    ended?.abort();
    clearTimeout(cancel);
    shown.end();
    return line.problem === undefined ? result : withProblem(result, line.problem);
  };
}

function cancelLater(
  executor: Executor,
  executionId: string,
  afterMs: number | undefined,
): NodeJS.Timeout | undefined {
  if (afterMs === undefined) return undefined;
  const reason = `the file of calls says to cancel it after ${afterMs} ms`;
  return setTimeout(() => executor.cancel(executionId, { reason }), afterMs);
}

/** The executor sees a call without a name; the line knows why there is none. */
function withProblem(result: ToolResult, problem: string): ToolResult {
  if (result.failure?.code !== "invalid_call") return result;
  const message = `${problem} ${result.failure.message}`;
  return { ...result, error: message, failure: { ...result.failure, message } };
}
