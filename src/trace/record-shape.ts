import type { CallRecord, LateRecord } from "../../machines/index.ts";

/** Is this an object, rather than a list or a single value? */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Has this all that readers of a call rely on? Names of states, events and codes may be new ones. */
export function isCall(
  record: Record<string, unknown>,
): record is Record<string, unknown> & CallRecord {
  const { type, call, result, context, executionId } = record;
  return (
    type === "call" &&
    typeof executionId === "string" &&
    isObject(context) &&
    isObject(call) &&
    hasTexts(call, "id", "name") &&
    "arguments" in call &&
    isObject(result) &&
    isResult(result)
  );
}

/** Has this all that readers of a late outcome rely on? */
export function isLate(
  record: Record<string, unknown>,
): record is Record<string, unknown> & LateRecord {
  const { type, outcome } = record;
  return (
    type === "late" &&
    hasTexts(record, "executionId", "callId", "toolName") &&
    hasNumbers(record, "attempt", "at") &&
    isObject(outcome) &&
    (outcome["status"] === "returned" ||
      outcome["status"] === "interrupted" ||
      (outcome["status"] === "threw" &&
        isObject(outcome["error"]) &&
        hasTexts(outcome["error"], "name", "message")))
  );
}

function isResult(result: Record<string, unknown>): boolean {
  const { success, output, error, failure, metadata } = result;
  return (
    typeof success === "boolean" &&
    hasTexts(result, "callId", "toolName") &&
    hasNumbers(result, "latencyMs") &&
    isTextOrAbsent(output) &&
    isTextOrAbsent(error) &&
    (success ? failure === undefined : isFailure(failure)) &&
    isObject(metadata) &&
    isMetadata(metadata)
  );
}

function isFailure(failure: unknown): boolean {
  return (
    isObject(failure) &&
    hasTexts(failure, "code", "stage", "executed", "handledBy", "message") &&
    isListOrAbsent(
      failure["faults"],
      (fault) => isObject(fault) && hasTexts(fault, "path", "keyword", "message"),
    ) &&
    isListOrAbsent(failure["nearest"], isText)
  );
}

function isMetadata(metadata: Record<string, unknown>): boolean {
  const { stages, trace, timings, tool, shown, decision, approval, retried } = metadata;
  return (
    hasTexts(metadata, "executionId") &&
    hasNumbers(metadata, "startedAt", "attempts", "humanWaitMs") &&
    isList(stages, isText) &&
    isList(trace, isStep) &&
    isObject(timings) &&
    Object.values(timings).every((ms) => typeof ms === "number") &&
    isObjectOrAbsent(tool) &&
    isObjectOrAbsent(decision) &&
    isObjectOrAbsent(approval) &&
    isListOrAbsent(shown, isText) &&
    isListOrAbsent(retried, isFailure)
  );
}

function isStep(step: unknown): boolean {
  return (
    isObject(step) &&
    hasTexts(step, "state", "event") &&
    hasNumbers(step, "enteredAt", "attempt") &&
    (step["leftAt"] === undefined || typeof step["leftAt"] === "number") &&
    isTextOrAbsent(step["guard"])
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isListOrAbsent(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || isList(value, isItem);
}

function hasTexts(holder: Record<string, unknown>, ...names: readonly string[]): boolean {
  return names.every((name) => typeof holder[name] === "string");
}

function hasNumbers(holder: Record<string, unknown>, ...names: readonly string[]): boolean {
  return names.every((name) => typeof holder[name] === "number");
}
