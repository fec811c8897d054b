import { toErrorFacts } from "./error-facts.ts";

/** Something of the executor's surroundings, or of its own, that broke without changing any other call. */
export interface Defect {
  /** What broke: a sink's name, `onEvent`, `inspect`, `executor`. */
  readonly name: string;
  readonly message: string;
}

/** Runs the code of others where an exception may not get out. */
export interface Guard {
  readonly report: (name: string, thrown: unknown) => void;
  /** Runs `work`; what it throws is reported under `name`. */
  readonly run: (name: string, work: () => void) => void;
}

/** A guard that tells `onDefect`. */
export function createGuard(onDefect: (defect: Defect) => void): Guard {
  const report = (name: string, thrown: unknown): void => {
    try {
      onDefect({ name, message: toErrorFacts(thrown).message });
    } catch {
      // Whoever is told of defects may not become one.
    }
  };
  return {
    report,
    run(name, work) {
      try {
        work();
      } catch (thrown) {
        report(name, thrown);
      }
    },
  };
}

/** The default for defects: a process warning, once for each name. */
export function warnOnce(): (defect: Defect) => void {
  const warned = new Set<string>();
  return ({ name, message }) => {
    if (warned.has(name)) return;
    warned.add(name);
    process.emitWarning(`${name} failed: ${message}`, { type: "CallchartWarning" });
  };
}
