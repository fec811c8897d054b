import type { ToolFailure } from "../../machines/index.ts";
import type { ToolCallContext } from "../../machines/tool-call-context.ts";
import type { AnyTool, RetryOptions } from "../tool.ts";
import { isTransient } from "./outcome.ts";

const DEFAULT_BASE_MS = 200;
const DEFAULT_FACTOR = 2;
const DEFAULT_MAX_MS = 30_000;

/** May this tool be run again when a run of it may have taken effect? */
function isRepeatable({ annotations }: AnyTool): boolean {
  return annotations?.idempotentHint === true || annotations?.readOnlyHint === true;
}

/**
 * May an attempt be made again whose end nobody saw, since its process is gone? Only of a tool that may be run twice, and
 * within its attempts (at least once more, else a crash would always be final).
 */
export function mayRunAgain(tool: AnyTool, context: ToolCallContext, now: number): boolean {
  const attempts = Math.max(2, tool.retry?.maxAttempts ?? 1);
  return isRepeatable(tool) && context.attempt < attempts && now < context.deadlineAt;
}

/** Is there a further attempt after this failure, and is there time for it? Total: a predicate that throws means no. */
export function mayRetry(
  tool: AnyTool,
  context: ToolCallContext,
  failure: ToolFailure,
  now: number,
): boolean {
  const { retry } = tool;
  return (
    retry !== undefined &&
    context.attempt < retry.maxAttempts &&
    (isRepeatable(tool) || failure.executed === "no") &&
    isRetryable(retry, context, failure) &&
    now + backoffMs(retry, context, failure) < context.deadlineAt
  );
}

function isRetryable(retry: RetryOptions, context: ToolCallContext, failure: ToolFailure): boolean {
  const timedOut = failure.code === "timed_out";
  if (failure.code !== "tool_error" && !timedOut) return false;
  const cause = failure.cause;
  if (retry.when === undefined) return timedOut || (cause !== undefined && isTransient(cause));
  try {
    return (
      retry.when({
        name: cause?.name ?? "TimeoutError",
        message: cause?.message ?? failure.message,
        ...(cause?.code === undefined ? {} : { code: cause.code }),
        ...(cause?.retryable === undefined ? {} : { retryable: cause.retryable }),
        ...(cause?.data === undefined ? {} : { data: cause.data }),
        timedOut,
        attempt: context.attempt,
      }) === true
    );
  } catch {
    return false;
  }
}

/**
 * The delay after a failed attempt, in ms: exponential, half of it jittered so that calls that failed together do not
 * come back together. The jitter is derived from the execution's id: a restored call waits as long as it would have.
 */
export function backoffMs(
  retry: RetryOptions,
  { executionId, attempt }: Pick<ToolCallContext, "executionId" | "attempt">,
  failure: Pick<ToolFailure, "retryAfterMs">,
): number {
  const exponential = Math.min(
    retry.maxMs ?? DEFAULT_MAX_MS,
    (retry.baseMs ?? DEFAULT_BASE_MS) * (retry.factor ?? DEFAULT_FACTOR) ** (attempt - 1),
  );
  const jittered = exponential * (0.5 + 0.5 * fraction(`${executionId}:${attempt}`));
  return Math.ceil(Math.max(jittered, failure.retryAfterMs ?? 0));
}

/** A number in [0, 1) that is spread evenly over texts (FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) / 2 ** 32;
}
