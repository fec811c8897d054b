import type { TraceRecord } from "../../machines/index.ts";

/** Where traces go. A sink that fails changes no result: the executor reports it as a defect. */
export interface TraceSink {
  /** For reports about the sink itself. */
  readonly name: string;
  /** Takes a finished call, or an outcome that came late. May be asynchronous; `close()` of the executor waits for it. */
  readonly write: (record: TraceRecord) => void | PromiseLike<void>;
  /** Makes durable what was written. */
  readonly flush?: () => void | PromiseLike<void>;
}
