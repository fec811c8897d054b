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

/** What a guard looks at. */
interface GuardArgs<Context, Event> {
  readonly context: Context;
  readonly event: Event;
}

/** Names the guard that let a call from one state into another. `name` is the event's stable name. */
export type DecidedBy<Context, Event> = (
  from: string,
  to: string,
  name: string,
  args: GuardArgs<Context, Event>,
) => string | undefined;

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
    target === undefined
      ? []
      : [{ from, to: target, event, ...(guard === undefined ? {} : { guard }) }],
  );
}

/**
 * Finds the deciding guard by chart lookup instead of recording it in every transition, which would cost an action each.
 * Where several transitions share from, to and event, their guards are asked once more; such guards may look at nothing
 * but the event, which a test of the chart sees to.
 */
export function createDecidedBy<Context, Event>(
  states: { readonly [name: string]: StateConfig },
  guards: { readonly [name: string]: (args: GuardArgs<Context, Event>) => boolean },
): DecidedBy<Context, Event> {
  const edges = edgesOf(states);
  const known = new Map<string, Map<string, readonly Edge[]>>();
  const find = (from: string, to: string, name: string): readonly Edge[] => {
    const pair = known.get(from + to) ?? new Map<string, readonly Edge[]>();
    const found = pair.get(name);
    if (found !== undefined) return found;
    const between = edges.filter((edge) => edge.from === from && edge.to === to);
    const caused = between.filter(({ event }) => event === name);
    const fitting = caused.length > 0 ? caused : between.filter(({ event }) => event === "always");
    known.set(from + to, pair.set(name, fitting));
    return fitting;
  };
  return (from, to, name, args) => {
    const fitting = find(from, to, name);
    if (fitting.length < 2) return fitting[0]?.guard;
    return fitting.find(({ guard }) => guard === undefined || guards[guard]?.(args) === true)
      ?.guard;
  };
}
