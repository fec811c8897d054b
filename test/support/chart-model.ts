/**
 * The chart as a pure model: every stage answers what a scenario says, time stands still, nothing is touched. Paths are
 * generated from it, and replayed on live actors elsewhere.
 */
import {
  type AnyMachineSnapshot,
  __unsafe_getAllOwnEventDescriptors as eventTypesOf,
  initialTransition,
  transition,
} from "xstate";
import { getShortestPaths, getSimplePaths } from "xstate/graph";
import {
  bindStages,
  type ChartInput,
  failureOf,
  type NormalizedResult,
  type RawOutcome,
  type ToolCallContext,
  type ToolCallEvent,
  type ToolCallMachine,
  toolCallMachine,
} from "../../machines/index.ts";
import type { StageWork } from "../../machines/stage-work.ts";

/** What the world around one call does. */
export interface Scenario {
  readonly arguments: "valid" | "invalid";
  readonly policy: "allow" | "ask" | "deny" | "asynchronous";
  readonly slot: "free" | "taken" | "full";
  readonly idempotent: boolean;
  readonly maxAttempts: number;
  readonly normalizer: "plain" | "asynchronous";
}

/** Attempts, told apart by how they end. */
export const OUTCOMES = {
  returned: { status: "returned", value: "R" },
  transient: { status: "threw", error: { name: "Error", message: "busy", retryable: true } },
  broken: { status: "threw", error: { name: "Error", message: "broken" } },
} as const satisfies { readonly [name: string]: RawOutcome };

/** What an asynchronous normalizer comes to. */
const NORMALIZED: NormalizedResult = { success: true, output: "N", metadata: {} };

function toWork(scenario: Scenario): StageWork {
  const repeatable = scenario.idempotent;
  const decided = (context: ToolCallContext, decision: "allow" | "ask" | "deny") => ({
    decision: { decision },
    pending: "no" as const,
    ...(decision === "deny" ? { failure: failureOf("permission_denied", context.call.name) } : {}),
  });
  const toFailure = (outcome: RawOutcome) =>
    failureOf("tool_error", "", {
      retryable: outcome.status === "threw" && outcome.error.retryable === true,
    });
  return {
    now: () => 0,
    validate: ({ call }) =>
      scenario.arguments === "valid" || call.arguments === "edited"
        ? { arguments: { edited: call.arguments === "edited" } }
        : { failure: failureOf("invalid_arguments", "") },
    authorize: (context) =>
      scenario.policy === "asynchronous" ? { pending: "begin" } : decided(context, scenario.policy),
    decide: (context, settled) =>
      decided(
        context,
        settled === "timeout" || settled.status === "rejected" ? "deny" : settled.value.decision,
      ),
    awaitApproval: () => ({}),
    requestSlot: () =>
      scenario.slot === "full"
        ? { failure: failureOf("overloaded", "") }
        : scenario.slot === "free"
          ? { slot: "held" }
          : { slot: "waiting", pending: "begin" },
    releaseSlot: () => {},
    beginAttempt: () => ({}),
    interrupt: () => ({}),
    beginBackoff: () => ({}),
    normalize: (context) =>
      scenario.normalizer === "asynchronous" && context.failure === null
        ? { pending: "begin" }
        : { normalized: toNormalized(context), outcome: null, pending: "no" },
    finishNormalize: (context, settled) => ({
      pending: "no",
      outcome: null,
      normalized:
        settled !== "timeout" && settled.status === "fulfilled"
          ? settled.value
          : toNormalized({ ...context, failure: failureOf("normalize_failed", "") }),
    }),
    trace: () => ({}),
    toFailure: (_context, outcome) => toFailure(outcome),
    mayRetry: ({ context, event }) =>
      event.type === "xstate.done.actor.attempt" &&
      event.output.status !== "returned" &&
      repeatable &&
      context.attempt < scenario.maxAttempts &&
      (context.failure ?? toFailure(event.output)).retryable === true,
    mayRunAgain: ({ context }) => repeatable && context.attempt < Math.max(2, scenario.maxAttempts),
  };
}

function toNormalized({ failure }: ToolCallContext): NormalizedResult {
  return failure === null
    ? { success: true, output: "R", metadata: {} }
    : { success: false, error: "", failure, metadata: {} };
}

/** Everything that can happen to a call in some state. */
const EVENTS: readonly ToolCallEvent[] = [
  { type: "call.start" },
  { type: "call.approve" },
  { type: "call.approve", arguments: "edited" },
  { type: "call.deny" },
  { type: "call.cancel" },
  { type: "call.resume" },
  { type: "slot.granted" },
  { type: "queue.timeout" },
  { type: "policy.timeout" },
  { type: "normalizer.timeout" },
  ...Object.values(OUTCOMES).map(
    (output): ToolCallEvent => ({ type: "xstate.done.actor.attempt", output, actorId: "attempt" }),
  ),
  ...(["allow", "ask", "deny"] as const).map(
    (decision): ToolCallEvent => ({
      type: "xstate.done.actor.decision",
      output: { status: "fulfilled", value: { decision } },
      actorId: "decision",
    }),
  ),
  {
    type: "xstate.done.actor.normalizer",
    output: { status: "fulfilled", value: NORMALIZED },
    actorId: "normalizer",
  },
];

/** What tells two situations of a call apart (times and the path so far do not). */
export function situationOf(snapshot: {
  readonly value: unknown;
  readonly context: ToolCallContext;
}): string {
  const { context, value } = snapshot;
  return JSON.stringify([
    value,
    context.attempt,
    context.pending,
    context.approval?.decision ?? null,
    context.approval?.edited ?? null,
    context.failure?.code ?? context.normalized?.failure?.code ?? null,
    context.failure?.executed ?? context.normalized?.failure?.executed ?? null,
    context.retried.map(({ code, executed }) => `${code} ${executed}`),
  ]);
}

/** One way through the chart: each event, and the situation that follows. */
export interface ModelStep {
  readonly event: ToolCallEvent;
  readonly situation: string;
  readonly states: readonly string[];
}

const INPUT: ChartInput = {
  executionId: "x",
  call: { id: "c", name: "t", arguments: {} },
  caller: {},
  startedAt: 0,
  deadlineAt: 1e9,
};

/** The state in which the call was restored: coming back into the same state is a way of its own. */
function restoredIn({ context: { trace } }: { readonly context: ToolCallContext }): string {
  const at = trace.findIndex(({ event }) => event === "call.resume");
  return at === -1 ? "" : (trace[at - 1]?.state ?? "");
}

/**
 * Ways through the chart in a scenario, generated from the chart itself: every simple one (no situation twice), or the
 * shortest one into each situation, with one restore in any state on the way and without.
 */
export function pathsOf(scenario: Scenario, kind: "simple" | "shortest"): readonly ModelStep[][] {
  const machine = toolCallMachine.provide(bindStages(toWork(scenario)));
  const traverse = kind === "simple" ? getSimplePaths : getShortestPaths;
  const paths = traverse(
    machine as never,
    {
      input: INPUT,
      events: (snapshot: AnyMachineSnapshot) =>
        snapshot.status === "active"
          ? eventsOf(snapshot).filter(
              ({ type }) =>
                type !== "call.resume" || kind === "simple" || !restoredIn(snapshot as never),
            )
          : [],
      serializeState: (snapshot: AnyMachineSnapshot) =>
        kind === "simple"
          ? situationOf(snapshot as never)
          : `${situationOf(snapshot as never)} ${restoredIn(snapshot as never)}`,
      limit: 20_000,
    } as never,
  );
  return paths.map(({ steps }) =>
    walk(
      machine,
      steps.map(({ event }) => event as ToolCallEvent),
    ),
  );
}

/** The path walked anew: the graph merges situations, which may have been reached in several ways. */
function walk(machine: ToolCallMachine, events: readonly ToolCallEvent[]): ModelStep[] {
  let [snapshot] = initialTransition(machine, INPUT);
  return events.map((event, at) => {
    if (at > 0) [snapshot] = transition(machine, snapshot, event);
    return {
      event,
      situation: situationOf(snapshot),
      states: snapshot.context.trace.map(({ state }) => state),
    };
  });
}

function eventsOf(snapshot: AnyMachineSnapshot): readonly { type: string }[] {
  const types: readonly string[] = eventTypesOf(snapshot);
  return types.flatMap((type): { type: string }[] => {
    const known = EVENTS.filter((event) => event.type === type);
    if (type === "attempt.progress") return [];
    return known.length > 0 ? [...known] : [{ type }];
  });
}
