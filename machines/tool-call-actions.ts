import { assign, enqueueActions } from "xstate";
import type {
  Json,
  NormalizedResult,
  PolicyDecision,
  RawOutcome,
  Stage,
  StateName,
  ToolFailure,
  TraceStep,
} from "./contract.ts";
import type { DecidedBy as DecidedByOf } from "./decided-by.ts";
import { failureOf } from "./failure.ts";
import { microseconds } from "./seal.ts";
import type { ToolCallContext } from "./tool-call-context.ts";
import {
  type ApprovalRequiredEvent,
  type ProgressEvent,
  type Settled,
  type ToolCallEmitted,
  type ToolCallEvent,
  toEventName,
} from "./tool-call-events.ts";

type DecidedBy = DecidedByOf<ToolCallContext, ToolCallEvent>;

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

interface GuardArgs {
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
}
interface Args extends GuardArgs {
  readonly self: ActorKey;
}

const update = (patch: (args: Args) => Patch) =>
  assign<ToolCallContext, ToolCallEvent, undefined, ToolCallEvent, never>(patch);

/** The trace with its last step closed at `at` (ms since the call began). */
function closeTrace(trace: readonly TraceStep[], at: number): TraceStep[] {
  const last = trace.at(-1);
  if (last === undefined) return [];
  const closed = trace.slice();
  closed[closed.length - 1] = { ...last, leftAt: at };
  return closed;
}

interface Entry {
  readonly state: StateName;
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
  readonly now: number;
  readonly attempt?: number;
}

function toStep(entry: Entry, decidedBy: DecidedBy): TraceStep {
  const { state, context, now } = entry;
  const from = context.trace.at(-1)?.state;
  const event = toEventName(entry.event.type);
  const guard = from === undefined ? undefined : decidedBy(from, state, event, entry);
  const enteredAt = microseconds(now - context.startedAt);
  const attempt = entry.attempt ?? context.attempt;
  return guard === undefined
    ? { state, enteredAt, event, attempt }
    : { state, enteredAt, event, guard, attempt };
}

function stamp(entry: Entry, decidedBy: DecidedBy): TraceStep[] {
  const step = toStep(entry, decidedBy);
  const trace = closeTrace(entry.context.trace, step.enteredAt);
  trace.push(step);
  return trace;
}

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
        ? { call: { ...context.call, arguments: event.arguments }, arguments: null, decision: null }
        : {}),
    })),
    failApprovalDenied: update(({ context, event }) => failDenied(context, event, work.now())),
    failApprovalExpired: update(({ context }) => ({
      ...waitedForPerson(context, work.now()),
      failure: failureOf(
        "approval_expired",
        `Nobody answered the request to approve "${context.call.name}" in time. It was not run. ` +
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

function answer(context: ToolCallContext, event: ToolCallEvent, now: number): Patch {
  if (event.type !== "call.approve") return {};
  return {
    ...waitedForPerson(context, now),
    approval: {
      decision: "approved",
      ...(event.by === undefined ? {} : { by: event.by }),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      decidedAt: now,
      edited: event.arguments !== undefined,
    },
  };
}

function failDenied(context: ToolCallContext, event: ToolCallEvent, now: number): Patch {
  if (event.type !== "call.deny") return {};
  const why = event.reason === undefined ? "" : ` Reason: ${event.reason}`;
  return {
    ...waitedForPerson(context, now),
    approval: {
      decision: "denied",
      ...(event.by === undefined ? {} : { by: event.by }),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      decidedAt: now,
      edited: false,
    },
    failure: failureOf(
      "approval_denied",
      `"${context.call.name}" needs a person's approval, which was refused. It was not run. ` +
        `This is a matter of permission: other arguments will not help.${why}`,
    ),
  };
}

/** The budget stands still while a person is awaited. */
function waitedForPerson(context: ToolCallContext, now: number): Patch {
  const enteredAt = context.trace.at(-1)?.enteredAt ?? 0;
  const waited = Math.max(0, microseconds(now - context.startedAt - enteredAt));
  return {
    humanWaitMs: microseconds(context.humanWaitMs + waited),
    deadlineAt: context.deadlineAt + waited,
  };
}

/** Whole ms that the call has been in its present state. */
function timeInState(context: ToolCallContext, now: number): number {
  return Math.round(now - context.startedAt - (context.trace.at(-1)?.enteredAt ?? 0));
}

function waitedTooLong(context: ToolCallContext, now: number): ToolFailure {
  if (now >= context.deadlineAt) {
    return failureOf(
      "timed_out",
      `"${context.call.name}" was not run: the whole time allowed for the call was used up while it waited for a free slot.`,
      { stage: "queue", executed: "no", retryable: true },
    );
  }
  return failureOf(
    "overloaded",
    `"${context.call.name}" was not run: no slot was free within ${timeInState(context, now)} ms. The same call may succeed later.`,
    { retryable: true },
  );
}

function timedOut(context: ToolCallContext, now: number): ToolFailure {
  const budget = now >= context.deadlineAt ? " (the whole time allowed for the call)" : "";
  return failureOf(
    "timed_out",
    `"${context.call.name}" did not finish within ${timeInState(context, now)} ms${budget}.`,
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

function cancelled(context: ToolCallContext, event: ToolCallEvent): ToolFailure {
  const why = event.type === "call.cancel" && event.reason !== undefined ? `: ${event.reason}` : "";
  const state = context.trace.at(-1)?.state ?? "validating";
  const known = context.retried.at(-1)?.executed ?? "no";
  return failureOf("cancelled", `The call was cancelled${why}.`, {
    stage: STAGES[state] ?? "execute",
    executed: state === "executing" ? "unknown" : known,
  });
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
  /** The attempt settled within its grace period: now it is known what happened. */
  settleInterrupted: update(({ context, event }) => {
    if (event.type !== "xstate.done.actor.attempt" || context.failure === null) return {};
    const { output } = event;
    const said = output.status === "threw" ? output.error.executed : undefined;
    return {
      ...keep(context, output),
      failure: {
        ...context.failure,
        executed: said ?? "yes",
        message: `${context.failure.message} ${howItStopped(output)}`,
      },
    };
  }),
  /** The attempt is deaf: the call goes on without it. */
  abandonAttempt: update(({ context }) =>
    context.failure === null
      ? {}
      : {
          failure: {
            ...context.failure,
            executed: "unknown",
            message: `${context.failure.message} ${ABANDONED}`,
          },
        },
  ),
  failInterrupted: update(({ context }) => ({
    failure: failureOf(
      "interrupted",
      `The process ended while "${context.call.name}" ran. It is not known whether it took effect, and it may not be run again.`,
    ),
  })),
};

function howItStopped(outcome: RawOutcome): string {
  if (outcome.status !== "returned") return STOPPED;
  if (outcome.errorText !== undefined) return `${STOPPED} It says: ${outcome.errorText}`;
  return outcome.success === false ? STOPPED : FINISHED;
}

const FINISHED = "It finished while it was being stopped: its effects have taken place.";
const STOPPED = "It was told to stop and did; what it had done until then may remain.";
const ABANDONED = "It did not stop when told to; it is not known whether it took effect.";

/** The guards that need nothing of the runtime. */
export const chartGuards = {
  argumentsAreValid: ({ context }: GuardArgs) =>
    context.failure === null && context.arguments !== null,
  callIsInvalid: ({ context }: GuardArgs) => context.failure !== null,
  isDenied: ({ context }: GuardArgs) => context.failure !== null,
  needsApproval: ({ context }: GuardArgs) =>
    context.decision?.decision === "ask" && context.approval?.decision !== "approved",
  isAuthorized: ({ context }: GuardArgs) => context.decision !== null,
  policyIsAsynchronous: ({ context }: GuardArgs) => context.pending === "begin",
  argumentsAreEdited: ({ event }: GuardArgs) =>
    event.type === "call.approve" && event.arguments !== undefined,
  hasSlot: ({ context }: GuardArgs) => context.slot === "held",
  slotIsAwaited: ({ context }: GuardArgs) => context.pending === "begin",
  isRefused: ({ context }: GuardArgs) => context.failure !== null,
  attemptReturned: ({ event }: GuardArgs) =>
    event.type === "xstate.done.actor.attempt" && event.output.status === "returned",
  isNormalized: ({ context }: GuardArgs) => context.normalized !== null,
  normalizerIsAsynchronous: ({ context }: GuardArgs) => context.pending === "begin",
  isSuccess: ({ context }: GuardArgs) => context.normalized?.success === true,
};

/** Node's timers fire at once when they are given more than this. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Delays that end at the absolute deadlines of the context, so that they mean the same after a restore. */
export function chartDelays(now: () => number) {
  // Rounded up: a timer that fires a fraction of a millisecond early would end a state before its deadline.
  const left = ({ context }: { readonly context: ToolCallContext }) =>
    Math.min(MAX_DELAY_MS, Math.max(0, Math.ceil((context.stateDeadlineAt ?? 0) - now())));
  return {
    approvalTimeout: left,
    queueTimeout: left,
    executionTimeout: left,
    grace: left,
    backoff: left,
    policyTimeout: left,
    normalizerTimeout: left,
  };
}

const announced = (context: ToolCallContext) => ({
  callId: context.call.id,
  executionId: context.executionId,
  toolName: context.call.name,
});

interface Announcer {
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
  readonly self: { readonly _parent?: unknown };
}

function toProgress({ context, event }: Announcer): ProgressEvent {
  const data: Json = event.type === "attempt.progress" ? event.data : null;
  return { type: "call.progress", ...announced(context), data };
}

function toApprovalRequired({ context }: Announcer): ApprovalRequiredEvent {
  const reason = context.decision?.reason;
  return {
    type: "call.approvalRequired",
    ...announced(context),
    arguments: context.arguments,
    ...(reason === undefined ? {} : { reason }),
    expiresAt: context.stateDeadlineAt ?? 0,
  };
}

/** Emits to watchers, and sends to the parent machine when there is one. */
function announce(toEvent: (announcer: Announcer) => ToolCallEmitted) {
  return enqueueActions<
    ToolCallContext,
    ToolCallEvent,
    undefined,
    ToolCallEvent,
    never,
    never,
    never,
    never,
    ToolCallEmitted
  >(({ enqueue, context, event, self }) => {
    const announcement = toEvent({ context, event, self });
    enqueue.emit(announcement);
    if (self._parent !== undefined) enqueue.sendTo(self._parent, announcement);
  });
}

export const announceProgress = announce(toProgress);
export const announceApproval = announce(toApprovalRequired);

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
