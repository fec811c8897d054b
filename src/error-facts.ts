import type { ErrorFacts, Executed } from "../machines/index.ts";
import { readSafely } from "./exotic.ts";
import { toPlain } from "./plain.ts";

const MAX_CAUSES = 5;
const MAX_TEXT_CHARS = 10_000;
const MAX_INNER_ERRORS = 3;

/**
 * Anything thrown, as data. Total: it never throws, whatever was thrown. Errors keep name, message, code, stack and up to
 * five causes, and what a `ToolError` says besides; texts become the message; everything else its JSON. The message is
 * never empty. Texts are cut to 10 000 characters.
 */
export function toErrorFacts(thrown: unknown): ErrorFacts {
  return toFacts(thrown, MAX_CAUSES);
}

function toFacts(thrown: unknown, causesLeft: number): ErrorFacts {
  if (typeof thrown !== "object" || thrown === null) {
    return { name: "Error", message: describePrimitive(thrown) };
  }
  const name = toName(thrown);
  const code = readSafely(thrown, "code");
  const stack = readSafely(thrown, "stack");
  const cause = readSafely(thrown, "cause");
  return {
    name,
    message: toMessage(thrown, name, causesLeft),
    ...(typeof code === "string" || typeof code === "number"
      ? { code: bounded(String(code)) }
      : {}),
    ...(typeof stack === "string" ? { stack: bounded(stack) } : {}),
    ...(cause === undefined || cause === thrown || causesLeft === 0
      ? {}
      : { cause: toFacts(cause, causesLeft - 1) }),
    ...toSaid(thrown),
  };
}

function describePrimitive(thrown: unknown): string {
  if (typeof thrown === "string")
    return thrown === "" ? "an empty text was thrown" : bounded(thrown);
  // A function may be a revoked proxy, whose text cannot be asked for.
  const what = typeof thrown === "function" ? "a function" : String(thrown);
  return bounded(`something that is no Error was thrown: ${what}`);
}

function toName(thrown: object): string {
  const name = readSafely(thrown, "name");
  return typeof name === "string" && name !== "" ? bounded(name) : "Error";
}

function toMessage(thrown: object, name: string, causesLeft: number): string {
  const message = readSafely(thrown, "message");
  const inner = toInner(readSafely(thrown, "errors"), causesLeft);
  if (typeof message !== "string") return describeObject(thrown);
  return bounded(message === "" ? `${name} without a message${inner}` : `${message}${inner}`);
}

/** An AggregateError's own message says little: the first of its errors are added. */
function toInner(errors: unknown, causesLeft: number): string {
  if (causesLeft === 0) return "";
  const list = toList(errors);
  if (list.length === 0) return "";
  const shown = list.slice(0, MAX_INNER_ERRORS).map((error) => toFacts(error, 0).message);
  const more = list.length > MAX_INNER_ERRORS ? `; and ${list.length - MAX_INNER_ERRORS} more` : "";
  return ` (${shown.join("; ")}${more})`;
}

function toList(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) ? Array.from(value) : [];
  } catch {
    return [];
  }
}

function describeObject(thrown: object): string {
  const { value } = toPlain(thrown, { maxDepth: 3, maxNodes: 100, maxChars: 1000, maxMs: 100 });
  return bounded(`something that is no Error was thrown: ${JSON.stringify(value ?? null)}`);
}

/** What a thrower says for the executor; see `ToolError`. */
function toSaid(thrown: object): Partial<ErrorFacts> {
  const retryable = readSafely(thrown, "retryable");
  const executed = readSafely(thrown, "executed");
  const retryAfterMs = readSafely(thrown, "retryAfterMs");
  const data = readSafely(thrown, "data");
  return {
    ...(typeof retryable === "boolean" ? { retryable } : {}),
    ...(isExecuted(executed) ? { executed } : {}),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && Number.isFinite(retryAfterMs)
      ? { retryAfterMs }
      : {}),
    ...(data === undefined ? {} : { data: toPlain(data).value ?? null }),
  };
}

function isExecuted(value: unknown): value is Executed {
  return value === "no" || value === "yes" || value === "unknown";
}

function bounded(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).toWellFormed();
}
