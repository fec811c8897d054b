import { MAX_DELAY_MS } from "../machines/chart-delays.ts";
import type { ParseLimits } from "./validate/index.ts";

/** The bounds of an executor. Each `…Ms` is more than 0 and at most 2 147 483 647 (24.8 days). */
export interface ExecutorLimits {
  /** Attempts that may run at once. Default 64. */
  readonly concurrency?: number;
  /** Calls that may wait for a slot; further ones are `overloaded`. Default 10 000. */
  readonly maxQueued?: number;
  /** The longest that one attempt of any tool may take; also the default of tools that say nothing. Default 60 000. */
  readonly executionTimeoutMs?: number;
  /** How long an attempt may take to stop after it was told to. Default 1 000. */
  readonly graceMs?: number;
  /** How long to wait for a slot. Default 60 000. */
  readonly queueTimeoutMs?: number;
  /** How long to wait for a person. Default 86 400 000 (a day). */
  readonly approvalTimeoutMs?: number;
  /** How long an asynchronous policy may take; then it denies. Default 10 000. */
  readonly policyTimeoutMs?: number;
  /** How long a tool's asynchronous normalizer may take. Default 10 000. */
  readonly normalizerTimeoutMs?: number;
  /** The budget of the whole call: queue, attempts and backoffs, not the wait for a person. Default 600 000. */
  readonly deadlineMs?: number;
  /** UTF-16 code units of raw argument text. Longer text is refused, never cut. Default 10 000 000. */
  readonly maxArgumentsChars?: number;
  /** Levels of nested objects and lists in arguments. Default 64. */
  readonly maxArgumentsDepth?: number;
}

/** The limits of reading arguments. */
export function toParseLimits(limits: Required<ExecutorLimits>): Required<ParseLimits> {
  return { maxTextChars: limits.maxArgumentsChars, maxDepth: limits.maxArgumentsDepth };
}

const DEFAULTS: Required<ExecutorLimits> = {
  concurrency: 64,
  maxQueued: 10_000,
  executionTimeoutMs: 60_000,
  graceMs: 1_000,
  queueTimeoutMs: 60_000,
  approvalTimeoutMs: 86_400_000,
  policyTimeoutMs: 10_000,
  normalizerTimeoutMs: 10_000,
  deadlineMs: 600_000,
  maxArgumentsChars: 10_000_000,
  maxArgumentsDepth: 64,
};

/** Whole numbers, and the least of each. */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ["concurrency", 1],
  ["maxQueued", 0],
  ["maxArgumentsChars", 2],
  ["maxArgumentsDepth", 1],
]);
/** What walks arguments is recursive: deeper ones could overflow its stack. */
const MAX_ARGUMENTS_DEPTH = 500;

/** The limits with their defaults. @throws TypeError that names the limit, what was given, and what would be right. */
export function toLimits(given: ExecutorLimits = {}): Required<ExecutorLimits> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new TypeError(
        `limits.${name} is not known; there are: ${Object.keys(DEFAULTS).join(", ")}.`,
      );
    }
    if (value !== undefined) checkLimit(name, value);
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(set) };
}

function checkLimit(name: string, value: unknown): void {
  const least = COUNTS.get(name);
  if (least !== undefined) {
    if (name === "maxArgumentsDepth" && Number(value) > MAX_ARGUMENTS_DEPTH) {
      throw new TypeError(
        `limits.${name} must be at most ${MAX_ARGUMENTS_DEPTH}, not ${String(value)}.`,
      );
    }
    if (!Number.isSafeInteger(value) || Number(value) < least) {
      throw new TypeError(
        `limits.${name} must be a whole number of at least ${least}, not ${String(value)}.`,
      );
    }
    return;
  }
  if (typeof value !== "number" || !(value > 0 && value <= MAX_DELAY_MS)) {
    throw new TypeError(
      `limits.${name} must be a number of milliseconds more than 0 and at most ${MAX_DELAY_MS}, not ${String(value)}.`,
    );
  }
}
