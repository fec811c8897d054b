import type { CallRecord, LateRecord, TraceRecord } from "../../machines/index.ts";
import type { TraceSink } from "./sink.ts";

/** A sink that keeps what it was given. */
export interface MemorySink extends TraceSink {
  readonly records: readonly TraceRecord[];
  readonly calls: () => readonly CallRecord[];
  readonly lates: () => readonly LateRecord[];
  readonly clear: () => void;
}

/** Keeps the newest `limit` records (default 10 000) in memory. */
export function createMemorySink({ limit = 10_000 }: { readonly limit?: number } = {}): MemorySink {
  const records: TraceRecord[] = [];
  return {
    name: "memory",
    records,
    write(record) {
      records.push(record);
      if (records.length > limit) records.shift();
    },
    calls: () => records.filter((record) => record.type === "call"),
    lates: () => records.filter((record) => record.type === "late"),
    clear() {
      records.length = 0;
    },
  };
}
