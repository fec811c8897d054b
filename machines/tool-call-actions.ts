import { assign } from "xstate";
import { answer, failDenied, waitedForPerson } from "./approval.ts";
import {
  abandonedFailure,
  cancelled,
  settledFailure,
  timedOut,
  waitedTooLong,
} from "./call-failures.ts";
import type { RawOutcome, StateName } from "./contract.ts";
import { failureOf } from "./failure.ts";
import type { ActorKey, Patch, StageWork } from "./stage-work.ts";
import { type DecidedBy, type Entry, stamp } from "./stamp.ts";
import { type ToolCallContext, toolNameOf } from "./tool-call-context.ts";
import type { ToolCallEvent } from "./tool-call-events.ts";

interface Args {
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
  readonly self: ActorKey;
}

const update = (patch: (args: Args) => Patch) =>
  assign<ToolCallContext, ToolCallEvent, undefined, ToolCallEvent, never>(patch);

/** The actions that depend on the runtime or on time: one for the entry of each state, and the failures that say how long. */
export function stageActions(work: StageWork, decidedBy: DecidedBy) {
  /** Every state is entered through this: one assign = the trace's step and the stage's own work. */
  const enter = (state: StateName, stage: (context: ToolCallContext, key: ActorKey) => Patch) =>
    update(({ context, event, self }) => {
      const trace = stamp({ state, context, event, now: work.now() }, decidedBy);
      return { ...stage(context, self), trace };
    });
  return {
    validate: update(({ context, event }) => {
      const entry: Entry = { state: "validating", context, event, now: work.now() };
      const trace = stamp(entry, decidedBy);
      // At creation nothing of the caller's may run: the work waits for `call.start`.
      return context.trace.length === 0 ? { trace } : { ...work.validate(context), trace };
    }),
    validateNow: update(({ context }) => work.validate(context)),
    authorize: enter("authorizing", work.authorize),
    recordDecision: update(({ context, event }) =>
      event.type === "xstate.done.actor.decision" ? work.decide(context, event.output) : {},
    ),
    denyUndecided: update(({ context }) => work.decide(context, "timeout")),
    awaitApproval: enter("awaitingApproval", work.awaitApproval),
    recordApproval: update(({ context, event }) => answer(context, event, work.now())),
    recordEditedApproval: update(({ context, event }) => ({
      ...answer(context, event, work.now()),
      ...(event.type === "call.approve" && event.arguments !== undefined
        ? { edited: { arguments: event.arguments }, arguments: null, decision: null }
        : {}),
    })),
    failApprovalDenied: update(({ context, event }) => failDenied(context, event, work.now())),
    failApprovalExpired: update(({ context }) => ({
      ...waitedForPerson(context, work.now()),
      failure: failureOf(
        "approval_expired",
        `Nobody answered the request to approve "${toolNameOf(context)}" in time. It was not run. ` +
          "This is a matter of permission: other arguments will not help.",
      ),
    })),
    requestSlot: enter("queued", work.requestSlot),
    releaseSlot: ({ self }: { readonly self: ActorKey }) => work.releaseSlot(self),
    failOverloaded: update(({ context }) => ({ failure: waitedTooLong(context, work.now()) })),
    beginAttempt: update(({ context, event }) => {
      const attempt = context.attempt + 1;
      const entry: Entry = {
        state: "executing",
        context,
        event,
        now: work.now(),
        attempt,
      };
      const trace = stamp(entry, decidedBy);
      return {
        ...work.beginAttempt({ ...context, attempt }),
        attempt,
        outcome: null,
        failure: null,
        trace,
      };
    }),
    failToolError: update(({ context, event }) =>
      event.type === "xstate.done.actor.attempt"
        ? { ...keep(context, event.output), failure: work.toFailure(context, event.output) }
        : {},
    ),
    failTimedOut: update(({ context }) => ({ failure: timedOut(context, work.now()) })),
    failCancelled: update(({ context, event }) => ({
      ...(context.trace.at(-1)?.state === "awaitingApproval"
        ? waitedForPerson(context, work.now())
        : {}),
      failure: cancelled(context, event),
    })),
    interrupt: enter("interrupting", work.interrupt),
    keepRetried: update(({ context, event }) =>
      event.type === "xstate.done.actor.attempt"
        ? {
            failure: null,
            retried: [...context.retried, context.failure ?? work.toFailure(context, event.output)],
          }
        : {},
    ),
    beginBackoff: enter("backingOff", work.beginBackoff),
    normalize: enter("normalizing", work.normalize),
    recordNormalized: update(({ context, event }) =>
      event.type === "xstate.done.actor.normalizer"
        ? work.finishNormalize(context, event.output)
        : {},
    ),
    recordNormalizerTimeout: update(({ context }) => work.finishNormalize(context, "timeout")),
    /**
     * Seals the call. The step of the final state is written here, with the state that follows from `success`, so that
     * sinks and the result get the whole path; the final states have no entry work of their own.
     */
    trace: update(({ context, event }) => {
      const now = work.now();
      const tracing = stamp({ state: "tracing", context, event, now }, decidedBy);
      const state = context.normalized?.success === true ? "succeeded" : "failed";
      const end: Entry = {
        state,
        context: { ...context, trace: tracing },
        event,
        now: work.now(),
      };
      const trace = stamp(end, decidedBy);
      return { ...work.trace({ ...context, trace }), trace };
    }),
  };
}

function keep(context: ToolCallContext, outcome: RawOutcome): Patch {
  const dropped = outcome.progressDropped ?? 0;
  return { outcome, progressDropped: context.progressDropped + dropped };
}

/** The actions that need nothing of the runtime. */
export const chartActions = {
  takeSlot: update(() => ({ slot: "held", pending: "no" })),
  /** The slot was held in a process that is gone. */
  loseSlot: update(() => ({ slot: "none" })),
  awaitAnswer: update(() => ({ pending: "running" })),
  keepOutcome: update(({ context, event }) =>
    event.type === "xstate.done.actor.attempt" ? keep(context, event.output) : {},
  ),
  settleInterrupted: update(({ context, event }) =>
    event.type === "xstate.done.actor.attempt" && context.failure !== null
      ? { ...keep(context, event.output), failure: settledFailure(context.failure, event.output) }
      : {},
  ),
  abandonAttempt: update(({ context }) =>
    context.failure === null ? {} : { failure: abandonedFailure(context.failure) },
  ),
  failInterrupted: update(({ context }) => ({
    failure: failureOf(
      "interrupted",
      `The process ended while "${toolNameOf(context)}" ran. It is not known whether it took effect, and it may not be run again.`,
    ),
  })),
};
