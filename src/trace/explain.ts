import type { CallRecord, CallTrace, TraceStep } from "../../machines/index.ts";

/** What it means that a guard decided. A test compares this with the guards of the chart, both ways. */
export const GUARD_PHRASES: Readonly<Record<string, string>> = {
  argumentsAreValid: "the tool is known and the arguments fit its schema",
  callIsInvalid: "the call cannot be used as it is",
  isDenied: "permission was denied",
  needsApproval: "a person must approve it first",
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
};

/** What happened, for entries that no guard decided (the event says it all), and as the cause of others. */
export const EVENT_PHRASES: Readonly<Record<string, string>> = {
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
};

/**
 * Tells in words why a call went where it went, one line for each state. Given a record, it begins with the call and ends
 * with the outcome.
 */
export function explain(subject: CallTrace | CallRecord): string {
  if ("result" in subject) return explainRecord(subject);
  return subject.map((step, at) => explainStep(step, subject[at - 1])).join("\n");
}

function explainRecord({ call, result, executionId }: CallRecord): string {
  const { failure, metadata } = result;
  const wait = metadata.humanWaitMs > 0 ? `, of which ${metadata.humanWaitMs} ms for a person` : "";
  const outcome =
    failure === undefined
      ? "It succeeded"
      : `It failed with ${failure.code} (executed: ${failure.executed}; to be mended by: ${failure.handledBy})`;
  const reason = failure === undefined ? [] : [failure.message];
  return [
    `${call.name} (call ${call.id}, execution ${executionId})`,
    explain(metadata.trace),
    `${outcome} after ${result.latencyMs} ms${wait}, in ${metadata.attempts} attempt${metadata.attempts === 1 ? "" : "s"}.`,
    ...reason,
  ].join("\n");
}

function explainStep(step: TraceStep, from: TraceStep | undefined): string {
  const at = `+${step.enteredAt.toFixed(3)} ms`.padStart(14);
  const state = step.state === "executing" ? `executing (attempt ${step.attempt})` : step.state;
  const move = from === undefined ? state : `${from.state} → ${state}`;
  return `${at}  ${move}: ${because(step, from)}`;
}

function because(step: TraceStep, from: TraceStep | undefined): string {
  const happened = EVENT_PHRASES[step.event] ?? step.event;
  if (step.guard !== undefined) {
    const decided = GUARD_PHRASES[step.guard] ?? step.guard;
    // Of several steps in a row with one cause, the first tells it.
    return from?.event === step.event || PLAIN_CAUSES.has(step.event)
      ? decided
      : `${happened}; ${decided}`;
  }
  if (step.state === "failed") return "the call did not succeed";
  return happened;
}

/** Causes that say less than the guard they led to. */
const PLAIN_CAUSES: ReadonlySet<string> = new Set(["call.received", "call.start", "attempt.done"]);
