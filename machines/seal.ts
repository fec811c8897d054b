import type {
  CallRecord,
  CallTrace,
  StateName,
  ToolFailure,
  ToolMetadata,
  ToolResult,
} from "./contract.ts";
import { RECORD_VERSION } from "./contract.ts";
import { failureOf } from "./failure.ts";
import { type ToolCallContext, toolNameOf } from "./tool-call-context.ts";

/** Milliseconds with microsecond digits. */
export function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Milliseconds spent in each state, summed over visits. States that were never left count 0. */
function timingsOf(trace: CallTrace): ToolMetadata["timings"] {
  const timings: { [state in StateName]?: number } = {};
  for (const { state, enteredAt, leftAt } of trace) {
    timings[state] = microseconds((timings[state] ?? 0) + ((leftAt ?? enteredAt) - enteredAt));
  }
  return timings;
}

/**
 * The final {@link ToolResult} of a call that has been normalized. `trace` must be complete. Pure and total: a context
 * without a normalized result gives `internal`.
 */
export function sealResult(context: ToolCallContext, trace: CallTrace): ToolResult {
  const normalized = context.normalized ?? {
    success: false,
    ...unnormalized(context.failure),
    metadata: {},
  };
  return {
    callId: context.call.id,
    toolName: toolNameOf(context),
    success: normalized.success,
    ...(normalized.output === undefined ? {} : { output: normalized.output }),
    ...(normalized.error === undefined ? {} : { error: normalized.error }),
    ...(normalized.failure === undefined ? {} : { failure: normalized.failure }),
    latencyMs: trace.at(-1)?.enteredAt ?? 0,
    metadata: {
      executionId: context.executionId,
      startedAt: context.startedAt,
      stages: trace.map((step) => step.state),
      trace,
      attempts: context.attempt,
      timings: timingsOf(trace),
      humanWaitMs: context.humanWaitMs,
      ...normalized.metadata,
      ...(toolNameOf(context) === context.call.name ? {} : { calledAs: context.call.name }),
      ...(context.repairs.length === 0 ? {} : { repairs: context.repairs }),
      ...(context.decision === null ? {} : { decision: context.decision }),
      ...(context.approval === null ? {} : { approval: context.approval }),
      ...(context.retried.length === 0 ? {} : { retried: context.retried }),
      ...(context.progressDropped === 0 ? {} : { progressDropped: context.progressDropped }),
    },
  };
}

function unnormalized(known: ToolFailure | null): { error: string; failure: ToolFailure } {
  const failure = known ?? failureOf("internal", "The call ended without a normalized result.");
  return { error: failure.message, failure };
}

/** Did the tool get the arguments as data that the model gave? */
function isAsGiven({ call, edited, repairs }: ToolCallContext): boolean {
  return typeof call.arguments === "object" && edited === null && repairs.length === 0;
}

/** The record of a sealed call, as trace sinks get it (before redaction). */
export function toCallRecord(context: ToolCallContext, result: ToolResult): CallRecord {
  return {
    type: "call",
    version: RECORD_VERSION,
    executionId: context.executionId,
    call: context.call,
    context: context.caller,
    ...(context.arguments === null || isAsGiven(context) ? {} : { arguments: context.arguments }),
    result,
  };
}
