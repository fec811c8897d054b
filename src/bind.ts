import type {
  NormalizedResult,
  PolicyDecision,
  RawOutcome,
  ToolFailure,
  TraceRecord,
} from "../machines/index.ts";
import { bindStages, failureOf, toolCallMachine } from "../machines/index.ts";
import { sealResult, toCallRecord } from "../machines/seal.ts";
import type { Patch, StageWork } from "../machines/stage-work.ts";
import { resolvedCallOf, type ToolCallContext, toolNameOf } from "../machines/tool-call-context.ts";
import { authorize, forbids, type Policy, toDenial, type Visible } from "./authorize/index.ts";
import type { Clock } from "./clock.ts";
import { createAttempt } from "./execute/attempt.ts";
import { isTransient } from "./execute/outcome.ts";
import { backoffMs, mayRetry, mayRunAgain } from "./execute/retry.ts";
import type { Slots } from "./execute/slots.ts";
import type { ExecutorLimits } from "./limits.ts";
import { type NormalizeInput, normalize, normalizeFailed } from "./normalize/index.ts";
import { createPendingChild } from "./pending-child.ts";
import type { RegisteredTool, Registry } from "./registry.ts";
import {
  type Disclosure,
  type ParseLimits,
  type RepairMode,
  validateCall,
} from "./validate/index.ts";

/** What the stages of one executor share. */
export interface Binding {
  readonly registry: Registry;
  readonly policies: readonly Policy[];
  readonly repair: RepairMode;
  readonly disclosure: Disclosure;
  readonly visible: Visible | undefined;
  readonly limits: Required<ExecutorLimits>;
  readonly parseLimits: ParseLimits;
  readonly clock: Clock;
  readonly slots: Slots;
  readonly deliver: (record: TraceRecord) => void;
}

/** The chart with every stage bound to an executor: one machine for all its calls. */
export function bindMachine(binding: Binding): typeof toolCallMachine {
  const { clock } = binding;
  const toolOf = (context: ToolCallContext): RegisteredTool | undefined =>
    binding.registry.get(toolNameOf(context));
  const pending = {
    decision: new WeakMap<object, PromiseLike<PolicyDecision>>(),
    normalizer: new WeakMap<object, PromiseLike<NormalizedResult>>(),
  };
  const work: StageWork = {
    now: () => clock.now(),
    validate: (context) => validate(binding, context),
    ...authorizeWork(binding, toolOf, pending.decision),
    ...queueWork(binding, toolOf),
    ...executeWork(binding, toolOf),
    ...normalizeWork(binding, toolOf, pending.normalizer),
    trace(context) {
      const result = sealResult(context, context.trace);
      binding.deliver(toCallRecord(context, result));
      return { result };
    },
  };
  return toolCallMachine.provide({
    ...bindStages(work),
    actors: {
      attempt: createAttempt({
        toolOf,
        onLate: (context, outcome) => binding.deliver(toLate(context, outcome, clock.now())),
      }),
      decision: createPendingChild(pending.decision),
      normalizer: createPendingChild(pending.normalizer),
    },
  });
}

type ToolOf = (context: ToolCallContext) => RegisteredTool | undefined;

function validate(binding: Binding, context: ToolCallContext): Patch {
  if (context.refused !== null) return { failure: context.refused };
  const { registry, visible } = binding;
  const { call, edited, caller } = context;
  const {
    toolName = null,
    repairs = [],
    ...checked
  } = validateCall({
    registry,
    call: edited === null ? call : { ...call, ...edited },
    limits: binding.parseLimits,
    repair: binding.repair,
    disclosure: binding.disclosure,
    mayUse(name) {
      const tool = registry.get(name)?.tool;
      return tool !== undefined && forbids({ tool, context: caller, visible }) === undefined;
    },
  });
  return checked.ok
    ? { toolName, repairs, arguments: checked.arguments }
    : { toolName, repairs, failure: checked.failure };
}

function authorizeWork(
  { policies, limits, clock, visible }: Binding,
  toolOf: ToolOf,
  pending: WeakMap<object, PromiseLike<PolicyDecision>>,
): Pick<StageWork, "authorize" | "decide" | "awaitApproval"> {
  const decided = (context: ToolCallContext, decision: PolicyDecision): Patch => ({
    decision,
    pending: "no",
    ...(decision.decision === "deny"
      ? { failure: toDenial(resolvedCallOf(context), decision) }
      : {}),
  });
  return {
    authorize(context, key) {
      const registered = toolOf(context);
      if (registered === undefined) return { failure: unregistered(context) };
      const answer = authorize({
        tool: registered.tool,
        call: resolvedCallOf(context),
        arguments: context.arguments,
        context: context.caller,
        policies,
        visible,
      });
      if (!(answer instanceof Promise)) return decided(context, answer);
      pending.set(key, answer);
      const timeoutAt = Math.min(clock.now() + limits.policyTimeoutMs, context.deadlineAt);
      return { pending: "begin", stateDeadlineAt: timeoutAt };
    },
    decide(context, settled) {
      if (settled === "timeout") {
        return decided(context, { decision: "deny", reason: "the policy did not answer in time" });
      }
      return decided(
        context,
        settled.status === "fulfilled"
          ? settled.value
          : { decision: "deny", reason: "the policy failed" },
      );
    },
    awaitApproval(context) {
      const timeoutMs = toolOf(context)?.tool.approvalTimeoutMs ?? limits.approvalTimeoutMs;
      // Re-entered after a restore, it goes on with the time that is left.
      const again = context.trace.at(-1)?.state === "awaitingApproval";
      return again ? {} : { stateDeadlineAt: clock.now() + timeoutMs };
    },
  };
}

function unregistered(context: ToolCallContext): ToolFailure {
  return failureOf("unknown_tool", `No tool "${toolNameOf(context)}" is registered.`);
}

function queueWork(
  { slots, limits, clock }: Binding,
  toolOf: ToolOf,
): Pick<StageWork, "requestSlot" | "releaseSlot"> {
  return {
    requestSlot(context, key) {
      const registered = toolOf(context);
      if (registered === undefined) return { failure: unregistered(context) };
      const { tool } = registered;
      if (tool.isolation !== undefined && tool.isolation !== "inline") {
        return { failure: unavailable(context, tool.isolation) };
      }
      const answer = slots.acquire(key, {
        toolName: tool.name,
        toolLimit: tool.concurrency ?? Number.POSITIVE_INFINITY,
      });
      if (answer === "full") return { failure: queueIsFull(context, slots) };
      if (answer === "held") return { slot: answer };
      const timeoutAt = Math.min(clock.now() + limits.queueTimeoutMs, context.deadlineAt);
      return { slot: answer, pending: "begin", stateDeadlineAt: timeoutAt };
    },
    releaseSlot: slots.release,
  };
}

function unavailable(context: ToolCallContext, isolation: string): ToolFailure {
  return failureOf(
    "sandbox_unavailable",
    `"${toolNameOf(context)}" must run isolated (${isolation}), which this executor cannot give. It was not run.`,
  );
}

function queueIsFull(context: ToolCallContext, slots: Slots): ToolFailure {
  return failureOf(
    "overloaded",
    `"${toolNameOf(context)}" was not run: no slot is free and the queue is full (${slots.waiting()} waiting). The same call may succeed later.`,
    { retryable: true },
  );
}

function executeWork(
  { limits, clock }: Binding,
  toolOf: ToolOf,
): Pick<
  StageWork,
  "beginAttempt" | "interrupt" | "beginBackoff" | "toFailure" | "mayRetry" | "mayRunAgain"
> {
  const failureOfAttempt = (context: ToolCallContext, outcome: RawOutcome): ToolFailure =>
    toAttemptFailure(toolNameOf(context), outcome);
  return {
    beginAttempt(context) {
      const own = toolOf(context)?.tool.executionTimeoutMs ?? limits.executionTimeoutMs;
      const timeoutMs = Math.min(own, limits.executionTimeoutMs);
      return { stateDeadlineAt: Math.min(clock.now() + timeoutMs, context.deadlineAt) };
    },
    interrupt: (context) => ({
      stateDeadlineAt: clock.now() + (toolOf(context)?.tool.graceMs ?? limits.graceMs),
    }),
    beginBackoff(context) {
      const retry = toolOf(context)?.tool.retry ?? { maxAttempts: 1 };
      if (context.trace.at(-1)?.state === "backingOff") return {};
      const delay = backoffMs(retry, context, context.retried.at(-1) ?? {});
      return { stateDeadlineAt: clock.now() + delay };
    },
    toFailure: failureOfAttempt,
    mayRetry({ context, event }) {
      const registered = toolOf(context);
      if (registered === undefined || event.type !== "xstate.done.actor.attempt") return false;
      // What finished in its grace period is delivered, not done again.
      if (event.output.status === "returned") return false;
      const failure = context.failure ?? failureOfAttempt(context, event.output);
      return mayRetry(registered.tool, context, failure, clock.now());
    },
    mayRunAgain({ context }) {
      const tool = toolOf(context)?.tool;
      return tool !== undefined && mayRunAgain(tool, context, clock.now());
    },
  };
}

function toAttemptFailure(name: string, outcome: RawOutcome): ToolFailure {
  if (outcome.status !== "threw") {
    return failureOf("tool_error", `"${name}" stopped by itself without a result.`);
  }
  const { error } = outcome;
  const retryable = isTransient(error);
  return failureOf("tool_error", `"${name}" failed: ${error.message}`, {
    executed: error.executed ?? "yes",
    handledBy: retryable ? "system" : "model",
    ...(retryable ? { retryable } : {}),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    cause: error,
  });
}

function normalizeWork(
  { limits, clock }: Binding,
  toolOf: ToolOf,
  pending: WeakMap<object, PromiseLike<NormalizedResult>>,
): Pick<StageWork, "normalize" | "finishNormalize"> {
  const toInput = (context: ToolCallContext): NormalizeInput => {
    const tool = toolOf(context);
    return {
      call: resolvedCallOf(context),
      ...(tool === undefined ? {} : { tool }),
      ...(context.arguments === null ? {} : { arguments: context.arguments }),
      ...(context.outcome === null ? {} : { outcome: context.outcome }),
      ...(context.failure === null ? {} : { failure: context.failure }),
    };
  };
  // The outcome is dropped as soon as its result is there: a large one should not be kept twice.
  const done = (normalized: NormalizedResult): Patch => ({
    normalized,
    outcome: null,
    pending: "no",
  });
  return {
    normalize(context, key) {
      const answer = normalize(toInput(context));
      if (!(answer instanceof Promise)) return done(answer);
      pending.set(key, answer);
      return { pending: "begin", stateDeadlineAt: clock.now() + limits.normalizerTimeoutMs };
    },
    finishNormalize(context, settled) {
      if (settled === "timeout") {
        const late = new Error(`it did not finish within ${limits.normalizerTimeoutMs} ms`);
        return done(normalizeFailed(toInput(context), late));
      }
      return done(
        settled.status === "fulfilled"
          ? settled.value
          : normalizeFailed(toInput(context), settled.error),
      );
    },
  };
}

function toLate(context: ToolCallContext, outcome: RawOutcome, now: number): TraceRecord {
  return {
    type: "late",
    version: 1,
    executionId: context.executionId,
    callId: context.call.id,
    toolName: toolNameOf(context),
    attempt: context.attempt,
    at: Math.round((now - context.startedAt) * 1000) / 1000,
    outcome,
  };
}
