import { reasonOf } from "./exit.ts";
import { type Io, warn } from "./io.ts";

/**
 * Until the returned function is called, what a tool throws or rejects outside of its call (in a timer, in a promise that
 * nobody waits for) is a warning: it may not take the other calls' results with it.
 */
export function catchStrays(io: Io): () => void {
  const tell = (thrown: unknown): void => {
    void warn(io, `something failed outside of every call: ${reasonOf(thrown)}`);
  };
  process.on("uncaughtException", tell);
  process.on("unhandledRejection", tell);
  return () => {
    process.off("uncaughtException", tell);
    process.off("unhandledRejection", tell);
  };
}
