import type { TraceStep } from "../../machines/contract.ts";
import { findTaken, HUMAN_STATE, visitsOf } from "./calls.ts";
import type { ChartDrawing, DrawnEdge, DrawnTransition, Point } from "./chart-drawing.ts";
import { drawNode } from "./chart-node.ts";
import { svg } from "./dom.ts";

/** How far a transition of the chart has come in the call that is shown. */
type Progress = "free" | "unused" | "ahead" | "taken" | "now";

const PROGRESS: readonly Progress[] = ["free", "unused", "ahead", "taken", "now"];

/** What is drawn onto the chart. `step` counts from 0. */
export interface ChartPath {
  readonly trace: readonly TraceStep[];
  readonly step: number;
  readonly label: string;
}

/** Draws the chart, with a call's path on it. A pointer may choose states; for the keyboard there is the list of steps. */
export function drawChart(
  drawing: ChartDrawing,
  path: ChartPath,
  choose: (state: string) => void,
): SVGSVGElement {
  const progress = progressOf(drawing, path);
  const edges = drawing.edges
    .map((edge) => ({ edge, progress: furthest(edge, progress) }))
    .sort((a, b) => PROGRESS.indexOf(a.progress) - PROGRESS.indexOf(b.progress));
  const visits = visitsOf(path.trace);
  const longest = Math.max(
    0,
    ...[...visits].filter(([state]) => state !== HUMAN_STATE).map(([, { ms }]) => ms),
  );
  const current = path.trace[path.step]?.state;
  return svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${drawing.width} ${drawing.height}`,
      role: "img",
      "aria-label": path.label,
    },
    svg("defs", {}, ...PROGRESS.map(arrow), hatch()),
    drawStart(drawing),
    ...edges.map(({ edge, progress: state }) => drawLine(edge, state)),
    ...edges.flatMap(({ edge }) => drawLabels(edge, (transition) => stateOf(transition, progress))),
    ...drawing.nodes.map((node) => {
      const visited = visits.get(node.name);
      const group = drawNode(node, {
        visits: visited,
        longest,
        current: current === node.name,
        idle: visits.size > 0 && visited === undefined,
      });
      group.addEventListener("click", () => choose(node.name));
      return group;
    }),
  );
}

type ProgressMap = ReadonlyMap<DrawnTransition, Progress> | undefined;

function progressOf(drawing: ChartDrawing, { trace, step }: ChartPath): ProgressMap {
  if (trace.length === 0) return undefined;
  const progress = new Map<DrawnTransition, Progress>();
  for (const [index, to] of trace.entries()) {
    const from = trace[index - 1];
    const taken =
      from === undefined
        ? undefined
        : findTaken<DrawnTransition, DrawnEdge>(drawing.edges, from, to);
    if (taken === undefined) continue;
    const state = index === step ? "now" : index < step ? "taken" : "ahead";
    const known = progress.get(taken.transition) ?? "unused";
    if (PROGRESS.indexOf(state) > PROGRESS.indexOf(known)) progress.set(taken.transition, state);
  }
  return progress;
}

function stateOf(transition: DrawnTransition, progress: ProgressMap): Progress {
  return progress === undefined ? "free" : (progress.get(transition) ?? "unused");
}

function furthest(edge: DrawnEdge, progress: ProgressMap): Progress {
  const states = edge.transitions.map((transition) =>
    PROGRESS.indexOf(stateOf(transition, progress)),
  );
  return PROGRESS[Math.max(...states)] ?? "free";
}

function arrow(progress: Progress): SVGElement {
  return svg(
    "marker",
    {
      id: `arrow-${progress}`,
      class: `arrow ${progress}`,
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 7,
      markerHeight: 7,
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    },
    svg("path", { d: "M0 .5 8 4 0 7.5z" }),
  );
}

function hatch(): SVGElement {
  return svg(
    "pattern",
    {
      id: "hatch",
      width: 6,
      height: 6,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("line", { class: "hatch", x1: 0, y1: 0, x2: 0, y2: 6 }),
  );
}

function drawStart({ start }: ChartDrawing): SVGElement {
  const [x, y] = start[0] ?? [0, 0];
  return svg(
    "g",
    { class: "start" },
    svg("circle", { cx: x, cy: y, r: 4 }),
    svg("path", { class: "edge free", d: toPath(start), "marker-end": "url(#arrow-free)" }),
  );
}

function drawLine({ kind, points }: DrawnEdge, progress: Progress): SVGElement {
  return svg("path", {
    class: `edge ${kind} ${progress}`,
    d: toPath(points),
    "marker-end": `url(#arrow-${progress})`,
  });
}

function drawLabels(
  edge: DrawnEdge,
  stateFor: (transition: DrawnTransition) => Progress,
): readonly SVGElement[] {
  return edge.transitions.flatMap((transition) =>
    transition.label.map(({ text, x, y, anchor }) =>
      svg(
        "text",
        { class: `label ${edge.kind} ${stateFor(transition)}`, x, y, "text-anchor": anchor },
        text,
      ),
    ),
  );
}

/** A line through right angles, with round corners. */
function toPath(points: readonly Point[]): string {
  return points
    .map(([x, y], index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (before === undefined) return `M${x} ${y}`;
      if (after === undefined) return `L${x} ${y}`;
      const radius = Math.min(8, lengthOf(before, [x, y]) / 2, lengthOf([x, y], after) / 2);
      const [ax, ay] = toward([x, y], before, radius);
      const [bx, by] = toward([x, y], after, radius);
      return `L${ax} ${ay}Q${x} ${y} ${bx} ${by}`;
    })
    .join("");
}

function lengthOf([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(bx - ax, by - ay);
}

function toward([x, y]: Point, [tx, ty]: Point, distance: number): Point {
  return [x + Math.sign(tx - x) * distance, y + Math.sign(ty - y) * distance];
}
