import type { ToolResult } from "../../machines/contract.ts";
import type { Executor, LiveCall } from "../executor.ts";
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

/** A function that runs one line's call to its end: shows it, answers its approval, cancels it when that was asked for. */
export function createRunOne(options: RunOneOptions): (line: CallLine) => Promise<ToolResult> {
  return async (line) => {
    const live = options.executor.start(line.call, line.context, {
      signal: options.interrupt.signal,
    });
    const ended = new AbortController();
    const shown = options.progress.begin(String(line.call.name));
    watch(live, line, options, shown.report, ended.signal);
    const cancel = cancelLater(live, line.cancelAfterMs);
    const result = await live.result;
    ended.abort();
    clearTimeout(cancel);
    shown.end();
    return line.problem === undefined ? result : withProblem(result, line.problem);
  };
}

/** The call may have come to its approval while it was started, before anybody could listen. */
function watch(
  live: LiveCall,
  line: CallLine,
  { executor, approver }: RunOneOptions,
  report: (data: unknown) => void,
  signal: AbortSignal,
): void {
  const answer = (): void => {
    const request = executor.pending().find(({ executionId }) => executionId === live.executionId);
    if (request !== undefined) approver.answer(request, line.approval, signal);
  };
  live.actor.on("call.progress", ({ data }) => report(data));
  live.actor.on("call.approvalRequired", answer);
  answer();
}

function cancelLater(live: LiveCall, afterMs: number | undefined): NodeJS.Timeout | undefined {
  if (afterMs === undefined) return undefined;
  return setTimeout(() => live.cancel({ reason: `after ${afterMs} ms, as the file of calls says` }), afterMs);
}

/** The executor sees a call without a name; the line knows why there is none. */
function withProblem(result: ToolResult, problem: string): ToolResult {
  const error = `${problem} ${result.error ?? ""}`.trim();
  if (result.failure === undefined) return result;
  return { ...result, error, failure: { ...result.failure, message: error } };
}
