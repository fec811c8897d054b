import { type CallRecord, type Json, type TraceStep, toolCallMachine } from "../machines/index.ts";
import { toChartGraph } from "./chart-graph.ts";

/** The version of the wire format of `@statelyai/inspect` that is spoken here. */
const VERSION = "0.7.2";

interface StatelyBase {
  readonly rootId: string;
  readonly sessionId: string;
  /** Epoch milliseconds, as text. */
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
}

interface StatelySnapshot {
  readonly status: "active" | "done";
  readonly value: string;
  readonly context: { readonly [name: string]: unknown };
  readonly output?: unknown;
}

/** A message of the wire format of `@statelyai/inspect`. */
export type StatelyMessage =
  | (StatelyBase & {
      readonly type: "@xstate.actor";
      readonly name: string;
      readonly parentId: undefined;
      /** The machine's config as JSON text. */
      readonly definition: string;
      readonly snapshot: StatelySnapshot;
    })
  | (StatelyBase & {
      readonly type: "@xstate.event";
      readonly event: { readonly type: string };
      readonly sourceId: undefined;
    })
  | (StatelyBase & {
      readonly type: "@xstate.snapshot";
      readonly event: { readonly type: string };
      readonly snapshot: StatelySnapshot;
    });

/**
 * A recorded call as messages for Stately's inspector: its actor, then for each step what caused it and where it led, with
 * the times of the recording. Send them through `inspector.adapter.send` of `@statelyai/inspect`. What was redacted in
 * the record is redacted here.
 */
export function toStatelyMessages(record: CallRecord): readonly StatelyMessage[] {
  const { executionId, call, result } = record;
  const { trace, startedAt } = result.metadata;
  let count = 0;
  const base = (step: TraceStep | undefined): StatelyBase => ({
    rootId: executionId,
    sessionId: executionId,
    createdAt: String(startedAt + (step?.enteredAt ?? 0)),
    id: `${executionId}:${count++}`,
    _version: VERSION,
  });
  const actor: StatelyMessage = {
    ...base(trace[0]),
    type: "@xstate.actor",
    name: `${result.toolName} ${call.id}`,
    parentId: undefined,
    definition: JSON.stringify(toolCallMachine.config),
    snapshot: snapshotAt(record, 0),
  };
  const steps = trace.flatMap((step, index): readonly StatelyMessage[] => {
    const snapshot = snapshotAt(record, index);
    const told = (event: { readonly type: string }): StatelyMessage => ({
      ...base(step),
      type: "@xstate.snapshot",
      event,
      snapshot,
    });
    if (followsAtOnce(trace[index - 1], step)) return [told({ type: "always" })];
    const event = { type: step.event };
    return [{ ...base(step), type: "@xstate.event", event, sourceId: undefined }, told(event)];
  });
  return [actor, ...steps];
}

const { transitions } = toChartGraph(toolCallMachine);

/**
 * Whether a step came of the same event as the one before, through a transition without event. Where the event itself
 * leads from the one to the other, it came once more: a call may be resumed twice while it waits.
 */
function followsAtOnce(before: TraceStep | undefined, step: TraceStep): boolean {
  if (before?.event !== step.event) return false;
  return !transitions.some(
    ({ from, to, event }) => from === before.state && to === step.state && event === step.event,
  );
}

function snapshotAt(record: CallRecord, index: number): StatelySnapshot {
  const { executionId, call, context, result } = record;
  const { trace, startedAt } = result.metadata;
  const step = trace[index];
  const over = index === trace.length - 1;
  const known: { readonly [name: string]: Json | undefined } = {
    startedAt,
    attempt: step?.attempt ?? 0,
  };
  return {
    status: over ? "done" : "active",
    value: step?.state ?? "validating",
    context: { executionId, call, caller: context, ...known, trace: trace.slice(0, index + 1) },
    ...(over ? { output: result } : {}),
  };
}
