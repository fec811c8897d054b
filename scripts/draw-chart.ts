import type { ChartGraph, GraphState, GraphTransition } from "../visualizer/chart-graph.ts";
import type {
  ChartDrawing,
  DrawnEdge,
  DrawnNode,
  DrawnText,
  DrawnTransition,
} from "../visualizer/page/chart-drawing.ts";
import { BUS, bottom, boxOf, LINE, middle, type Plan, plans, TOP } from "./chart-plan.ts";

/** `executing` leads to `normalizing` in two ways: with what the tool returned, and early. */
function keyOf({ from, to, guard }: GraphTransition): string {
  const early = to === "normalizing" && from !== to && guard !== "attemptReturned";
  return `${from} ${to}${early ? " exit" : ""}`;
}

/** A label's lines. `always` goes without saying where a guard says more. */
function linesOf(event: string, guard: string | undefined, below: boolean): readonly string[] {
  if (guard === undefined) return [event];
  if (event === "always") return [`[${guard}]`];
  return below ? [event, `[${guard}]`] : [`${event} [${guard}]`];
}

function drawEdge(plan: Plan, transitions: readonly GraphTransition[]): DrawnEdge {
  const [first] = transitions;
  if (first === undefined) throw new Error("a line without transitions");
  const { at, anchor = "start", below = false, step = LINE } = plan.label;
  const [x, top] = at;
  let y = top;
  const drawn = transitions.map(({ event, guard }): DrawnTransition => {
    const texts = linesOf(event, guard, below);
    const label = texts.map((text, line): DrawnText => ({ text, x, y: y + line * step, anchor }));
    y += texts.length * LINE;
    return guard === undefined ? { event, label } : { event, guard, label };
  });
  return {
    from: first.from,
    to: first.to,
    kind: plan.kind,
    points: plan.points,
    transitions: drawn,
  };
}

function drawNode({ name, final, description }: GraphState): DrawnNode {
  return { ...boxOf(name), final, ...(description === undefined ? {} : { description }) };
}

/** Draws a graph. @throws Error when the plan and the graph differ in a state or a transition */
export function drawChart(graph: ChartGraph): ChartDrawing {
  const groups = Map.groupBy(graph.transitions, keyOf);
  const known = plans();
  const edges = [...groups].map(([key, transitions]) => {
    const plan = known.get(key);
    if (plan === undefined) throw new Error(`scripts/chart-plan.ts has no line for: ${key}`);
    return drawEdge(plan, transitions);
  });
  const unused = [...known.keys()].filter((key) => !groups.has(key));
  if (unused.length > 0) throw new Error(`The chart does not have: ${unused.join(", ")}`);
  const nodes = graph.states.map(drawNode);
  const first = boxOf(graph.states.find(({ initial }) => initial)?.name ?? "validating");
  return {
    width: BUS + 12,
    height: Math.max(...nodes.map(bottom)) + TOP,
    nodes,
    edges,
    start: [
      [first.x - 30, middle(first)],
      [first.x, middle(first)],
    ],
  };
}
