import type { RawOutcome, ToolFailure } from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";
import { cut } from "./cut.ts";
import type { Reading } from "./input.ts";
import { readReportedFailure } from "./reported-failure.ts";
import { toSentence } from "./text.ts";

const MESSAGE_CHARS = 10_000;
const FAULTS_TOLD = 5;

/**
 * Why an outcome is a failure, though nobody said so yet; `undefined` when it is none. A returned value fails by the
 * tool's own verdict, by its exit code or signal, by what it reports, or by its output schema, in this order; text on
 * stderr never makes a failure.
 */
export function judge(reading: Reading, outcome: RawOutcome): ToolFailure | undefined {
  const why = unsuccessful(outcome) ?? reported(reading, outcome);
  if (why === undefined) return faulty(reading, outcome);
  const message = toSentence(cut(`"${reading.call.name}" failed: ${why}`, MESSAGE_CHARS).text);
  return failureOf("tool_error", message, {
    ...(outcome.status === "threw" ? { cause: outcome.error } : {}),
  });
}

/** What an attempt says itself. Blank words of the tool are no words. */
function unsuccessful(outcome: RawOutcome): string | undefined {
  if (outcome.status === "threw") return outcome.error.message;
  if (outcome.status === "interrupted") return "it was stopped and gave no result";
  const { success, errorText = "", signal, exitCode } = outcome;
  if (success === true) return undefined;
  const exit =
    typeof signal === "string"
      ? `it was ended by ${signal}`
      : typeof exitCode === "number" && exitCode !== 0
        ? `it exited with code ${exitCode}`
        : undefined;
  if (success === undefined && exit === undefined) return undefined;
  return errorText.trim() === "" ? (exit ?? UNTOLD) : errorText;
}

const UNTOLD = "it reported that it did not succeed, and not why";

function reported({ mcp }: Reading, { success, value }: RawOutcome): string | undefined {
  if (success === true) return undefined;
  const words =
    mcp === undefined ? readReportedFailure(value) : mcp.isError ? mcp.output : undefined;
  return words?.trim() === "" ? UNTOLD : words;
}

function faulty({ call, tool, mcp }: Reading, { value }: RawOutcome): ToolFailure | undefined {
  const faults = tool?.checkOutput?.(mcp?.structured ?? value ?? null) ?? [];
  if (faults.length === 0) return undefined;
  const told = faults.slice(0, FAULTS_TOLD).map(({ message }) => message);
  const message = `"${call.name}" ran, but what it returned breaks its own output schema: ${told.join("; ")}`;
  return failureOf("invalid_output", toSentence(message), { faults });
}
