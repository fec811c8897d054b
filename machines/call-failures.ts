import type { RawOutcome, Stage, StateName, ToolFailure } from "./contract.ts";
import { failureOf } from "./failure.ts";
import { type ToolCallContext, toolNameOf } from "./tool-call-context.ts";
import type { ToolCallEvent } from "./tool-call-events.ts";

/** Whole ms that the call has been in its present state. */
function timeInState(context: ToolCallContext, now: number): number {
  return Math.round(now - context.startedAt - (context.trace.at(-1)?.enteredAt ?? 0));
}

/** The failure of a call whose wait for a slot ended: its whole budget is used up, or the queue took too long. */
export function waitedTooLong(context: ToolCallContext, now: number): ToolFailure {
  if (now >= context.deadlineAt) {
    return failureOf(
      "timed_out",
      `"${toolNameOf(context)}" was not run: the whole time allowed for the call was used up while it waited for a free slot.`,
      { stage: "queue", executed: "no", retryable: true },
    );
  }
  return failureOf(
    "overloaded",
    `"${toolNameOf(context)}" was not run: no slot was free within ${timeInState(context, now)} ms. The same call may succeed later.`,
    { retryable: true },
  );
}

/** The failure of an attempt that is stopped since its time is up. */
export function timedOut(context: ToolCallContext, now: number): ToolFailure {
  const budget = now >= context.deadlineAt ? " (the whole time allowed for the call)" : "";
  return failureOf(
    "timed_out",
    `"${toolNameOf(context)}" did not finish within ${timeInState(context, now)} ms${budget}.`,
    { retryable: true },
  );
}

/** The part of the pipeline that a state which can be cancelled belongs to. */
const STAGES: { readonly [state in StateName]?: Stage } = {
  validating: "validate",
  authorizing: "authorize",
  awaitingApproval: "authorize",
  queued: "queue",
};

/** The failure of a call that somebody cancelled, in whatever state it was. */
export function cancelled(context: ToolCallContext, event: ToolCallEvent): ToolFailure {
  const why = event.type === "call.cancel" && event.reason !== undefined ? `: ${event.reason}` : "";
  const state = context.trace.at(-1)?.state ?? "validating";
  const known = context.retried.at(-1)?.executed ?? "no";
  return failureOf("cancelled", `The call was cancelled${why}.`, {
    stage: STAGES[state] ?? "execute",
    executed: state === "executing" ? "unknown" : known,
  });
}

/** The failure of an attempt that settled within its grace period: now it is known what happened. */
export function settledFailure(failure: ToolFailure, outcome: RawOutcome): ToolFailure {
  const said = outcome.status === "threw" ? outcome.error.executed : undefined;
  return {
    ...failure,
    executed: said ?? "yes",
    message: `${failure.message} ${howItStopped(outcome)}`,
  };
}

/** The failure of an attempt that is deaf: the call goes on without it. */
export function abandonedFailure(failure: ToolFailure): ToolFailure {
  return { ...failure, executed: "unknown", message: `${failure.message} ${ABANDONED}` };
}

function howItStopped(outcome: RawOutcome): string {
  if (outcome.status !== "returned") return STOPPED;
  if (outcome.errorText !== undefined) return `${STOPPED} It says: ${outcome.errorText}`;
  return outcome.success === false ? STOPPED : FINISHED;
}

const FINISHED = "It finished while it was being stopped: its effects have taken place.";
const STOPPED = "It was told to stop and did; what it had done until then may remain.";
const ABANDONED = "It did not stop when told to; it is not known whether it took effect.";
