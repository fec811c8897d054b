import type { StateName, TraceStep } from "./contract.ts";
import type { DecidedBy as DecidedByOf } from "./decided-by.ts";
import { microseconds } from "./seal.ts";
import type { ToolCallContext } from "./tool-call-context.ts";
import { type ToolCallEvent, toEventName } from "./tool-call-events.ts";

/** Names the guard that decided, in this chart. */
export type DecidedBy = DecidedByOf<ToolCallContext, ToolCallEvent>;

/** The trace with its last step closed at `at` (ms since the call began). */
function closeTrace(trace: readonly TraceStep[], at: number): TraceStep[] {
  const last = trace.at(-1);
  if (last === undefined) return [];
  const closed = trace.slice();
  closed[closed.length - 1] = { ...last, leftAt: at };
  return closed;
}

/** A state that is being entered. */
export interface Entry {
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

/** The trace with its last step closed and the step of this entry added. */
export function stamp(entry: Entry, decidedBy: DecidedBy): TraceStep[] {
  const step = toStep(entry, decidedBy);
  const trace = closeTrace(entry.context.trace, step.enteredAt);
  trace.push(step);
  return trace;
}
