import { Readable } from "node:stream";
import type { ToolResult } from "../../machines/contract.ts";
import type { CallLine } from "./read-calls.ts";

/** A call with its result. */
export interface FinishedCall {
  readonly line: CallLine;
  readonly result: ToolResult;
}

export interface RunCallsOptions {
  /** Calls that run at once. */
  readonly concurrency: number;
  /** Finished calls that may wait for an earlier, slower one before no more are begun. Default 1000. */
  readonly lookahead?: number;
  readonly runOne: (line: CallLine) => Promise<ToolResult>;
}

/**
 * Runs calls as they are read, `concurrency` at once, and yields each with its result in the order of the calls. At most
 * `concurrency + lookahead` calls and results are in memory. Rejects when `lines` does.
 */
export function runCalls(
  lines: AsyncIterable<CallLine>,
  { concurrency, lookahead = 1000, runOne }: RunCallsOptions,
): AsyncIterable<FinishedCall> {
  const options = { concurrency, highWaterMark: lookahead };
  return Readable.from(lines).map(
    async (line: CallLine): Promise<FinishedCall> => ({ line, result: await runOne(line) }),
    options,
  );
}

/** The items of `source` until `signal` is aborted; what a source throws after that is no error. */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  try {
    for await (const item of source) {
      if (signal.aborted) return;
      yield item;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
