import type { AnyStateMachine } from "xstate";
import { toolCallMachine } from "../machines/index.ts";
import {
  type ChartGraph,
  type GraphState,
  type GraphTransition,
  toChartGraph,
} from "./chart-graph.ts";

/**
 * The chart of a machine as a Mermaid `stateDiagram-v2`, read from the machine itself. Default: the chart of one tool
 * call. Labels say event and `[guard]`; transitions from and to the same states share a line.
 */
export function toMermaid(machine: AnyStateMachine = toolCallMachine): string {
  const graph = toChartGraph(machine);
  const ids = toIds(graph);
  return [
    "stateDiagram-v2",
    ...drawLevel(graph, ids, undefined, "  "),
    ...groupedTransitions(graph, ids).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

type Ids = ReadonlyMap<string, string>;

/** Mermaid's ids are words; what a state is really called stands in its description. */
function toIds({ id, states, transitions }: ChartGraph): Ids {
  const names = new Set([
    ...states.map(({ name }) => name),
    ...transitions.flatMap(({ from, to }) => [from, to]),
  ]);
  names.delete(id);
  const ids = [...names].map((name, index): [string, string] => [
    name,
    /^[A-Za-z][A-Za-z0-9]*$/.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `s${index}`,
  ]);
  return new Map(ids);
}

const RESERVED: ReadonlySet<string> = new Set([
  "state",
  "note",
  "end",
  "as",
  "direction",
  "default",
  "class",
  "style",
]);

function drawLevel(
  graph: ChartGraph,
  ids: Ids,
  parent: string | undefined,
  indent: string,
): readonly string[] {
  return graph.states
    .filter((state) => state.parent === parent)
    .flatMap((state) => drawState(graph, ids, state, indent));
}

function drawState(
  graph: ChartGraph,
  ids: Ids,
  state: GraphState,
  indent: string,
): readonly string[] {
  const { name, final, initial } = state;
  const id = idOf(ids, name);
  const inner = drawLevel(graph, ids, name, `${indent}  `);
  const label = escapeLabel(name.split(".").at(-1) ?? name);
  return [
    ...(id === name ? [] : [`${indent}state "${label}" as ${id}`]),
    ...(inner.length > 0 ? [`${indent}state ${id} {`, ...inner, `${indent}}`] : []),
    ...(initial ? [`${indent}[*] --> ${id}`] : []),
    ...(final ? [`${indent}${id} --> [*]`] : []),
  ];
}

function groupedTransitions({ id, transitions }: ChartGraph, ids: Ids): readonly string[] {
  // What the root itself reacts to leads from every state: Mermaid has no place for the root.
  const drawn = transitions.filter(({ from }) => from !== id);
  const groups = Map.groupBy(drawn, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      `${idOf(ids, first.from)} --> ${idOf(ids, first.to)}: ${group.map(labelOf).join("<br>")}`,
    ];
  });
}

function idOf(ids: Ids, name: string): string {
  return ids.get(name) ?? name;
}

function labelOf({ event, guard }: GraphTransition): string {
  return escapeLabel(guard === undefined ? event : `${event} [${guard}]`);
}

/** Characters that Mermaid's grammar takes for its own, and such that look like them: it has no working escapes here. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  [":", "∶"],
  [";", ","],
  ["#", "♯"],
  ['"', "”"],
  ["<", "‹"],
  [">", "›"],
  ["\n", " "],
]);

function escapeLabel(text: string): string {
  return text.replace(/[:;#"<>\n]/g, (character) => LOOKALIKES.get(character) ?? "");
}
