import type { OpenRun } from "./run.ts";

/** Notes in the run's log how it ends. What it returns or throws is passed on as it is. */
export function observe(run: OpenRun, start: () => unknown): unknown {
  let value: unknown;
  try {
    value = start();
  } catch (thrown) {
    noteThrown(run, thrown);
    throw thrown;
  }
  // An Effect has not begun yet, and notes its end itself.
  if (run.behaviour.kind === "effect") return value;
  if (run.behaviour.kind === "generator" && isGenerator(value)) return watchGenerator(run, value);
  if (isPromise(value)) {
    value.then(
      () => noteReturned(run),
      (thrown) => noteThrown(run, thrown),
    );
  } else {
    noteReturned(run);
  }
  return value;
}

function noteReturned(run: OpenRun): void {
  run.state = "returned";
}

function noteThrown(run: OpenRun, thrown: unknown): void {
  const { signal } = run.context;
  run.state = signal.aborted && thrown === signal.reason ? "stopped" : "threw";
}

/** An odd shape may be a Proxy that throws when it is asked what it is. */
function isPromise(value: unknown): value is Promise<unknown> {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, void> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* watchGenerator(
  run: OpenRun,
  generator: AsyncGenerator<unknown, unknown, void>,
): AsyncGenerator<unknown, unknown, void> {
  try {
    const value = yield* generator;
    noteReturned(run);
    return value;
  } catch (thrown) {
    noteThrown(run, thrown);
    throw thrown;
  } finally {
    // Neither returned nor thrown: its consumer asked it to return early.
    if (run.state === "running") run.state = "stopped";
  }
}
