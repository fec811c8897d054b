import type { AnyStateMachine, AnyStateNode } from "xstate";
import { toEventName } from "../machines/tool-call-events.ts";

/** One state of a machine. */
export interface GraphState {
  /** The path from the root, joined with dots; the state's own name in a flat chart. */
  readonly name: string;
  readonly final: boolean;
  /** Entered first among its siblings. */
  readonly initial: boolean;
  /** The name of the state that it stands in. Absent at the top. */
  readonly parent?: string;
  readonly description?: string;
}

/** One transition that leads from a state to another, or back into the same. */
export interface GraphTransition {
  readonly from: string;
  readonly to: string;
  /** The event's stable name; `always` for transitions without one, `after.<delay>` for those that time causes. */
  readonly event: string;
  readonly guard?: string;
}

/** What a machine looks like: all that a drawing of it needs. */
export interface ChartGraph {
  readonly id: string;
  readonly states: readonly GraphState[];
  /** In the order in which the chart tries them: those without event first. */
  readonly transitions: readonly GraphTransition[];
}

/** Reads a machine's states and transitions from the machine itself. Works for nested and parallel ones as well. */
export function toChartGraph(machine: AnyStateMachine): ChartGraph {
  const nodes = descendantsOf(machine.root);
  return {
    id: machine.id,
    states: nodes.map((node) => toState(node, machine.root)),
    transitions: [machine.root, ...nodes].flatMap(transitionsOf),
  };
}

function descendantsOf(node: AnyStateNode): readonly AnyStateNode[] {
  return childrenOf(node).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states);
}

function nameOf(node: AnyStateNode): string {
  return node.path.length === 0 ? node.key : node.path.join(".");
}

function toState(node: AnyStateNode, root: AnyStateNode): GraphState {
  const { parent, description } = node;
  const nested = parent !== undefined && parent !== root;
  const initial = parent?.type === "compound" && parent.initial.target.includes(node);
  return {
    name: nameOf(node),
    final: node.type === "final",
    initial,
    ...(nested ? { parent: nameOf(parent) } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

function transitionsOf(node: AnyStateNode): readonly GraphTransition[] {
  const caused = [...node.transitions.values()].flat();
  return [...(node.always ?? []), ...caused].flatMap(({ target, eventType, guard }) =>
    (target ?? []).map((to) => ({
      from: nameOf(node),
      to: nameOf(to),
      event: eventType === "" ? "always" : toEventName(eventType),
      ...(guard === undefined ? {} : { guard: guardName(guard) }),
    })),
  );
}

/** A guard is a name, `{ type }`, or a function that may have a name. */
function guardName(guard: unknown): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "function") return guard.name === "" ? "guard" : guard.name;
  if (typeof guard === "object" && guard !== null && "type" in guard) return String(guard.type);
  return "guard";
}
