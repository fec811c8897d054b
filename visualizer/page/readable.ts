import type { PageData } from "./calls.ts";

/**
 * Keeps the records that can be shown at all, and adds what is wrong with the others to the problems: a damaged one must
 * not take the page from the rest. Parts that are merely odd stay; they are shown as they are.
 */
export function keepReadable(data: PageData): PageData {
  const faults = data.records.map(faultOf);
  const found = faults.flatMap((fault, index) =>
    fault === undefined ? [] : [`record ${index + 1} cannot be shown: ${fault}`],
  );
  return {
    ...data,
    records: data.records.filter((_, index) => faults[index] === undefined),
    lates: data.lates.filter((late) => isFields(late)),
    problems: [...data.problems, ...found],
  };
}

function faultOf(record: unknown): string | undefined {
  if (!isFields(record)) return "it is no object";
  const { executionId, call, result } = record;
  if (typeof executionId !== "string") return "executionId is no text";
  if (!isFields(call)) return "call is no object";
  if (typeof call["id"] !== "string") return "call.id is no text";
  if (typeof call["name"] !== "string") return "call.name is no text";
  if (!isFields(result)) return "result is no object";
  return faultOfResult(result);
}

function faultOfResult({ metadata, failure }: Fields): string | undefined {
  if (failure !== undefined && !(isFields(failure) && typeof failure["code"] === "string"))
    return "result.failure has no code";
  if (!isFields(metadata)) return "result.metadata is no object";
  const { trace } = metadata;
  if (!Array.isArray(trace)) return "result.metadata.trace is no list";
  const bad = trace.findIndex((step: unknown) => !isStep(step));
  return bad < 0 ? undefined : `result.metadata.trace[${bad}] is no step`;
}

function isStep(step: unknown): boolean {
  return isFields(step) && typeof step["state"] === "string" && typeof step["event"] === "string";
}

interface Fields {
  readonly [name: string]: unknown;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
