import { describe, expect, it } from "vitest";
import {
  type CallTrace,
  type Edge,
  edgesOf,
  STATES,
  type TraceStep,
  toolCallMachine,
} from "../../machines/index.ts";
import { explain } from "../../src/index.ts";
import { pathsOf, type Scenario } from "../support/chart-model.ts";
import { createLiveWorld } from "../support/live-world.ts";

const plain: Scenario = {
  arguments: "valid",
  policy: "allow",
  slot: "free",
  idempotent: true,
  maxAttempts: 2,
  normalizer: "plain",
};

const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ["a tool that may be retried", plain],
  ["arguments that do not fit", { ...plain, arguments: "invalid" }],
  ["a policy that denies", { ...plain, policy: "deny" }],
  ["a policy that asks", { ...plain, policy: "ask" }],
  ["a policy that thinks", { ...plain, policy: "asynchronous", maxAttempts: 1 }],
  ["a slot that must be waited for", { ...plain, slot: "taken" }],
  ["a queue that is full", { ...plain, slot: "full" }],
  ["a tool that may not be run twice", { ...plain, idempotent: false }],
  ["a normalizer that thinks", { ...plain, normalizer: "asynchronous" }],
];

const drawn = edgesOf(toolCallMachine.config.states as never);
const statesSeen = new Set<string>();
const edgesSeen = new Set<Edge>();

/** The drawn transition that a step was: an eventless one is caused by whatever event came last. */
function drawnEdge(from: TraceStep, step: TraceStep): Edge | undefined {
  const fitting = drawn.filter(
    (edge) => edge.from === from.state && edge.to === step.state && edge.guard === step.guard,
  );
  return (
    fitting.find(({ event }) => event === step.event) ??
    fitting.find(({ event }) => event === "always")
  );
}

function cover(trace: CallTrace): void {
  trace.forEach((step, at) => {
    statesSeen.add(step.state);
    const from = trace[at - 1];
    if (from === undefined) return;
    expect(step.enteredAt).toBe(from.leftAt);
    const edge = drawnEdge(from, step);
    expect(edge, `${from.state} → ${step.state} by ${step.event}`).toBeDefined();
    if (edge !== undefined) edgesSeen.add(edge);
  });
}

describe("every path that the chart can take", () => {
  it.for(SCENARIOS)("is taken live with %s", async ([, scenario]) => {
    const paths = [...pathsOf(scenario, "simple"), ...pathsOf(scenario, "shortest")];
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      const world = createLiveWorld(scenario);
      const taken: string[] = [];
      for (const step of path.slice(1)) {
        await world.apply(step.event);
        taken.push(step.event.type);
        const live = world.snapshot();
        expect(world.situation(), taken.join(" → ")).toBe(step.situation);
        expect(
          live.context.trace.map(({ state }) => state),
          taken.join(" → "),
        ).toEqual(step.states);
        expect(live.status, taken.join(" → ")).not.toBe("error");
      }
      const { context, status, children, output, value } = world.snapshot();
      cover(context.trace);
      if (status === "done") {
        expect(Object.keys(children)).toEqual([]);
        expect(output?.metadata.trace).toEqual(context.trace);
        expect(value).toBe(output?.success === true ? "succeeded" : "failed");
        expect(explain(context.trace).split("\n").length).toBeGreaterThanOrEqual(
          context.trace.length,
        );
        expect(
          world.records().filter(({ executionId }) => executionId === context.executionId),
        ).toHaveLength(1);
      }
      world.end();
    }
  });

  it("visits every state and every transition of the chart", () => {
    expect([...statesSeen].sort()).toEqual([...STATES].sort());
    expect(drawn.filter((edge) => !edgesSeen.has(edge))).toEqual([]);
  });
});
