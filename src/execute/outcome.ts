import type { ErrorFacts, Json, RawChannels, RawOutcome } from "../../machines/index.ts";
import { toErrorFacts } from "../error-facts.ts";
import { toPlain } from "../plain.ts";
import { isToolOutput, type ToolOutput } from "../tool.ts";

/** What a tool returned, as data: its channels kept apart. Total over any value. */
export function toReturned(returned: unknown): RawOutcome {
  const output = readToolOutput(returned);
  if (output === undefined) {
    const { value, losses } = toPlain(returned);
    return {
      status: "returned",
      ...(value === undefined ? {} : { value }),
      ...(losses.length === 0 ? {} : { losses }),
    };
  }
  return { status: "returned", ...toChannels(output) };
}

/** What a tool threw, as data. Total over any value. */
export function toThrew(thrown: unknown): RawOutcome {
  return { status: "threw", error: toErrorFacts(thrown) };
}

function readToolOutput(returned: unknown): ToolOutput | undefined {
  try {
    return isToolOutput(returned) ? returned : undefined;
  } catch {
    return undefined;
  }
}

/** A tool may have put anything into its channels, whatever their types say. */
function toChannels(output: ToolOutput): RawChannels {
  const structured = toPlain(output.structured);
  const metadata = toPlain(output.metadata).value;
  return {
    ...(structured.value === undefined ? {} : { value: structured.value }),
    ...(structured.losses.length === 0 ? {} : { losses: structured.losses }),
    ...named("output", output.output),
    ...named("stderr", output.stderr),
    ...named("errorText", output.error),
    ...named("signal", output.signal),
    ...(typeof output.exitCode === "number" ? { exitCode: output.exitCode } : {}),
    ...(typeof output.success === "boolean" ? { success: output.success } : {}),
    ...(isObject(metadata) ? { metadata } : {}),
    ...(Array.isArray(output.shownMetadata)
      ? { shownMetadata: output.shownMetadata.filter((name) => typeof name === "string") }
      : {}),
  };
}

type TextChannel = "output" | "stderr" | "errorText" | "signal";

function named(channel: TextChannel, given: unknown): { readonly [key in TextChannel]?: string } {
  if (given === undefined || given === null) return {};
  return { [channel]: typeof given === "string" ? given : String(toPlain(given).value) };
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an attempt that ended like this may succeed later without any change. */
export function isTransient(error: ErrorFacts): boolean {
  if (error.retryable !== undefined || error.retryAfterMs !== undefined) {
    return error.retryable ?? true;
  }
  return error.code !== undefined && TRANSIENT_CODES.has(error.code);
}

/** Codes of Node (https://nodejs.org/api/errors.html) and undici that say: the network, not the request. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
]);
