import type { NormalizedResult } from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";
import { toErrorFacts } from "../error-facts.ts";
import { clonePlain } from "../plain.ts";
import type { Tool } from "../tool.ts";
import { type NormalizeInput, type Reading, read } from "./input.ts";
import { judge } from "./judge.ts";
import type { McpResult } from "./mcp.ts";
import { toFailed, toSuccess } from "./result.ts";
import { NOTHING_RETURNED, toSentence, toText } from "./text.ts";

export type { NormalizeInput } from "./input.ts";

/**
 * Whatever happened as one result shape. Total: it never throws and never rejects. It is a promise only when the tool's
 * own normalizer is asynchronous.
 */
export function normalize(input: NormalizeInput): NormalizedResult | Promise<NormalizedResult> {
  const reading = read(input);
  const { outcome, failure, tool, mcp } = reading;
  if (failure !== undefined) return toFailed(reading, failure);
  if (outcome === undefined) {
    return toFailed(reading, failureOf("internal", "The call ended without an outcome."));
  }
  const judged = judge(reading, outcome);
  if (judged !== undefined) return toFailed(reading, judged);
  if (outcome.output !== undefined) return toSuccess(reading, outcome.output);
  const own = tool?.tool.normalize;
  return own === undefined || outcome.value === undefined
    ? toSuccess(reading, mcp === undefined ? toText(outcome.value) : toMcpText(mcp))
    : normalizeBy(own, reading);
}

/** What a call becomes whose tool's own normalizer threw or did not answer: failed, and nothing of the output is lost. */
export function normalizeFailed(input: NormalizeInput, thrown: unknown): NormalizedResult {
  return toUnworded(read(input), thrown);
}

function toUnworded(reading: Reading, thrown: unknown): NormalizedResult {
  const cause = toErrorFacts(thrown);
  const ran = `"${reading.call.name}" ran, but its result could not be put into words: ${cause.message}`;
  const message = `${toSentence(ran)} What it returned follows as it is.`;
  return toFailed(reading, failureOf("normalize_failed", message, { cause }));
}

/** A part with an empty text is an empty text; no parts at all are nothing. */
function toMcpText({ output, parts }: McpResult): string {
  return parts === 0 ? NOTHING_RETURNED : output;
}

/** Runs code of the tool's author. It gets copies, so that what it does to them stays with it. */
function normalizeBy(
  own: NonNullable<Tool["normalize"]>,
  reading: Reading,
): NormalizedResult | Promise<NormalizedResult> {
  const failed = (thrown: unknown): NormalizedResult => toUnworded(reading, thrown);
  try {
    const text: unknown = own(clonePlain(reading.outcome?.value ?? null), {
      callId: reading.call.id,
      toolName: reading.call.name,
      arguments: clonePlain(reading.arguments ?? null),
    });
    if (typeof text === "string") return toSuccess(reading, text);
    return Promise.resolve(text).then((settled) => toOwn(reading, settled), failed);
  } catch (thrown) {
    return failed(thrown);
  }
}

function toOwn(reading: Reading, text: unknown): NormalizedResult {
  return typeof text === "string"
    ? toSuccess(reading, text)
    : toUnworded(reading, new TypeError(`its normalizer gave ${nameType(text)}, not a text`));
}

function nameType(value: unknown): string {
  return value === null ? "null" : typeof value;
}
