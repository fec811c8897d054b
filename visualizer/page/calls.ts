import type { CallRecord, LateRecord, TraceStep } from "../../machines/contract.ts";

/** What the page is given. It may come from a file of unknown origin: beyond these types nothing is relied on. */
export interface PageData {
  readonly title: string;
  readonly records: readonly CallRecord[];
  readonly lates: readonly LateRecord[];
  readonly problems: readonly string[];
}

/** A call as the page shows it. */
export interface PageCall {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly success: boolean;
  /** The failure's code; absent for a success. */
  readonly code?: string;
  readonly stages: number;
  readonly attempts: number;
  /** Human wait included. */
  readonly latencyMs: number;
  readonly humanWaitMs: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly record: CallRecord;
  readonly lates: readonly LateRecord[];
}

/** The state in which a person is waited for: its time is nobody's fault, and is told apart. */
export const HUMAN_STATE = "awaitingApproval";

/** Makes calls of records, in the order of the recording. */
export function toPageCalls({ records, lates }: PageData): readonly PageCall[] {
  const lateOf = Map.groupBy(lates, ({ executionId }) => executionId);
  return records.map((record) => {
    const { result, call, executionId } = record;
    const { metadata, failure } = result;
    return {
      id: executionId,
      callId: call.id,
      tool: result.toolName ?? call.name,
      success: result.success,
      ...(result.success ? {} : { code: failure?.code ?? "unknown" }),
      stages: metadata.trace.length,
      attempts: metadata.attempts,
      latencyMs: result.latencyMs,
      humanWaitMs: metadata.humanWaitMs ?? 0,
      startedAt: metadata.startedAt,
      record,
      lates: lateOf.get(executionId) ?? [],
    };
  });
}

/** Milliseconds in a step; 0 for one that was not left. */
export function durationOf({ enteredAt, leftAt }: TraceStep): number {
  return leftAt === undefined ? 0 : Math.max(0, leftAt - enteredAt);
}

/** Visits and time of one state in one call. */
export interface StateVisits {
  readonly ms: number;
  /** Numbers of the steps, from 1. */
  readonly steps: readonly number[];
}

/** What each state of a call's path took. */
export function visitsOf(trace: readonly TraceStep[]): ReadonlyMap<string, StateVisits> {
  const visits = new Map<string, StateVisits>();
  for (const [index, step] of trace.entries()) {
    const { ms, steps } = visits.get(step.state) ?? { ms: 0, steps: [] };
    visits.set(step.state, { ms: ms + durationOf(step), steps: [...steps, index + 1] });
  }
  return visits;
}

interface AnyTransition {
  readonly event: string;
  readonly guard?: string;
}
interface AnyEdge<Transition> {
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly Transition[];
}

/** The line of the chart that led into a step, and which of its transitions it was. */
export interface TakenTransition<Edge, Transition> {
  readonly edge: Edge;
  readonly transition: Transition;
}

/**
 * Finds the transition that led from one step into the next. A step names the event that moved the call; where a
 * transition without event followed, it is told by its guard. Nothing fits: the chart is another one than the recording's.
 */
export function findTaken<Transition extends AnyTransition, Edge extends AnyEdge<Transition>>(
  edges: readonly Edge[],
  from: TraceStep,
  to: TraceStep,
): TakenTransition<Edge, Transition> | undefined {
  const between = edges
    .filter((edge) => edge.from === from.state && edge.to === to.state)
    .flatMap((edge) => edge.transitions.map((transition) => ({ edge, transition })));
  const fits = (event: string) =>
    between.find(({ transition }) => transition.event === event && transition.guard === to.guard);
  return fits(to.event) ?? fits("always");
}
