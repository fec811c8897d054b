import { toEventName } from "./tool-call-events.ts";

interface TransitionConfig {
  readonly actions?: string | readonly string[];
  readonly target?: string;
  readonly guard?: string;
}
type Transitions = TransitionConfig | readonly TransitionConfig[];
interface StateConfig {
  readonly type?: string;
  readonly on?: { readonly [event: string]: Transitions };
  readonly always?: Transitions;
  readonly after?: { readonly [delay: string]: Transitions };
}

/** Names the guard that let a call from one state into another, given the event that caused it. */
export type DecidedBy = (from: string, to: string, event: string) => string | undefined;

/** One transition of a chart that leads from a state to another (or back into the same). */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** The event's stable name; `always` for transitions without one. */
  readonly event: string;
  readonly guard?: string;
}

/** Every transition of a flat chart that has a target, in the order in which the chart tries them. */
export function edgesOf(states: { readonly [name: string]: StateConfig }): readonly Edge[] {
  return Object.entries(states).flatMap(([from, state]) => [
    ...toEdges(from, "always", state.always),
    ...Object.entries(state.on ?? {}).flatMap(([type, list]) =>
      toEdges(from, toEventName(type), list),
    ),
    ...Object.entries(state.after ?? {}).flatMap(([delay, list]) =>
      toEdges(from, `after.${delay}`, list),
    ),
  ]);
}

function toEdges(from: string, event: string, transitions: Transitions = []): Edge[] {
  const list = Array.isArray(transitions) ? transitions : [transitions];
  return list.flatMap(({ target, guard }: TransitionConfig) =>
    target === undefined ? [] : [{ from, to: target, event, ...(guard === undefined ? {} : { guard }) }],
  );
}

/**
 * Finds the deciding guard by chart lookup instead of recording it in every transition, which would cost an action each.
 * That is exact as long as no two transitions share from, to and event; a test of the chart keeps it so.
 */
export function createDecidedBy(states: { readonly [name: string]: StateConfig }): DecidedBy {
  const guards = new Map<string, Map<string, Map<string, string | undefined>>>();
  for (const { from, to, event, guard } of edgesOf(states)) {
    const targets = guards.get(from) ?? new Map<string, Map<string, string | undefined>>();
    const events = targets.get(to) ?? new Map<string, string | undefined>();
    guards.set(from, targets.set(to, events.set(event, guard)));
  }
  return (from, to, event) => {
    const events = guards.get(from)?.get(to);
    return events?.has(event) === true ? events.get(event) : events?.get("always");
  };
}
