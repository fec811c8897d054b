import type {
  Json,
  NormalizedResult,
  RawOutcome,
  TakenCall,
  ToolFailure,
} from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";
import { toErrorFacts } from "../error-facts.ts";
import { clonePlain } from "../plain.ts";
import type { RegisteredTool } from "../registry.ts";
import { type McpResult, readMcpResult } from "./mcp.ts";
import { cut, lastLines, toText } from "./text.ts";

/** How a call ended, before it becomes a result. */
export interface NormalizeInput {
  readonly tool?: Pick<RegisteredTool, "tool" | "checkOutput">;
  readonly call: TakenCall;
  readonly arguments?: Json;
  /** What the last attempt came to. Absent: the tool was not run, or never settled. */
  readonly outcome?: RawOutcome;
  /** Why the call failed, as far as that is known before the outcome is looked at. */
  readonly failure?: ToolFailure;
}

const OUTPUT_CHARS = 50_000;
const STDERR_CHARS = 20_000;

/**
 * Whatever happened as one result shape. Total: it never throws and never rejects. It is a promise only when the tool's
 * own normalizer is asynchronous.
 */
export function normalize(input: NormalizeInput): NormalizedResult | Promise<NormalizedResult> {
  const { outcome, failure, tool } = input;
  if (failure !== undefined) return failed(input, failure);
  if (outcome === undefined) {
    return failed(input, failureOf("internal", "The call ended without an outcome."));
  }
  const mcp = readMcpResult(outcome.value);
  const judged = judge(input, outcome, mcp);
  if (judged !== undefined) return failed(input, judged);
  const own = tool?.tool.normalize;
  if (own === undefined || outcome.value === undefined || outcome.output !== undefined) {
    return succeeded(input, outcome.output ?? mcp?.output ?? toText(outcome.value));
  }
  try {
    const text = own(clonePlain(outcome.value), {
      callId: input.call.id,
      toolName: input.call.name,
      arguments: clonePlain(input.arguments ?? null),
    });
    if (typeof text === "string") return succeeded(input, text);
    return Promise.resolve(text).then(
      (settled) => withOwnText(input, settled),
      (thrown: unknown) => normalizeFailed(input, thrown),
    );
  } catch (thrown) {
    return normalizeFailed(input, thrown);
  }
}

/** What a call becomes whose tool's own normalizer threw or did not answer: failed, and nothing of the output is lost. */
export function normalizeFailed(input: NormalizeInput, thrown: unknown): NormalizedResult {
  const cause = toErrorFacts(thrown);
  const message =
    `"${input.call.name}" ran, but its result could not be put into words: ${cause.message}. ` +
    "What it returned follows as it is.";
  return failed(input, failureOf("normalize_failed", message, { cause }));
}

function withOwnText(input: NormalizeInput, text: unknown): NormalizedResult {
  return typeof text === "string"
    ? succeeded(input, text)
    : normalizeFailed(input, new TypeError(`its normalizer gave ${typeof text}, not a text`));
}

/** A returned value may still be a failure: by the tool's own verdict, its exit code, or its output schema. */
function judge(
  { call, tool }: NormalizeInput,
  outcome: RawOutcome,
  mcp: McpResult | undefined,
): ToolFailure | undefined {
  const { exitCode, signal } = outcome;
  if (mcp?.isError === true) {
    return failureOf("tool_error", `"${call.name}" failed: ${mcp.output}`);
  }
  if (outcome.success === false || (outcome.success === undefined && isBadExit(outcome))) {
    const why =
      outcome.errorText ??
      (typeof signal === "string"
        ? `it was ended by ${signal}`
        : typeof exitCode === "number" && exitCode !== 0
          ? `it exited with code ${exitCode}`
          : "it reported that it did not succeed");
    return failureOf("tool_error", `"${call.name}" failed: ${why}.`.replace(/\.\.$/, "."));
  }
  const faults = tool?.checkOutput?.(mcp?.structured ?? outcome.value ?? null) ?? [];
  if (faults.length === 0) return undefined;
  const told = faults.slice(0, 5).map(({ message }) => message);
  const message = `"${call.name}" ran, but what it returned breaks its own output schema: ${told.join("; ")}.`;
  return failureOf("invalid_output", message, { faults });
}

function isBadExit({ exitCode, signal }: RawOutcome): boolean {
  return (typeof exitCode === "number" && exitCode !== 0) || typeof signal === "string";
}

function succeeded(input: NormalizeInput, text: string): NormalizedResult {
  const stderr = input.outcome?.stderr ?? "";
  const digest = stderr.trim() === "" ? "" : `\n[stderr]\n${lastLines(stderr)}`;
  const limit = input.tool?.tool.limits?.outputChars ?? OUTPUT_CHARS;
  const { text: output, truncated } = cut(text.toWellFormed(), limit);
  return {
    success: true,
    output: `${output}${digest.toWellFormed()}`,
    metadata: { ...channels(input), ...(truncated === undefined ? {} : { truncated }) },
  };
}

function failed(input: NormalizeInput, given: ToolFailure): NormalizedResult {
  const { outcome, tool } = input;
  const stderr = outcome?.stderr ?? "";
  const digest = stderr.trim() === "" ? "" : `\n[stderr]\n${lastLines(stderr)}`;
  const failure = { ...given, message: given.message.toWellFormed() };
  const partial = partialOutput(outcome);
  const limit = tool?.tool.limits?.outputChars ?? OUTPUT_CHARS;
  const kept = partial === undefined ? undefined : cut(partial.toWellFormed(), limit);
  return {
    success: false,
    ...(kept === undefined ? {} : { output: kept.text }),
    error: cut(`${failure.message}${digest.toWellFormed()}`, limit).text,
    failure,
    metadata: {
      ...channels(input),
      ...(kept?.truncated === undefined ? {} : { truncated: kept.truncated }),
    },
  };
}

function partialOutput(outcome: RawOutcome | undefined): string | undefined {
  if (outcome === undefined) return undefined;
  if (outcome.output !== undefined && outcome.output !== "") return outcome.output;
  if (outcome.value === undefined || outcome.value === null) return undefined;
  const mcp = readMcpResult(outcome.value);
  return mcp === undefined ? toText(outcome.value) : mcp.isError ? undefined : mcp.output;
}

function channels({ outcome, tool }: NormalizeInput): NormalizedResult["metadata"] {
  if (outcome === undefined) return {};
  const structured = readMcpResult(outcome.value)?.structured ?? outcome.value;
  const stderrLimit = tool?.tool.limits?.stderrChars ?? STDERR_CHARS;
  return {
    ...(structured === undefined ? {} : { structured }),
    ...(outcome.losses === undefined ? {} : { losses: outcome.losses }),
    ...(outcome.stderr === undefined || outcome.stderr === ""
      ? {}
      : { stderr: cut(outcome.stderr.toWellFormed(), stderrLimit).text }),
    ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
    ...(outcome.signal === undefined ? {} : { signal: outcome.signal }),
    ...(outcome.metadata === undefined ? {} : { tool: outcome.metadata }),
    ...(outcome.shownMetadata === undefined ? {} : { shown: outcome.shownMetadata }),
  };
}
