import type { CallRecord, LateRecord, TraceRecord } from "../../machines/index.ts";
import type { TraceSink } from "./sink.ts";

/** A sink that keeps what it was given. */
export interface MemorySink extends TraceSink {
  readonly write: (record: TraceRecord) => void;
  /** The newest records, oldest first. The list itself changes as calls end. */
  readonly records: readonly TraceRecord[];
  readonly calls: () => readonly CallRecord[];
  readonly lates: () => readonly LateRecord[];
  readonly clear: () => void;
}

/** How much is kept. */
export interface MemorySinkOptions {
  /** The newest so many records; older ones are dropped. A whole number of at least 1. Default 10 000. */
  readonly limit?: number;
}

/** Keeps records in memory. @throws TypeError when `limit` is no whole number of at least 1 */
export function createMemorySink({ limit = 10_000 }: MemorySinkOptions = {}): MemorySink {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new TypeError(`limit must be a whole number of at least 1, not ${String(limit)}.`);
  }
  const records: TraceRecord[] = [];
  return {
    name: "memory",
    records,
    write(record) {
      if (records.length >= limit) records.shift();
      records.push(record);
    },
    calls: () => records.filter((record) => record.type === "call"),
    lates: () => records.filter((record) => record.type === "late"),
    clear() {
      records.length = 0;
    },
  };
}
