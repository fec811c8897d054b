import type { CallRecord, CallTrace, ToolMetadata, TraceStep } from "../../machines/index.ts";

/** What it means that a guard decided. A test compares this with the guards of the chart, both ways. */
export const GUARD_PHRASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    argumentsAreValid: "the tool is known and the arguments fit its schema",
    callIsInvalid: "the call cannot be used as it is",
    isDenied: "permission was denied",
    needsApproval: "the policy asks for a person",
    isAuthorized: "nothing forbids it",
    policyIsAsynchronous: "the policy takes its time",
    argumentsAreEdited: "it was approved with other arguments, which are checked again",
    hasSlot: "there is a free slot",
    slotIsAwaited: "there is no free slot",
    isRefused: "it may not run here and now",
    attemptReturned: "the tool returned",
    mayRetry: "the attempt failed in a way that may pass, and may be made again",
    mayRunAgain: "the process was lost while the tool ran, and the tool may be run again",
    isNormalized: "the result is made",
    normalizerIsAsynchronous: "the tool's own normalizer takes its time",
    isSuccess: "the call succeeded",
  }),
);

/** What happened, for entries that no guard decided (the event says it all), and as the cause of others. */
export const EVENT_PHRASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "call.received": "the call arrived",
    "call.start": "the call began",
    "call.resume": "the call was restored",
    "call.approve": "a person approved it",
    "call.deny": "a person refused it",
    "call.cancel": "it was cancelled",
    "slot.granted": "a slot became free",
    "attempt.done": "the attempt ended without success",
    "decision.done": "the policy answered",
    "normalizer.done": "the normalizer answered",
    "queue.timeout": "no slot became free in time",
    "policy.timeout": "the policy did not answer in time",
    "normalizer.timeout": "the normalizer did not answer in time",
    "after.approvalTimeout": "nobody answered in time",
    "after.executionTimeout": "the tool did not finish in time",
    "after.grace": "the tool did not stop when it was told to",
    "after.backoff": "the backoff is over",
  }),
);

/** Causes that say less than the guard they led to. */
const PLAIN_CAUSES: ReadonlySet<string> = new Set(["call.received", "call.start", "attempt.done"]);

const MAX_QUOTED_CHARS = 200;

/**
 * Tells in words why a call went where it went, one line for each state. Given a record, it begins with the call, says what
 * policy, person and tool gave as their reasons, and ends with the outcome. Names that are not known are told as they are.
 */
export function explain(subject: CallTrace | CallRecord): string {
  return "result" in subject ? explainRecord(subject) : explainTrace(subject);
}

function explainTrace(trace: CallTrace, metadata?: ToolMetadata): string {
  return trace
    .map((step, at) => explainStep(step, trace[at - 1], toNote(step, trace[at - 1], metadata)))
    .join("\n");
}

function explainRecord({ call, result, executionId }: CallRecord): string {
  const { failure, metadata, latencyMs, toolName } = result;
  const wait = metadata.humanWaitMs > 0 ? `, of which ${metadata.humanWaitMs} ms for a person` : "";
  const attempts = `${metadata.attempts} attempt${metadata.attempts === 1 ? "" : "s"}`;
  const outcome =
    failure === undefined
      ? "It succeeded"
      : `It failed with ${failure.code} (executed: ${failure.executed}; to be mended by: ${failure.handledBy})`;
  return [
    `${toolName} (call ${call.id}, execution ${executionId})`,
    explainTrace(metadata.trace, metadata),
    `${outcome} after ${latencyMs} ms${wait}, in ${attempts}.`,
    ...(failure === undefined ? [] : [failure.message]),
  ].join("\n");
}

function explainStep(step: TraceStep, from: TraceStep | undefined, note: string): string {
  const at = `+${step.enteredAt.toFixed(3)} ms`.padStart(14);
  const state = step.state === "executing" ? `executing (attempt ${step.attempt})` : step.state;
  const move = from === undefined ? state : `${from.state} → ${state}`;
  return `${at}  ${move}: ${because(step, from)}${note}`;
}

function because({ event, guard, state }: TraceStep, from: TraceStep | undefined): string {
  const happened = EVENT_PHRASES.get(event) ?? event;
  if (guard !== undefined) {
    const decided = GUARD_PHRASES.get(guard) ?? guard;
    // Of several steps in a row with one cause, the first tells it.
    return from?.event === event || PLAIN_CAUSES.has(event) ? decided : `${happened}; ${decided}`;
  }
  if (state === "failed") return "the call did not succeed";
  // In its grace period a tool may also have finished.
  return event === "attempt.done" && from?.state === "interrupting"
    ? "the tool ended when it was told to stop"
    : happened;
}

/** The reasons of whoever decided for this step, in brackets. */
function toNote(
  { state, event, guard, attempt }: TraceStep,
  from: TraceStep | undefined,
  metadata: ToolMetadata | undefined,
): string {
  const { decision, approval, retried } = metadata ?? {};
  if (guard === "argumentsAreValid" || guard === "callIsInvalid") {
    return toBrackets(...howItWasRead(metadata));
  }
  if (guard === "needsApproval" || guard === "isDenied") {
    return toBrackets(
      decision?.rule === undefined ? "" : `rule ${decision.rule}`,
      decision?.reason,
    );
  }
  if (from?.state === "awaitingApproval" && (event === "call.approve" || event === "call.deny")) {
    return toBrackets(approval?.by === undefined ? "" : `by ${approval.by}`, approval?.reason);
  }
  return state === "backingOff" ? toBrackets(retried?.[attempt - 1]?.message) : "";
}

function howItWasRead({ calledAs, repairs = [] }: Partial<ToolMetadata> = {}): readonly string[] {
  return [
    ...(calledAs === undefined ? [] : [`it was called as ${JSON.stringify(calledAs)}`]),
    ...(repairs.length === 0
      ? []
      : [`mended: ${repairs.map(({ message }) => message).join(", ")}`]),
  ];
}

function toBrackets(...reasons: readonly (string | undefined)[]): string {
  const told = reasons.filter((reason) => reason !== undefined && reason !== "").join(": ");
  const line = told.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  return ` (${line.length <= MAX_QUOTED_CHARS ? line : `${line.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…`})`;
}
