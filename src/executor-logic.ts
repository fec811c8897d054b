import type { AnyActorRef } from "xstate";
import type { ToolCallContext, ToolFailure, ToolResult } from "../machines/index.ts";
import { failureOf } from "../machines/index.ts";
import { sealResult, toCallRecord } from "../machines/seal.ts";
import type { ChartInput } from "../machines/tool-call-context.ts";
import { type AbortRelay, createAbortRelay } from "./abort-relay.ts";
import type { Policy } from "./authorize/index.ts";
import { bindMachine } from "./bind.ts";
import type { Clock } from "./clock.ts";
import type { Delivery } from "./deliver.ts";
import { toErrorFacts } from "./error-facts.ts";
import type { Slots } from "./execute/slots.ts";
import type { ExecutorOptions } from "./executor-options.ts";
import type { Guard } from "./guard.ts";
import { type ExecutorLimits, toParseLimits } from "./limits.ts";
import type { LiveCalls } from "./live-calls.ts";
import { takeCall } from "./take-call.ts";
import { type ToolCallActor, type ToolCallLogic, toToolCallLogic } from "./tool-call-logic.ts";

/** What the parts of one executor share. */
export interface Parts {
  readonly options: ExecutorOptions;
  readonly limits: Required<ExecutorLimits>;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly delivery: Delivery;
  readonly calls: LiveCalls;
  readonly slots: Slots;
}

/** The logic of an executor's calls, and their results. */
export interface BoundLogic {
  readonly logic: ToolCallLogic;
  /** The result of a call whose actor is about to be started. Never rejects. */
  readonly settled: (actor: ToolCallActor) => Promise<ToolResult>;
}

/** Binds the chart to an executor: the life of a call's actor from what was handed over to what is handed back. */
export function createLogic(parts: Parts): BoundLogic {
  const { options, limits, clock, guard, delivery, calls, slots } = parts;
  const results = new Map<object, (result: ToolResult) => void>();
  const signals = new WeakMap<object, AbortSignal>();
  const abort: AbortRelay<ToolCallActor> = createAbortRelay((actor) =>
    actor.send({ type: "call.cancel", reason: ABORTED }),
  );
  const machine = bindMachine({
    registry: options.registry,
    policies: toPolicies(options.policy),
    repair: options.repair ?? "safe",
    disclosure: options.disclosure ?? "full",
    visible: options.visible,
    limits,
    parseLimits: toParseLimits(limits),
    clock,
    slots,
    deliver: delivery.deliver,
  });
  const finish = (actor: ToolCallActor, result: ToolResult): void => {
    calls.delete(actor);
    slots.release(actor);
    abort.unwatch(actor);
    results.get(actor)?.(result);
    results.delete(actor);
  };
  const toBroken = (context: ToolCallContext, thrown: unknown): ToolResult => {
    guard.report("executor", thrown);
    const result = toUnfinished(context, toInternal(thrown));
    delivery.deliver(toCallRecord(context, result));
    return result;
  };
  const logic = toToolCallLogic(machine, {
    toChartInput(input, actor) {
      const taken = takeCall(input);
      if (taken.signal !== undefined) signals.set(actor, taken.signal);
      return toChartInput(parts, taken);
    },
    onStart(actor) {
      calls.add(actor);
      listen(actor, options.onEvent, guard);
      const signal = signals.get(actor);
      if (signal !== undefined) abort.watch(signal, actor);
    },
    onEnd(actor, result) {
      if (result !== undefined) return finish(actor, result);
      const { context } = actor.getSnapshot();
      const final = toStopped(context);
      delivery.deliver(toCallRecord(context, final));
      finish(actor, final);
    },
    onDefect: toBroken,
  });
  return {
    logic,
    settled(actor) {
      const snapshot = actor.getSnapshot();
      if (snapshot.status === "done" && snapshot.output !== undefined) {
        return Promise.resolve(snapshot.output);
      }
      // Only what XState itself runs for the actor (its clock's timers) can still throw past the logic.
      actor.subscribe({
        error(thrown) {
          const { context, children } = actor.getSnapshot();
          for (const child of Object.values(children)) {
            if (child?.getSnapshot().status === "active") child.send({ type: "attempt.interrupt" });
          }
          finish(actor, toBroken(context, thrown));
        },
      });
      return new Promise((resolve) => {
        results.set(actor, resolve);
      });
    },
  };
}

/** What a call ends in when the executor itself failed. */
export function toInternal(thrown: unknown): ToolFailure {
  const message = "The executor itself failed. It is not the call's fault.";
  return failureOf("internal", message, { cause: toErrorFacts(thrown) });
}

const ABORTED = "the caller's signal was aborted";

function toChartInput(
  { options, clock, limits, calls, guard }: Parts,
  { call, caller, refused, signal }: ReturnType<typeof takeCall>,
): ChartInput {
  const startedAt = clock.now();
  const cancelled = calls.isClosed()
    ? "the executor is closed and takes no more calls"
    : signal?.aborted === true
      ? ABORTED
      : undefined;
  const failure =
    cancelled === undefined
      ? refused
      : failureOf("cancelled", `The call was cancelled: ${cancelled}.`, { stage: "validate" });
  return {
    executionId: toId(options.ids, guard),
    call,
    caller,
    startedAt,
    deadlineAt: startedAt + limits.deadlineMs,
    ...(failure === undefined ? {} : { refused: failure }),
  };
}

function toId(ids: (() => string) | undefined, guard: Guard): string {
  let id = "";
  guard.run("ids", () => {
    id = ids?.() ?? "";
  });
  return id === "" ? crypto.randomUUID() : id;
}

function listen(actor: AnyActorRef, onEvent: ExecutorOptions["onEvent"], guard: Guard): void {
  if (onEvent !== undefined)
    actor.on("*", (event) => guard.run("onEvent", () => onEvent(event as never)));
}

/** The actor was stopped from outside (its parent left the state that invoked it): it has no result of its own. */
function toStopped(context: ToolCallContext): ToolResult {
  const running = context.attempt > 0 && context.normalized === null;
  return toUnfinished(
    context,
    failureOf("cancelled", "The call's actor was stopped before the call had ended.", {
      executed: running ? "unknown" : "no",
    }),
  );
}

function toUnfinished(context: ToolCallContext, failure: ToolFailure): ToolResult {
  return sealResult({ ...context, failure, normalized: null }, context.trace);
}

function toPolicies(policy: Policy | readonly Policy[] | undefined): readonly Policy[] {
  const policies = policy === undefined ? [] : [policy].flat();
  for (const each of policies) {
    if (typeof each !== "function") {
      throw new TypeError(
        `policy must be a function (or a list of functions), not ${typeof each}.`,
      );
    }
  }
  return policies;
}
