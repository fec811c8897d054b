import type { NormalizedResult, ToolFailure } from "../../machines/index.ts";
import { cut, lastLines } from "./cut.ts";
import type { Reading } from "./input.ts";
import { toText } from "./text.ts";

const OUTPUT_CHARS = 50_000;
const STDERR_CHARS = 20_000;

/** The result of a call that succeeded with this text. The end of stderr follows it, on top of the limit. */
export function toSuccess(reading: Reading, text: string): NormalizedResult {
  const { text: output, truncated } = cut(text, outputChars(reading));
  return {
    success: true,
    output: `${output}${toDigest(reading)}`,
    metadata: { ...toChannels(reading), ...(truncated === undefined ? {} : { truncated }) },
  };
}

/** The result of a call that failed. What there is of output is kept beside the error. */
export function toFailed(reading: Reading, given: ToolFailure): NormalizedResult {
  const limit = outputChars(reading);
  const failure = { ...given, message: given.message.toWellFormed() };
  const partial = toPartial(reading);
  const kept = partial === undefined ? undefined : cut(partial, limit);
  return {
    success: false,
    ...(kept === undefined ? {} : { output: kept.text }),
    error: cut(`${failure.message}${toDigest(reading)}`, limit).text,
    failure,
    metadata: {
      ...toChannels(reading),
      ...(kept?.truncated === undefined ? {} : { truncated: kept.truncated }),
    },
  };
}

function outputChars({ tool }: Reading): number {
  return tool?.tool.limits?.outputChars ?? OUTPUT_CHARS;
}

function toDigest({ outcome }: Reading): string {
  const lines = lastLines(outcome?.stderr ?? "");
  return lines === "" ? "" : `\n[stderr]\n${lines}`;
}

/** Output of a call that failed. An MCP error's text is the error already. */
function toPartial({ outcome, mcp }: Reading): string | undefined {
  if (outcome === undefined) return undefined;
  if (outcome.output !== undefined && outcome.output !== "") return outcome.output;
  if (outcome.value === undefined || outcome.value === null) return undefined;
  if (mcp === undefined) return toText(outcome.value);
  return mcp.isError ? undefined : mcp.output;
}

/** What is kept for the system of each channel. */
function toChannels({ outcome, tool, mcp }: Reading): NormalizedResult["metadata"] {
  if (outcome === undefined) return {};
  const { value, losses, stderr = "", exitCode, signal, metadata, shownMetadata } = outcome;
  const structured = mcp?.structured ?? value;
  const stderrChars = tool?.tool.limits?.stderrChars ?? STDERR_CHARS;
  return {
    ...(structured === undefined ? {} : { structured }),
    ...(losses === undefined ? {} : { losses }),
    ...(stderr === "" ? {} : { stderr: cut(stderr, stderrChars).text }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(metadata === undefined ? {} : { tool: metadata }),
    ...(shownMetadata === undefined ? {} : { shown: shownMetadata }),
  };
}
