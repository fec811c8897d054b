import type { ErrorFacts, Executed } from "../machines/index.ts";
import { toPlain } from "./plain.ts";

const MAX_CAUSES = 5;
const MAX_MESSAGE_CHARS = 10_000;

/**
 * Anything thrown, as data. Total: it never throws, whatever was thrown. Errors keep name, message, code, stack and up to
 * five causes, and what a `ToolError` says besides; texts become the message; everything else its JSON.
 */
export function toErrorFacts(thrown: unknown): ErrorFacts {
  return facts(thrown, MAX_CAUSES);
}

function facts(thrown: unknown, causesLeft: number): ErrorFacts {
  if (typeof thrown === "string") return { name: "Error", message: text(thrown) };
  if (typeof thrown !== "object" || thrown === null) {
    return { name: "Error", message: text(`something that is no Error was thrown: ${String(thrown)}`) };
  }
  const message = read(thrown, "message");
  if (typeof message !== "string") return { name: "Error", message: describe(thrown) };
  const name = read(thrown, "name");
  const code = read(thrown, "code");
  const stack = read(thrown, "stack");
  const cause = read(thrown, "cause");
  return {
    name: typeof name === "string" && name !== "" ? text(name) : "Error",
    message: text(message) + inner(read(thrown, "errors")),
    ...(typeof code === "string" || typeof code === "number" ? { code: text(String(code)) } : {}),
    ...(typeof stack === "string" ? { stack: text(stack) } : {}),
    ...(cause === undefined || cause === thrown || causesLeft === 0
      ? {}
      : { cause: facts(cause, causesLeft - 1) }),
    ...said(thrown),
  };
}

/** What a thrower says for the executor; see `ToolError`. */
function said(thrown: object): Partial<ErrorFacts> {
  const retryable = read(thrown, "retryable");
  const executed = read(thrown, "executed");
  const retryAfterMs = read(thrown, "retryAfterMs");
  const data = read(thrown, "data");
  return {
    ...(typeof retryable === "boolean" ? { retryable } : {}),
    ...(isExecuted(executed) ? { executed } : {}),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && Number.isFinite(retryAfterMs)
      ? { retryAfterMs }
      : {}),
    ...(data === undefined ? {} : { data: toPlain(data).value ?? null }),
  };
}

/** An AggregateError's own message says little: the first of its errors are added. */
function inner(errors: unknown): string {
  if (!Array.isArray(errors) || errors.length === 0) return "";
  const shown = errors.slice(0, 3).map((error) => facts(error, 0).message);
  const more = errors.length > 3 ? `; and ${errors.length - 3} more` : "";
  return ` (${shown.join("; ")}${more})`;
}

function describe(thrown: object): string {
  const { value } = toPlain(thrown, { maxDepth: 3, maxNodes: 100, maxStringChars: 1000 });
  return text(`something that is no Error was thrown: ${JSON.stringify(value)}`);
}

function isExecuted(value: unknown): value is Executed {
  return value === "no" || value === "yes" || value === "unknown";
}

function read(thrown: object, key: string): unknown {
  try {
    return (thrown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function text(value: string): string {
  return value.slice(0, MAX_MESSAGE_CHARS).toWellFormed();
}
