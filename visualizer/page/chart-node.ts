import { HUMAN_STATE, type StateVisits } from "./calls.ts";
import type { DrawnNode } from "./chart-drawing.ts";
import { svg } from "./dom.ts";
import { formatMs } from "./format.ts";

/** What a state is drawn with. */
export interface NodeFacts {
  readonly visits: StateVisits | undefined;
  /** Milliseconds of the state with the most active time. */
  readonly longest: number;
  readonly current: boolean;
  /** The shown call never was here. */
  readonly idle: boolean;
}

/** Draws a state as a box: its name, its time, its heat, and the numbers of its steps. */
export function drawNode(node: DrawnNode, facts: NodeFacts): SVGElement {
  const { x, y, width, height, name, final } = node;
  const { visits, longest, current, idle } = facts;
  const box = { x, y, width, height, rx: final ? height / 2 : 8 };
  const classes = [
    "node",
    final && `final ${name}`,
    current && "current",
    idle && "idle",
    visits && "visited",
  ];
  const group = svg("g", { class: classes.filter(Boolean).join(" "), "data-state": name });
  if (node.description !== undefined) group.append(svg("title", {}, node.description));
  group.append(svg("rect", { class: "box", ...box }));
  if (visits !== undefined && !final) group.append(heat(box, name, visits.ms, longest));
  const timed = visits !== undefined && !final;
  group.append(
    svg(
      "text",
      {
        class: "name",
        x: x + width / 2,
        y: y + height / 2 + (timed ? -2 : 4.5),
        "text-anchor": "middle",
      },
      name,
    ),
  );
  if (timed)
    group.append(
      svg(
        "text",
        { class: "time", x: x + width / 2, y: y + height / 2 + 13, "text-anchor": "middle" },
        timeText(visits),
      ),
    );
  if (visits !== undefined) group.append(badge(x, y, visits.steps));
  return group;
}

function timeText({ ms, steps }: StateVisits): string {
  return steps.length > 1 ? `${formatMs(ms)} in ${steps.length} visits` : formatMs(ms);
}

/** More time, more colour. The wait for a person is hatched instead: it is no heat of the machine's. */
function heat(box: object, name: string, ms: number, longest: number): SVGElement {
  const layer = svg("rect", { class: name === HUMAN_STATE ? "person" : "heat", ...box });
  if (name !== HUMAN_STATE)
    layer.style.opacity = String(longest === 0 ? 0 : 0.06 + 0.94 * (ms / longest));
  return layer;
}

function badge(x: number, y: number, steps: readonly number[]): SVGElement {
  const text =
    steps.length > 3 ? `${steps.slice(0, 2).join(" · ")} … ${steps.at(-1)}` : steps.join(" · ");
  const width = Math.max(18, text.length * 6.4 + 10);
  return svg(
    "g",
    { class: "badge" },
    svg("rect", { x: x - 9, y: y - 9, width, height: 18, rx: 9 }),
    svg("text", { x: x - 9 + width / 2, y: y + 4, "text-anchor": "middle" }, text),
  );
}
