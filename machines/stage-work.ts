import type { NormalizedResult, PolicyDecision, RawOutcome, ToolFailure } from "./contract.ts";
import { failureOf } from "./failure.ts";
import type { ToolCallContext } from "./tool-call-context.ts";
import type { Settled, ToolCallEvent } from "./tool-call-events.ts";

/** A change of the context. */
export type Patch = Partial<ToolCallContext>;

/** Identifies the call's actor; the work keys live handles (slots, signals) by it and keeps them out of the context. */
export type ActorKey = object;

/**
 * What the runtime does in each stage. Every function is total: it never throws, whatever a policy, normalizer,
 * predicate or sink does, since a throw inside a transition would put the actor into error status.
 */
export interface StageWork {
  /** Epoch milliseconds, monotonic within a process. */
  readonly now: () => number;
  /** Gives `arguments`, or `failure`. */
  readonly validate: (context: ToolCallContext) => Patch;
  /** Gives `decision` (and `failure` when denied), or `pending: "begin"` when the policy is asynchronous. */
  readonly authorize: (context: ToolCallContext, key: ActorKey) => Patch;
  /** What a decision that came asynchronously (or did not come) means. */
  readonly decide: (
    context: ToolCallContext,
    settled: Settled<PolicyDecision> | "timeout",
  ) => Patch;
  /** Gives `stateDeadlineAt` of the wait for a person. */
  readonly awaitApproval: (context: ToolCallContext) => Patch;
  /** Gives `slot: "held"`; or `slot: "waiting"`, `pending: "begin"`, `stateDeadlineAt`; or `failure`. */
  readonly requestSlot: (context: ToolCallContext, key: ActorKey) => Patch;
  /** Gives back the slot, or the place in the queue. Called at least once for every call; must be idempotent. */
  readonly releaseSlot: (key: ActorKey) => void;
  /** Gives `stateDeadlineAt` of the attempt. */
  readonly beginAttempt: (context: ToolCallContext) => Patch;
  /** Gives `stateDeadlineAt` of the grace period. */
  readonly interrupt: (context: ToolCallContext) => Patch;
  /** Gives `stateDeadlineAt` of the backoff. */
  readonly beginBackoff: (context: ToolCallContext) => Patch;
  /** Gives `normalized`, or `pending: "begin"` when the normalizer is asynchronous. */
  readonly normalize: (context: ToolCallContext, key: ActorKey) => Patch;
  /** What a normalization that came asynchronously (or did not come) means. */
  readonly finishNormalize: (
    context: ToolCallContext,
    settled: Settled<NormalizedResult> | "timeout",
  ) => Patch;
  /** Seals the result of a complete trace and hands it to the sinks. Gives `result`. */
  readonly trace: (context: ToolCallContext) => Patch;
  /** The failure of an attempt that threw. */
  readonly toFailure: (context: ToolCallContext, outcome: RawOutcome) => ToolFailure;
  readonly mayRetry: (args: { context: ToolCallContext; event: ToolCallEvent }) => boolean;
  /** May an attempt whose end nobody saw (the process died) be made again? */
  readonly mayRunAgain: (args: { context: ToolCallContext }) => boolean;
}

/** Work that does nothing: the chart can be drawn and explored with it, but no call gets anywhere. */
export const unboundWork: StageWork = {
  now: () => performance.timeOrigin + performance.now(),
  validate: () => ({}),
  authorize: () => ({}),
  decide: () => ({}),
  awaitApproval: () => ({}),
  requestSlot: () => ({}),
  releaseSlot: () => {},
  beginAttempt: () => ({}),
  interrupt: () => ({}),
  beginBackoff: () => ({}),
  normalize: () => ({}),
  finishNormalize: () => ({}),
  trace: () => ({}),
  toFailure: () => failureOf("internal", "No executor is bound to this chart."),
  mayRetry: () => false,
  mayRunAgain: () => false,
};
