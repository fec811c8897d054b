import { type CallRecord, type LateRecord, RECORD_VERSION } from "../../machines/contract.ts";
import { toPlain } from "../plain.ts";
import { isCall, isLate, isObject } from "./record-shape.ts";
import { type RecordingHeader, readHeader, show } from "./recording-format.ts";

/** What a recording holds. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly records: readonly CallRecord[];
  readonly lates: readonly LateRecord[];
  /** Lines that could not be read, with their numbers; a process that was killed may leave half a line. At most 101. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 100;
/** A record may hold structured data of 64 levels, some levels down. */
const MAX_DEPTH = 80;

/**
 * Reads the text of a recording, which may come from anywhere: lines that are not records are reported and passed over,
 * records are checked for what readers rely on, and bounded in depth. Fields that are not known are kept.
 *
 * @throws Error when it is no recording of this version
 */
export function readRecording(text: string): Recording {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const header = readHeader(lines[0] ?? "");
  if (typeof header === "string") throw new Error(`This cannot be read: ${header}.`);
  const records: CallRecord[] = [];
  const lates: LateRecord[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue;
    const { record, problem } = readLine(line);
    if (problem !== undefined) problems.push(`line ${index + 1}: ${problem}`);
    if (record?.type === "call") records.push(record);
    if (record?.type === "late") lates.push(record);
  }
  return { header, records, lates, problems: shorten(problems) };
}

function shorten(problems: readonly string[]): readonly string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more problems`] : problems;
}

interface Line {
  readonly record?: CallRecord | LateRecord;
  readonly problem?: string;
}

function readLine(line: string): Line {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { problem: "it is not whole (the writer may have been killed)" };
  }
  // Two writers that found the file empty, or recordings that were joined.
  if (isHeader(parsed)) return {};
  // Bounds the depth: who shows or writes a record again should not run out of stack.
  const { value: record, losses } = toPlain(parsed, { maxDepth: MAX_DEPTH });
  if (!isObject(record)) return { problem: "it is not a record" };
  if (record["version"] !== RECORD_VERSION) {
    return { problem: `it is a record of version ${show(record["version"])}` };
  }
  const lost = losses[0] === undefined ? {} : { problem: losses[0] };
  if (isCall(record) || isLate(record)) return { record, ...lost };
  const type = record["type"];
  return {
    problem:
      type === "call" || type === "late"
        ? `it is a ${type} record that lacks what it must have`
        : `it is not a call or a late outcome (its type is ${show(type)})`,
  };
}

function isHeader(parsed: unknown): boolean {
  return (
    isObject(parsed) &&
    parsed["type"] === "recording" &&
    typeof readHeader(JSON.stringify(parsed)) !== "string"
  );
}
