import * as Effect from "effect/Effect";

/** A signal that is made when somebody asks for it: most tools never do, and it costs more than the rest of an attempt. */
export interface LazySignal {
  readonly signal: () => AbortSignal;
  readonly isAborted: () => boolean;
}

/** One run of a tool: how to begin it, and what its end looks like. */
export interface ToolRun {
  /** Calls the tool. May throw, and may return anything. */
  readonly call: (signal: LazySignal) => unknown;
  readonly onProgress: (data: unknown) => void;
  /** Why the signal is aborted, asked when it is. */
  readonly abortReason: () => unknown;
}

function createSignal(): LazySignal & { readonly abort: (reason: unknown) => void } {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  return {
    signal() {
      controller ??= new AbortController();
      if (aborted !== undefined) controller.abort(aborted.reason);
      return controller.signal;
    },
    isAborted: () => aborted !== undefined,
    abort(reason) {
      aborted ??= { reason };
      controller?.abort(reason);
    },
  };
}

/** What a promise came to although its fiber had been interrupted. */
export interface Afterwards {
  settled?:
    | { readonly ok: true; readonly value: unknown }
    | { readonly ok: false; readonly error: unknown };
}

/**
 * Anything a tool may do, as one Effect: throw, return a value, a promise, an async generator (its yields are progress)
 * or an Effect. Interrupting it aborts the signal and then WAITS for the tool's own clean-up, so that two attempts never
 * overlap; what the tool came to in that time stands in `afterwards`.
 */
export function toolEffect(run: ToolRun, afterwards: Afterwards): Effect.Effect<unknown, unknown> {
  return Effect.callback<unknown, unknown>((resume) => {
    const signal = createSignal();
    let returned: unknown;
    try {
      returned = run.call(signal);
    } catch (thrown) {
      resume(Effect.fail(thrown));
      return;
    }
    const abort = (): void => signal.abort(run.abortReason());
    const effect = asEffect(returned);
    if (effect !== undefined) {
      // Its finalizers run after the signal is aborted: they may look at it.
      resume(Effect.onInterrupt(effect, () => Effect.sync(abort)));
      return Effect.sync(abort);
    }
    const promise = asPromise(returned, run, signal);
    if (promise === undefined) {
      resume(Effect.succeed(returned));
      return;
    }
    const settled = promise.then(
      (value) => {
        afterwards.settled = { ok: true, value };
        resume(Effect.succeed(value));
      },
      (error: unknown) => {
        afterwards.settled = { ok: false, error };
        resume(Effect.fail(error));
      },
    );
    return Effect.suspend(() => {
      abort();
      return Effect.promise(() => settled);
    });
  });
}

function asEffect(value: unknown): Effect.Effect<unknown, unknown> | undefined {
  try {
    return Effect.isEffect(value) ? (value as Effect.Effect<unknown, unknown>) : undefined;
  } catch {
    // A Proxy whose traps throw is a value like any other.
    return undefined;
  }
}

function asPromise(value: unknown, run: ToolRun, signal: LazySignal): Promise<unknown> | undefined {
  try {
    if (isAsyncGenerator(value)) return drive(value, run, signal);
    return isThenable(value) ? Promise.resolve(value) : undefined;
  } catch {
    return undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, void> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.asyncIterator in value &&
    "next" in value &&
    typeof value.next === "function" &&
    "return" in value &&
    typeof value.return === "function"
  );
}

/** Runs a generator to its return value. When the attempt is aborted it is asked to return, which runs its `finally`. */
async function drive(
  generator: AsyncGenerator<unknown, unknown, void>,
  run: ToolRun,
  signal: LazySignal,
): Promise<unknown> {
  for (;;) {
    const next = await generator.next();
    if (next.done === true) return next.value;
    if (signal.isAborted()) {
      await generator.return(undefined);
      throw signal.signal().reason;
    }
    run.onProgress(next.value);
  }
}
