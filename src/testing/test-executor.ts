import { SimulatedClock } from "xstate";
import { createExecutor, type Executor } from "../executor.ts";
import type { ExecutorOptions } from "../executor-options.ts";
import { createRegistry } from "../registry.ts";
import type { AnyTool } from "../tool.ts";
import { createMemorySink } from "../trace/index.ts";
import { recordStages, type StageRecorder } from "./record-stages.ts";

/** An executor whose time and ids belong to the test. */
export interface TestExecutor {
  readonly executor: Executor;
  readonly clock: SimulatedClock;
  readonly recorder: StageRecorder;
  readonly sink: ReturnType<typeof createMemorySink>;
  /** Lets time pass, see {@link advance}. */
  readonly advance: (ms: number) => Promise<void>;
}

/**
 * An executor under XState's `SimulatedClock` with ids `execution-1`, `execution-2`, … Broken tools throw, since in a
 * test they are a mistake.
 */
export function createTestExecutor(
  tools: readonly AnyTool[],
  options: Partial<ExecutorOptions> = {},
): TestExecutor {
  const clock = new SimulatedClock();
  const recorder = recordStages();
  const sink = createMemorySink();
  let count = 0;
  const executor = createExecutor({
    registry: createRegistry(tools, { strict: true }),
    clock,
    inspect: recorder.inspect,
    sinks: [sink],
    ids() {
      count += 1;
      return `execution-${count}`;
    },
    ...options,
  });
  return { executor, clock, recorder, sink, advance: (ms) => advance(clock, ms) };
}

/**
 * Lets `ms` pass on a `SimulatedClock`, one millisecond at a time: promises settle in between, and a timer that is set
 * by another one starts when it should. (A single large `increment` would start it at the end of the jump.)
 */
export async function advance(clock: SimulatedClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    clock.increment(Math.min(1, ms - passed));
    await settle();
  }
}

/** Lets every promise that can settle do so, without letting time pass. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
