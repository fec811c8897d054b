import { MAX_DELAY_MS } from "../machines/chart-delays.ts";
import type { AnyTool, RetryOptions } from "./tool.ts";

const ISOLATIONS = ["inline", "thread", "process", "sandbox-js", "sandbox-os", "remote"];
const TIMES = ["executionTimeoutMs", "graceMs", "approvalTimeoutMs"] as const;

/** Is this a tool? @throws TypeError that names what is wrong and what would be right */
export function checkTool(tool: AnyTool): void {
  const name: unknown = tool?.name;
  if (typeof name !== "string" || !/^[\w.\-/:]{1,128}$/.test(name)) {
    throw new TypeError("its name must be 1 to 128 letters, digits, or one of _ - . / :");
  }
  if (typeof tool.execute !== "function") throw new TypeError("it has no function `execute`");
  if (tool.inputSchema === undefined) {
    throw new TypeError('it has no inputSchema; { "type": "object" } takes any arguments');
  }
  for (const key of TIMES) {
    const value: unknown = tool[key];
    if (value !== undefined && !isTime(value)) {
      throw new TypeError(
        `its ${key} must be more than 0 and at most ${MAX_DELAY_MS} ms, not ${String(value)}`,
      );
    }
  }
  if (tool.isolation !== undefined && !ISOLATIONS.includes(tool.isolation)) {
    throw new TypeError(
      `its isolation must be one of ${ISOLATIONS.join(", ")}, not ${String(tool.isolation)}`,
    );
  }
  if (tool.concurrency !== undefined && !isCount(tool.concurrency)) {
    throw new TypeError(
      `its concurrency must be a whole number of at least 1, not ${String(tool.concurrency)}`,
    );
  }
  if (tool.retry !== undefined) checkRetry(tool.retry);
}

function checkRetry({ maxAttempts, baseMs, factor, maxMs }: RetryOptions): void {
  if (!isCount(maxAttempts)) {
    throw new TypeError(
      `its retry.maxAttempts must be a whole number of at least 1, not ${String(maxAttempts)}`,
    );
  }
  if (factor !== undefined && !(Number.isFinite(factor) && factor >= 1)) {
    throw new TypeError(`its retry.factor must be a number of at least 1, not ${String(factor)}`);
  }
  for (const [key, value] of Object.entries({ baseMs, maxMs })) {
    if (value !== undefined && !isTime(value)) {
      throw new TypeError(
        `its retry.${key} must be more than 0 and at most ${MAX_DELAY_MS} ms, not ${String(value)}`,
      );
    }
  }
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value <= MAX_DELAY_MS;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
