import type { NormalizedResult, RawOutcome, TakenCall, ToolResult } from "../../machines/index.ts";
import { type NormalizeInput, normalize } from "../../src/normalize/index.ts";

/** The call that is normalized where it does not matter which. */
export const CALL: TakenCall = { id: "c1", name: "t", arguments: { a: 1 } };

/** Normalizes without a tool, or with one whose normalizer is synchronous. Fails when the answer is a promise. */
export function normalizeNow(input: Partial<NormalizeInput>): NormalizedResult {
  const normalized = normalize({ call: CALL, ...input });
  if (normalized instanceof Promise) throw new Error("A promise was given.");
  return normalized;
}

/** Normalizes what a tool returned. */
export function normalizeReturned(
  channels: Omit<RawOutcome & { status: "returned" }, "status">,
): NormalizedResult {
  return normalizeNow({ outcome: { status: "returned", ...channels } });
}

/** A normalized result as the result of a call. */
export function toResult(
  normalized: NormalizedResult,
  metadata: Partial<ToolResult["metadata"]> = {},
): ToolResult {
  return {
    ...normalized,
    callId: CALL.id,
    toolName: CALL.name,
    latencyMs: 1,
    metadata: {
      executionId: "x1",
      startedAt: 0,
      stages: [],
      trace: [],
      attempts: 1,
      timings: {},
      humanWaitMs: 0,
      ...normalized.metadata,
      ...metadata,
    },
  };
}
