import type { ActorLogic, ActorRefFrom, AnyActorRef, MachineSnapshot, Snapshot } from "xstate";
import type {
  CallContext,
  StateName,
  ToolCall,
  ToolCallCommand,
  ToolCallContext,
  ToolCallEmitted,
  ToolCallMachine,
  ToolResult,
} from "../machines/index.ts";
import type { ChartInput } from "../machines/tool-call-context.ts";

/** What a call's actor is spawned with. */
export interface ToolCallInput {
  readonly call: ToolCall;
  /** Who calls, and what they may do. Default: nothing is known of the caller. */
  readonly context?: CallContext;
  /** Cancels the call when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A snapshot of a call's actor: `value` is the state, `context.trace` the path, `output` the result. */
export type ToolCallSnapshot = MachineSnapshot<
  ToolCallContext,
  ToolCallCommand,
  Record<string, AnyActorRef | undefined>,
  StateName,
  string,
  ToolResult,
  // biome-ignore lint/suspicious/noExplicitAny: XState's own parameters for meta and config, which the chart has none of
  any,
  // biome-ignore lint/suspicious/noExplicitAny: see above
  any
>;

/**
 * Actor logic of one tool call, for `createActor`, or for `invoke` and `spawn` in a machine of your own. The parent
 * receives `call.progress` and `call.approvalRequired`, and at the end `onDone` with a {@link ToolResult}; `onError` is
 * never taken.
 */
export interface ToolCallLogic
  extends ActorLogic<
    ToolCallSnapshot,
    ToolCallCommand,
    ToolCallInput,
    // biome-ignore lint/suspicious/noExplicitAny: the logic runs in any actor system
    any,
    ToolCallEmitted
  > {
  /** The chart's config, as inspectors draw it. */
  readonly config: ToolCallMachine["config"];
}

/** The actor of one call. */
export type ToolCallActor = ActorRefFrom<ToolCallLogic>;

/** What an executor wants to know of the actors that run its calls, wherever they run. */
export interface CallHooks {
  /** Total: makes the chart's input of whatever was handed over. */
  readonly toChartInput: (input: ToolCallInput, actor: ToolCallActor) => ChartInput;
  readonly onStart: (actor: ToolCallActor) => void;
  /** It is done (with a result) or was stopped (without one). Called once for each start. */
  readonly onEnd: (actor: ToolCallActor, result: ToolResult | undefined) => void;
  /** A defect of our own was caught: what the call ends in. */
  readonly onDefect: (context: ToolCallContext, thrown: unknown) => ToolResult;
}

interface Scope {
  readonly self: ToolCallActor;
  readonly stopChild: (child: AnyActorRef) => void;
}

/**
 * The bound chart as public actor logic. It adds three things that a machine cannot say: nothing runs before the actor
 * is started (`call.start`), a restored call goes on by itself (`call.resume`), and an actor that is stopped from outside
 * gives back what it holds.
 */
export function toToolCallLogic(machine: ToolCallMachine, hooks: CallHooks): ToolCallLogic {
  const restored = new WeakSet<object>();
  const live = new WeakSet<object>();
  const end = (actor: ToolCallActor, { output }: Snapshot<ToolResult>): void => {
    if (live.delete(actor)) hooks.onEnd(actor, output);
  };
  // XState's types cannot name a machine seen through a narrower event and input type: this is the one bridge.
  const base = machine as unknown as {
    getInitialSnapshot(scope: Scope, input: ChartInput): ToolCallSnapshot;
    transition(snapshot: ToolCallSnapshot, event: { type: string }, scope: Scope): ToolCallSnapshot;
    restoreSnapshot(snapshot: Snapshot<unknown>, scope: Scope): ToolCallSnapshot;
    start(snapshot: ToolCallSnapshot, scope: Scope): void;
  };
  /** XState leaves the children of an actor that threw running, and hands the error to its parent: neither may happen. */
  const step = (
    snapshot: ToolCallSnapshot,
    event: { type: string },
    scope: Scope,
  ): Snapshot<ToolResult> => {
    try {
      return base.transition(snapshot, event, scope);
    } catch (thrown) {
      for (const child of Object.values(snapshot.children)) {
        if (child !== undefined) scope.stopChild(child);
      }
      const output = hooks.onDefect(snapshot.context, thrown);
      return { ...snapshot, status: "done", output, error: undefined };
    }
  };
  return Object.assign(Object.create(base), {
    getInitialSnapshot: (scope: Scope, input: ToolCallInput) =>
      base.getInitialSnapshot(scope, hooks.toChartInput(input, scope.self)),
    transition(snapshot: ToolCallSnapshot, event: { type: string }, scope: Scope) {
      const next = step(snapshot, event, scope);
      if (next.status !== "active") end(scope.self, next);
      return next;
    },
    restoreSnapshot(snapshot: Snapshot<unknown>, scope: Scope) {
      restored.add(scope.self);
      return base.restoreSnapshot(snapshot, scope);
    },
    start(snapshot: ToolCallSnapshot, scope: Scope) {
      base.start(snapshot, scope);
      live.add(scope.self);
      hooks.onStart(scope.self);
      const type = restored.delete(scope.self) ? "call.resume" : "call.start";
      // An internal event, which is not among the public commands.
      (scope.self as AnyActorRef).send({ type });
    },
  }) as ToolCallLogic;
}
