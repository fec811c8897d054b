import { type Actor, createActor, type Snapshot } from "xstate";
import type { CallContext, ToolCall, ToolResult } from "../machines/index.ts";
import { sealResult } from "../machines/seal.ts";
import { CONTEXT_VERSION, toContext } from "../machines/tool-call-context.ts";
import { systemClock } from "./clock.ts";
import { createDelivery } from "./deliver.ts";
import { createSlots } from "./execute/slots.ts";
import { createLogic, toInternal } from "./executor-logic.ts";
import { bindExecutorMachine, type ExecutorLogic } from "./executor-machine.ts";
import type { ExecuteOptions, ExecutorOptions, Inspect } from "./executor-options.ts";
import { createGuard, type Guard, warnOnce } from "./guard.ts";
import { toLimits } from "./limits.ts";
import { createLiveCalls, type LiveCall, type LiveCalls } from "./live-calls.ts";
import type { Registry } from "./registry.ts";
import { takeCall } from "./take-call.ts";
import type { ToolCallInput, ToolCallLogic } from "./tool-call-logic.ts";

/** The tool executor. */
export interface Executor extends Pick<LiveCalls, "approve" | "deny" | "cancel" | "pending"> {
  readonly registry: Registry;
  /** Runs one call to its result. Never rejects and never throws, whatever the call, tool, policy or sink does. */
  readonly execute: (
    call: ToolCall,
    context?: CallContext,
    options?: ExecuteOptions,
  ) => Promise<ToolResult>;
  /** Runs calls in parallel: one result each, in the order of the calls; a failed one never harms another. */
  readonly executeAll: (
    calls: readonly ToolCall[],
    context?: CallContext,
    options?: ExecuteOptions,
  ) => Promise<ToolResult[]>;
  /** Starts a call and hands out its live actor. */
  readonly start: (call: ToolCall, context?: CallContext, options?: ExecuteOptions) => LiveCall;
  /** Continues a call from a persisted snapshot of its actor (`actor.getPersistedSnapshot()`). */
  readonly restore: (snapshot: Snapshot<unknown>, options?: ExecuteOptions) => LiveCall;
  /** Takes no more calls, gives running ones `drainMs` (default 5 000) to finish, cancels the rest, flushes the sinks. */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** Actor logic of one call, for machines of your own. */
  readonly toolCallLogic: ToolCallLogic;
  /** The whole executor as logic of one actor, for systems of your own. */
  readonly executorMachine: ExecutorLogic;
}

/** Makes an executor. @throws TypeError for mistakes of the programmer: limits that make no sense, no registry. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { registry, clock = systemClock } = options;
  if (typeof registry?.get !== "function") {
    throw new TypeError(
      "createExecutor needs a registry: createExecutor({ registry: createRegistry([tool]) }).",
    );
  }
  const limits = toLimits(options.limits);
  const guard = createGuard(options.onDefect ?? warnOnce());
  const delivery = createDelivery(options.sinks ?? [], options.redact, guard);
  const calls = createLiveCalls();
  const slots = createSlots({ ...limits, onGranted: calls.grantSlot });
  const { logic, settled } = createLogic({ options, limits, clock, guard, delivery, calls, slots });
  const inspect =
    options.inspect === undefined ? {} : { inspect: guardInspect(options.inspect, guard) };
  const actorOptions = { clock, ...inspect };

  const run = (actor: Actor<ToolCallLogic>, onEvent: ExecuteOptions["onEvent"]): LiveCall => {
    const { executionId, call } = actor.getSnapshot().context;
    if (onEvent !== undefined) actor.on("*", (event) => guard.run("onEvent", () => onEvent(event)));
    const result = settled(actor);
    actor.start();
    return { callId: call.id, executionId, actor, result };
  };
  const start: Executor["start"] = (call, context, { signal, onEvent } = {}) => {
    const input: ToolCallInput = {
      call,
      ...(context === undefined ? {} : { context }),
      ...(signal === undefined ? {} : { signal }),
    };
    return run(createActor(logic, { ...actorOptions, input }), onEvent);
  };
  const execute: Executor["execute"] = (call, context, executeOptions) => {
    try {
      return start(call, context, executeOptions ?? {}).result;
    } catch (thrown) {
      // A clock that throws: no actor could be made.
      guard.report("executor", thrown);
      return Promise.resolve(toLostResult(call, thrown));
    }
  };

  return {
    registry,
    execute,
    start,
    executeAll: (all, context, executeOptions) =>
      Promise.all(Array.from(all, (call) => execute(call, context, executeOptions))),
    restore(snapshot, executeOptions) {
      checkSnapshot(snapshot);
      const restored = createActor(logic, { ...actorOptions, snapshot, input: NO_INPUT });
      return run(restored, executeOptions?.onEvent);
    },
    approve: calls.approve,
    deny: calls.deny,
    cancel: calls.cancel,
    pending: calls.pending,
    close: ({ drainMs = 5_000 } = {}) => calls.close({ drainMs, clock, flush: delivery.flush }),
    toolCallLogic: logic,
    executorMachine: bindExecutorMachine({ ...calls, start }),
  };
}

function toLostResult(call: unknown, thrown: unknown): ToolResult {
  const context = toContext({
    ...takeCall({ call }),
    executionId: "",
    startedAt: 0,
    deadlineAt: 0,
  });
  return sealResult({ ...context, failure: toInternal(thrown) }, []);
}

/** A restored actor has its input behind it. */
const NO_INPUT: ToolCallInput = { call: { id: "", name: "", arguments: null } };

function checkSnapshot(snapshot: unknown): void {
  const context = (snapshot as { context?: { version?: unknown } } | null)?.context;
  if (context?.version === CONTEXT_VERSION) return;
  throw new TypeError(
    `This is not a persisted call of version ${CONTEXT_VERSION}: give restore() what getPersistedSnapshot() of a call's actor gave.`,
  );
}

function guardInspect(inspect: Inspect, guard: Guard): Inspect {
  const next = typeof inspect === "function" ? inspect : inspect.next?.bind(inspect);
  return (event) => guard.run("inspect", () => next?.(event));
}
