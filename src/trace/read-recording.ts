import { type CallRecord, type LateRecord, RECORD_VERSION } from "../../machines/index.ts";
import { type RecordingHeader, readHeader } from "./recording-format.ts";

/** What a recording holds. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly records: readonly CallRecord[];
  readonly lates: readonly LateRecord[];
  /** Lines that could not be read, with their numbers; a process that was killed may leave half a line. */
  readonly problems: readonly string[];
}

/**
 * Reads the text of a recording. Lines that are not records are reported and passed over.
 *
 * @throws Error when it is no recording of this version
 */
export function readRecording(text: string): Recording {
  const lines = text.split("\n");
  const header = readHeader(lines[0] ?? "");
  if (typeof header === "string") throw new Error(`This cannot be read: ${header}.`);
  const records: CallRecord[] = [];
  const lates: LateRecord[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue;
    const record = readLine(line);
    if (typeof record === "string") problems.push(`line ${index + 1}: ${record}`);
    else if (record.type === "call") records.push(record);
    else lates.push(record);
  }
  return { header, records, lates, problems };
}

function readLine(line: string): CallRecord | LateRecord | string {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return "it is not whole (the writer may have been killed)";
  }
  if (!isObject(record)) return "it is not a record";
  if (record["version"] !== RECORD_VERSION) {
    return `it is a record of version ${JSON.stringify(record["version"])}`;
  }
  if (isCall(record) || isLate(record)) return record;
  return `it is not a call or a late outcome (${JSON.stringify(record["type"])})`;
}

/** A recording comes from outside: what its readers rely on is checked. */
function isCall(record: Record<string, unknown>): record is Record<string, unknown> & CallRecord {
  const { type, call, result, context, executionId } = record;
  return (
    type === "call" &&
    typeof executionId === "string" &&
    isObject(context) &&
    isObject(call) &&
    typeof call["id"] === "string" &&
    typeof call["name"] === "string" &&
    isObject(result) &&
    typeof result["success"] === "boolean" &&
    typeof result["latencyMs"] === "number" &&
    isObject(result["metadata"]) &&
    Array.isArray(result["metadata"]["stages"]) &&
    Array.isArray(result["metadata"]["trace"]) &&
    result["metadata"]["trace"].every(isStep)
  );
}

function isStep(step: unknown): boolean {
  return (
    isObject(step) &&
    typeof step["state"] === "string" &&
    typeof step["enteredAt"] === "number" &&
    typeof step["event"] === "string" &&
    typeof step["attempt"] === "number"
  );
}

function isLate(record: Record<string, unknown>): record is Record<string, unknown> & LateRecord {
  const { type, executionId, callId, at, outcome } = record;
  return (
    type === "late" &&
    typeof executionId === "string" &&
    typeof callId === "string" &&
    typeof at === "number" &&
    isObject(outcome)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
