import { styleText } from "node:util";
import type { ToolResult } from "../../machines/contract.ts";
import type { Output } from "./io.ts";
import { pad, padName, toDuration, toOneLine } from "./printable.ts";

/** `succeeded`, or `failed` and the code. */
function toOutcome(result: ToolResult): string {
  return result.success ? "succeeded" : `failed ${result.failure?.code ?? "internal"}`;
}

/** One line on how a call went: id, tool, outcome, latency. */
export function outcomeLine(id: string, result: ToolResult, output: Output): string {
  const mark = result.success ? "✓" : "✗";
  const outcome = pad(toOutcome(result), 26);
  return [
    paint(mark, result.success, output),
    padName(toOneLine(id), 18),
    padName(toOneLine(result.toolName === "" ? "-" : result.toolName), 16),
    paint(outcome, result.success, output),
    toDuration(result.latencyMs),
  ].join(" ");
}

/** Green for what succeeded, red for what failed, on a terminal that has colours. */
export function paint(text: string, success: boolean, output: Output): string {
  if (!output.hasColor) return text;
  return styleText(success ? "green" : "red", text, { validateStream: false });
}

/** `18 calls: 7 succeeded, 11 failed (2 invalid_arguments, 1 timed_out)` */
export function createTally(): {
  readonly add: (result: ToolResult) => void;
  readonly failed: () => number;
  readonly toText: () => string;
} {
  const codes = new Map<string, number>();
  let succeeded = 0;
  let failed = 0;
  return {
    add: (result) => {
      if (result.success) {
        succeeded += 1;
        return;
      }
      failed += 1;
      const code = result.failure?.code ?? "internal";
      codes.set(code, (codes.get(code) ?? 0) + 1);
    },
    failed: () => failed,
    toText: () => {
      const total = succeeded + failed;
      const why = [...codes].map(([code, count]) => `${count} ${code}`).join(", ");
      return `${total} call${total === 1 ? "" : "s"}: ${succeeded} succeeded, ${failed} failed${
        why === "" ? "" : ` (${why})`
      }`;
    },
  };
}
