import type { TraceRecord } from "../machines/index.ts";
import type { Guard } from "./guard.ts";
import { createRedactor, type RedactOptions, type TraceSink } from "./trace/index.ts";

/** Hands records to sinks and never lets a sink's fault out. */
export interface Delivery {
  readonly deliver: (record: TraceRecord) => void;
  /** Resolves when every sink has taken, and flushed, what was delivered. Never rejects. */
  readonly flush: () => Promise<void>;
}

/**
 * Delivery to `sinks`. Each record is redacted once, before any sink sees it.
 *
 * @throws TypeError when a key or value to redact is none
 */
export function createDelivery(
  sinks: readonly TraceSink[],
  redact: RedactOptions | undefined,
  guard: Guard,
): Delivery {
  const redactor = createRedactor(redact);
  const open = new Set<Promise<void>>();
  const track = (name: string, work: () => unknown): void =>
    guard.run(name, () => {
      const done = work();
      if (done === undefined) return;
      const settled: Promise<void> = Promise.resolve(done)
        .catch((thrown: unknown) => guard.report(name, thrown))
        .then(() => {
          open.delete(settled);
        });
      open.add(settled);
    });
  return {
    deliver(record) {
      if (sinks.length === 0) return;
      guard.run("redact", () => {
        const redacted = redactor(record);
        for (const sink of sinks) track(sink.name, () => sink.write(redacted));
      });
    },
    async flush() {
      await Promise.all(open);
      for (const sink of sinks) track(sink.name, () => sink.flush?.());
      await Promise.all(open);
    },
  };
}
