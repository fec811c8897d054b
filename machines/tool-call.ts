/**
 * The pipeline of one tool call as one flat chart. Read `states` from top to bottom: it is the picture in the README.
 *
 * `validating`, `authorizing`, `queued`, `normalizing` and `tracing` do their work on entry and are left at once
 * through a guarded `always`; only an asynchronous policy or normalizer makes them wait. `executing` alone touches the
 * world: its child `attempt` runs the tool once. Every way out meets in `normalizing`, and every call passes `tracing`.
 *
 * Those that are usually passed straight through start their timer only when they wait: `after` would set and clear one for
 * every call.
 *
 * Nothing happens before `call.start`, so a call can be created, drawn and explored without running anything.
 */
import { cancel, raise, sendTo, setup, spawnChild, stopChild } from "xstate";
import { announceApproval, announceProgress } from "./announce.ts";
import { chartDelays } from "./chart-delays.ts";
import { chartGuards } from "./chart-guards.ts";
import type { NormalizedResult, PolicyDecision, RawOutcome, ToolResult } from "./contract.ts";
import { createDecidedBy } from "./decided-by.ts";
import { sealResult } from "./seal.ts";
import { type StageWork, unboundWork } from "./stage-work.ts";
import { chartActions, stageActions } from "./tool-call-actions.ts";
import { unboundChild } from "./tool-call-children.ts";
import { type ChartInput, type ToolCallContext, toContext } from "./tool-call-context.ts";
import type { Settled, ToolCallEmitted, ToolCallEvent } from "./tool-call-events.ts";

const states = {
  validating: {
    description: "Is this a call of a known tool with arguments that fit its schema?",
    entry: "validate",
    on: {
      "call.start": { actions: "validateNow" },
      "call.resume": { actions: "validateNow" },
      "call.cancel": { target: "normalizing", actions: "failCancelled" },
    },
    always: [
      { guard: "argumentsAreValid", target: "authorizing" },
      { guard: "callIsInvalid", target: "normalizing" },
    ],
  },
  authorizing: {
    description: "May this caller make this call? Deny beats ask beats allow.",
    entry: "authorize",
    always: [
      { guard: "isDenied", target: "normalizing" },
      { guard: "needsApproval", target: "awaitingApproval" },
      { guard: "isAuthorized", target: "queued" },
      {
        guard: "policyIsAsynchronous",
        actions: ["awaitAnswer", "startDecision", "startPolicyTimeout"],
      },
    ],
    on: {
      "xstate.done.actor.decision": {
        actions: ["recordDecision", "stopDecision", "cancelPolicyTimeout"],
      },
      "policy.timeout": { actions: ["denyUndecided", "stopDecision"] },
      "call.cancel": {
        target: "normalizing",
        actions: ["failCancelled", "stopDecision", "cancelPolicyTimeout"],
      },
      "call.resume": { target: "authorizing", reenter: true, actions: "stopDecision" },
    },
  },
  awaitingApproval: {
    description: "A person is asked. The call holds no slot and its budget stands still.",
    entry: ["awaitApproval", "announceApproval"],
    on: {
      "call.approve": [
        { guard: "argumentsAreEdited", target: "validating", actions: "recordEditedApproval" },
        { target: "queued", actions: "recordApproval" },
      ],
      "call.deny": { target: "normalizing", actions: "failApprovalDenied" },
      "call.cancel": { target: "normalizing", actions: "failCancelled" },
      "call.resume": { target: "awaitingApproval", reenter: true },
    },
    after: {
      approvalTimeout: { target: "normalizing", actions: "failApprovalExpired" },
    },
  },
  queued: {
    description: "A free slot is waited for; passed straight through when there is one.",
    entry: "requestSlot",
    always: [
      { guard: "hasSlot", target: "executing" },
      { guard: "isRefused", target: "normalizing" },
      { guard: "slotIsAwaited", actions: ["awaitAnswer", "startQueueTimeout"] },
    ],
    on: {
      "slot.granted": { target: "executing", actions: ["takeSlot", "cancelQueueTimeout"] },
      "queue.timeout": { target: "normalizing", actions: "failOverloaded" },
      "call.cancel": { target: "normalizing", actions: ["failCancelled", "cancelQueueTimeout"] },
      "call.resume": { target: "queued", reenter: true },
    },
  },
  executing: {
    description: "The tool runs: one attempt, the only contact with the world.",
    entry: ["beginAttempt", "startAttempt"],
    on: {
      "xstate.done.actor.attempt": [
        {
          guard: "attemptReturned",
          target: "normalizing",
          actions: ["keepOutcome", "stopAttempt"],
        },
        { guard: "mayRetry", target: "backingOff", actions: ["keepRetried", "stopAttempt"] },
        { target: "normalizing", actions: ["failToolError", "stopAttempt"] },
      ],
      "attempt.progress": { actions: "announceProgress" },
      "call.cancel": { target: "interrupting", actions: "failCancelled" },
      "call.resume": [
        { guard: "mayRunAgain", target: "queued", actions: ["loseSlot", "stopAttempt"] },
        { target: "normalizing", actions: ["failInterrupted", "stopAttempt"] },
      ],
    },
    after: {
      executionTimeout: { target: "interrupting", actions: "failTimedOut" },
    },
  },
  interrupting: {
    description: "The tool was told to stop and has a grace period.",
    entry: ["interrupt", "sendInterrupt"],
    on: {
      "xstate.done.actor.attempt": [
        {
          guard: "mayRetry",
          target: "backingOff",
          actions: ["settleInterrupted", "keepRetried", "stopAttempt"],
        },
        { target: "normalizing", actions: ["settleInterrupted", "stopAttempt"] },
      ],
      "call.resume": { target: "normalizing", actions: ["abandonAttempt", "stopAttempt"] },
    },
    after: {
      grace: { target: "normalizing", actions: ["abandonAttempt", "stopAttempt"] },
    },
  },
  backingOff: {
    description: "The attempt failed in a way that may pass; the next one is waited for.",
    entry: "beginBackoff",
    on: {
      "call.cancel": { target: "normalizing", actions: "failCancelled" },
      "call.resume": { target: "backingOff", reenter: true, actions: "loseSlot" },
    },
    after: {
      backoff: [{ guard: "hasSlot", target: "executing" }, { target: "queued" }],
    },
  },
  normalizing: {
    description: "Whatever happened becomes one result shape.",
    entry: ["releaseSlot", "normalize"],
    always: [
      { guard: "isNormalized", target: "tracing" },
      {
        guard: "normalizerIsAsynchronous",
        actions: ["awaitAnswer", "startNormalizer", "startNormalizerTimeout"],
      },
    ],
    on: {
      "xstate.done.actor.normalizer": {
        actions: ["recordNormalized", "stopNormalizer", "cancelNormalizerTimeout"],
      },
      "normalizer.timeout": { actions: ["recordNormalizerTimeout", "stopNormalizer"] },
      "call.resume": { target: "normalizing", reenter: true, actions: "stopNormalizer" },
    },
  },
  tracing: {
    description: "The result is sealed and handed to the sinks. A broken sink changes nothing.",
    entry: "trace",
    always: [{ guard: "isSuccess", target: "succeeded" }, { target: "failed" }],
  },
  succeeded: { type: "final" },
  failed: { type: "final" },
} as const;

const decidedBy = createDecidedBy(states, chartGuards);

/** The implementations of the stages and of time, to be given to `toolCallMachine.provide`. */
export function bindStages(work: StageWork) {
  return {
    actions: stageActions(work, decidedBy),
    guards: {
      mayRetry: work.mayRetry,
      mayRunAgain: work.mayRunAgain,
    },
    delays: chartDelays(work.now),
  };
}

const unbound = bindStages(unboundWork);

/** The chart of one tool call. Its stages do nothing until they are `provide`d: see `src/bind.ts`. */
export const toolCallMachine = setup({
  types: {
    input: {} as ChartInput,
    context: {} as ToolCallContext,
    events: {} as ToolCallEvent,
    emitted: {} as ToolCallEmitted,
    output: {} as ToolResult,
  },
  actors: {
    attempt: unboundChild<RawOutcome>("attempt"),
    decision: unboundChild<Settled<PolicyDecision>>("decision"),
    normalizer: unboundChild<Settled<NormalizedResult>>("normalizer"),
  },
  actions: {
    ...unbound.actions,
    ...chartActions,
    announceApproval,
    announceProgress,
    startAttempt: spawnChild("attempt", { id: "attempt", input: ({ context }) => context }),
    stopAttempt: stopChild("attempt"),
    sendInterrupt: sendTo("attempt", { type: "attempt.interrupt" }),
    startDecision: spawnChild("decision", { id: "decision", input: ({ context }) => context }),
    stopDecision: stopChild("decision"),
    startNormalizer: spawnChild("normalizer", {
      id: "normalizer",
      input: ({ context }) => context,
    }),
    stopNormalizer: stopChild("normalizer"),
    startPolicyTimeout: raise(
      { type: "policy.timeout" },
      { id: "policyTimeout", delay: "policyTimeout" },
    ),
    startNormalizerTimeout: raise(
      { type: "normalizer.timeout" },
      { id: "normalizerTimeout", delay: "normalizerTimeout" },
    ),
    startQueueTimeout: raise(
      { type: "queue.timeout" },
      { id: "queueTimeout", delay: "queueTimeout" },
    ),
    cancelPolicyTimeout: cancel("policyTimeout"),
    cancelQueueTimeout: cancel("queueTimeout"),
    cancelNormalizerTimeout: cancel("normalizerTimeout"),
  },
  guards: { ...chartGuards, ...unbound.guards },
  delays: unbound.delays,
}).createMachine({
  id: "toolCall",
  context: ({ input }) => toContext(input),
  initial: "validating",
  states,
  output: ({ context }) => context.result ?? sealResult(context, context.trace),
});

/** The type of {@link toolCallMachine}. */
export type ToolCallMachine = typeof toolCallMachine;
