import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

/** What Ctrl-C did. */
export interface Interrupt {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly stopListening: () => void;
}

/** The first Ctrl-C aborts the signal, so that work can end in order; the second ends the process at once. */
export function listenForInterrupt(io: Io): Interrupt {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    io.stderr.stream.write("\ncancelling what runs; Ctrl-C again ends at once\n");
    controller.abort();
  });
  return { signal: controller.signal, stopListening };
}
