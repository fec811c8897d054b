/** The chart itself: what must hold of its table, whatever is bound to it. */
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import {
  type ChartInput,
  edgesOf,
  FAILURE_CODES,
  FAILURES,
  failureOf,
  STATES,
  toolCallMachine,
} from "../../machines/index.ts";

interface AnyTransition {
  readonly guard?: unknown;
  readonly actions?: unknown;
  readonly target?: string;
}
type Transitions = AnyTransition | readonly AnyTransition[];
interface AnyState {
  readonly entry?: unknown;
  readonly on?: Readonly<Record<string, Transitions>>;
  readonly after?: Readonly<Record<string, Transitions>>;
  readonly always?: Transitions;
}

const states = toolCallMachine.config.states as unknown as Readonly<Record<string, AnyState>>;
const edges = edgesOf(toolCallMachine.config.states as never);
const transitions = Object.values(states).flatMap(({ on = {}, after = {}, always = [] }) =>
  [...Object.values(on), ...Object.values(after), always].flat(),
) as readonly AnyTransition[];
const guards = new Set(transitions.flatMap(({ guard }) => (guard === undefined ? [] : [guard])));

const input: ChartInput = {
  executionId: "x",
  call: { id: "c", name: "t", arguments: {} },
  caller: {},
  startedAt: 0,
  deadlineAt: 1000,
};

describe("the chart of a call", () => {
  it("has exactly the states of the contract, in the order of the pipeline", () => {
    expect(Object.keys(states)).toEqual([...STATES]);
  });

  it("names every guard, action and delay, so that it can be drawn and provided", () => {
    const { implementations } = toolCallMachine;
    const all = Object.values(states);
    const actions = [
      ...transitions.flatMap((each) => each.actions ?? []),
      ...all.flatMap(({ entry }) => entry ?? []),
    ];
    expect(Object.keys(implementations.guards)).toEqual(expect.arrayContaining([...guards]));
    expect(Object.keys(implementations.actions)).toEqual(expect.arrayContaining(actions));
    const delays = all.flatMap(({ after }) => Object.keys(after ?? {}));
    expect(Object.keys(implementations.delays)).toEqual(expect.arrayContaining(delays));
  });

  it("declares no guard that it does not use", () => {
    expect(Object.keys(toolCallMachine.implementations.guards).sort()).toEqual([...guards].sort());
  });

  it("tells which guard decided: transitions that share from, to and event look at nothing but the event", () => {
    const keys = edges.map(({ from, to, event }) => `${from} ${to} ${event}`);
    const shared = edges.filter(
      (_, at) => keys.indexOf(keys[at] ?? "") !== keys.lastIndexOf(keys[at] ?? ""),
    );
    expect(shared).toEqual([
      { from: "executing", to: "normalizing", event: "attempt.done", guard: "attemptReturned" },
      { from: "executing", to: "normalizing", event: "attempt.done" },
    ]);
  });

  it("leads every way out through normalizing and tracing", () => {
    const into = (state: string): string[] => [
      ...new Set(edges.filter(({ to }) => to === state).map(({ from }) => from)),
    ];
    expect(into("succeeded")).toEqual(["tracing"]);
    expect(into("failed")).toEqual(["tracing"]);
    expect(into("tracing")).toEqual(["normalizing"]);
    expect(into("executing")).toEqual(["queued", "backingOff"]);
    expect(into("queued")).toEqual([
      "authorizing",
      "awaitingApproval",
      "queued",
      "executing",
      "backingOff",
    ]);
  });

  it("does nothing when it is created, and its context is plain JSON", () => {
    const [snapshot, actions] = initialTransition(toolCallMachine, input);
    expect(snapshot.value).toBe("validating");
    expect(actions).toEqual([]);
    expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(snapshot.context);
  });

  it("gets nowhere while no executor is bound to it", () => {
    const [created] = initialTransition(toolCallMachine, input);
    const [started] = transition(toolCallMachine, created, { type: "call.start" });
    expect(started.value).toBe("validating");
  });
});

describe("failureOf", () => {
  it.for(FAILURE_CODES)("gives %s the defaults of its row", (code) => {
    const rule = FAILURES[code];
    expect(failureOf(code, "why")).toEqual({
      code,
      message: "why",
      stage: rule.stage,
      executed: rule.executed[0],
      handledBy: rule.handledBy[0],
    });
  });
});
