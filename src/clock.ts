import type { ActorOptions, AnyActorLogic } from "xstate";

/** Time as a port: XState's clock, and the time that it shows. XState's `SimulatedClock` is one. */
export interface Clock extends NonNullable<ActorOptions<AnyActorLogic>["clock"]> {
  /** Milliseconds; those of the default are epoch milliseconds that never run backwards within a process. */
  readonly now: () => number;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (fn, timeout) => setTimeout(fn, timeout),
  clearTimeout: (id) => clearTimeout(id),
};
