import type { ToolContext } from "../../src/tool.ts";
import type { MockBehaviour } from "./behaviour.ts";

/** Where the mock's delays come from. XState's `SimulatedClock` and the global timers are such clocks. */
export interface MockClock {
  setTimeout(fn: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}

/** One run of the mock tool, for assertions and for settling it by hand. */
export interface MockRun {
  readonly arguments: unknown;
  readonly context: ToolContext;
  readonly behaviour: MockBehaviour;
  /** `running` until it ended; `stopped` when it ended because it was told to. */
  readonly state: "running" | "returned" | "threw" | "stopped";
  /** Was its signal aborted so far, whether it listens or not? */
  readonly abortReason: unknown;
  /** How often a clean-up of its own ran: a generator's `finally`, an Effect's finalizer. */
  readonly cleanUps: number;
  /** Ends a run that hangs, also one that is deaf and whose call is over. No effect once it has ended. */
  readonly resolve: (value?: unknown) => void;
  /** Like `resolve`, with an error. */
  readonly reject: (error: unknown) => void;
}

/** A run while it goes on: what the behaviours need of it. */
export interface OpenRun extends MockRun {
  state: MockRun["state"];
  cleanUps: number;
  /** Settles when somebody settles the run by hand; in no other way. */
  readonly byHand: Promise<unknown>;
}

/** Begins the record of a run. */
export function openRun(args: unknown, context: ToolContext, behaviour: MockBehaviour): OpenRun {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // Somebody may reject a run that nobody awaits.
  promise.catch(() => undefined);
  return {
    arguments: args,
    context,
    behaviour,
    state: "running",
    get abortReason() {
      return context.signal.aborted ? context.signal.reason : undefined;
    },
    cleanUps: 0,
    byHand: promise,
    resolve,
    reject,
  };
}

/** The same promise, but rejected with the abort reason as soon as the signal is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const done = (): void => signal.removeEventListener("abort", stop);
    promise.then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

/** Resolves after `ms` on the clock; rejects with the abort reason, and stops the timer, when told to stop. */
export async function wait(ms: number, clock: MockClock, signal: AbortSignal): Promise<void> {
  let timer: unknown;
  const time = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms);
  });
  try {
    await untilAborted(time, signal);
  } finally {
    clock.clearTimeout(timer);
  }
}
