import type { CallContext, ToolCall } from "../../machines/contract.ts";
import { reasonOf, UnusableError } from "./exit.ts";
import { toPrintable } from "./printable.ts";
import type { Line } from "./read-lines.ts";
import { isRecord, kindOf, own, type UnknownRecord } from "./record.ts";

/** An answer to an approval that stands in the file itself. `ignore`: nobody answers. */
export type ScriptedApproval = "approve" | "deny" | "ignore";

/** One call of a file of calls, not yet judged by the executor. */
export interface CallLine {
  /** Where it stands in its file, from 1. */
  readonly line: number;
  /** For people: the call's id, or `line-N` when it has none. */
  readonly id: string;
  /** What the executor is to take for a call; with a `problem`, one without a name. */
  readonly call: ToolCall;
  readonly context?: CallContext;
  readonly approval?: ScriptedApproval;
  /** Milliseconds after which the call is cancelled. */
  readonly cancelAfterMs?: number;
  /** Why this is no call at all. */
  readonly problem?: string;
}

/** Lines without one usable call after which a file is given up. */
const MAX_LEADING_PROBLEMS = 1000;

/**
 * The calls of a text with one JSON object a line. A line that is no call is handed on in its place with its `problem`.
 * Throws {@link UnusableError} when no line at all is a call.
 */
export async function* readCalls(lines: AsyncIterable<Line>): AsyncGenerator<CallLine> {
  const leading: CallLine[] = [];
  let usable = false;
  for await (const line of lines) {
    const call = toCallLine(line);
    if (!usable && call.problem !== undefined) {
      leading.push(call);
      if (leading.length > MAX_LEADING_PROBLEMS) throw unusable(leading);
      continue;
    }
    if (!usable) yield* leading.splice(0);
    usable = true;
    yield call;
  }
  if (!usable) throw unusable(leading);
}

/** What one line says. Total. */
export function toCallLine(line: Line): CallLine {
  if ("problem" in line) return toProblem(line.number, undefined, line.problem);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return toProblem(line.number, undefined, `is not JSON (${reasonOf(error)})`);
  }
  if (!isRecord(value)) {
    return toProblem(line.number, undefined, `is ${kindOf(value)}, not an object with a name`);
  }
  return fromRecord(line.number, value);
}

function fromRecord(number: number, record: UnknownRecord): CallLine {
  const nested = own(record, "function");
  const source = isRecord(nested) ? nested : record;
  const name = own(source, "name");
  const id = own(record, "id");
  if (typeof name !== "string" || name === "") {
    const keys = Object.keys(source).slice(0, 8).join(", ");
    return toProblem(number, record, `has no name (its keys: ${keys === "" ? "none" : keys})`);
  }
  const wrong = wrongField(record);
  if (wrong !== undefined) return toProblem(number, record, wrong);
  const approval = own(record, "approval");
  const cancelAfterMs = own(record, "cancelAfterMs");
  const context = own(record, "context");
  return {
    line: number,
    id: shownId(number, id),
    call: { id: shownId(number, id), name, arguments: own(source, "arguments") },
    ...(isContext(context) ? { context } : {}),
    ...(isScripted(approval) ? { approval } : {}),
    ...(typeof cancelAfterMs === "number" ? { cancelAfterMs } : {}),
  };
}

function wrongField(record: UnknownRecord): string | undefined {
  const id = own(record, "id");
  if (id !== undefined && (typeof id !== "string" || id === "")) return "has an id that is no text";
  const context = own(record, "context");
  if (context !== undefined && !isContext(context)) {
    return `has a context that is ${kindOf(context)}, not an object`;
  }
  const approval = own(record, "approval");
  if (approval !== undefined && !isScripted(approval)) {
    return 'has an approval that is none of "approve", "deny", "ignore"';
  }
  const after = own(record, "cancelAfterMs");
  const isTime = typeof after === "number" && after >= 0 && after <= 2_147_483_647;
  return after === undefined || isTime
    ? undefined
    : "has a cancelAfterMs that is not a number of ms";
}

function toProblem(line: number, record: UnknownRecord | undefined, problem: string): CallLine {
  const id = shownId(line, record === undefined ? undefined : own(record, "id"));
  return {
    line,
    id,
    call: { id, name: "", arguments: null },
    problem: `Line ${line} ${problem}.`,
  };
}

/** What came out of `JSON.parse` holds JSON only. */
function isContext(value: unknown): value is CallContext {
  return isRecord(value);
}

function shownId(line: number, id: unknown): string {
  return typeof id === "string" && id !== "" ? id : `line-${line}`;
}

function isScripted(value: unknown): value is ScriptedApproval {
  return value === "approve" || value === "deny" || value === "ignore";
}

function unusable(problems: readonly CallLine[]): UnusableError {
  const [first] = problems;
  if (first?.problem === undefined) return new UnusableError("there is no call in the input");
  const hint = /is an array|end of JSON|Expected/.test(first.problem);
  return new UnusableError(
    `no line of the input is a call. ${toPrintable(first.problem)}${
      hint ? " One JSON object a line is wanted (jq -c '.[]' makes lines of an array)." : ""
    }`,
  );
}
