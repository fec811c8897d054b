/** Tells actors that a signal was aborted, with one listener a signal however many actors watch it. */
export interface AbortRelay<Actor> {
  /** A signal that is aborted already tells at once. */
  readonly watch: (signal: AbortSignal, actor: Actor) => void;
  readonly unwatch: (actor: Actor) => void;
}

/**
 * One listener for each signal, taken off when nobody watches it any more: thousands of calls on one long-lived signal
 * leave nothing behind, and never trip Node's warning about many listeners.
 */
export function createAbortRelay<Actor extends object>(
  onAbort: (actor: Actor) => void,
): AbortRelay<Actor> {
  const watched = new Map<
    AbortSignal,
    { readonly actors: Set<Actor>; readonly listener: () => void }
  >();
  const signals = new Map<Actor, AbortSignal>();

  const unwatch = (actor: Actor): void => {
    const signal = signals.get(actor);
    signals.delete(actor);
    const entry = signal === undefined ? undefined : watched.get(signal);
    if (signal === undefined || entry === undefined) return;
    entry.actors.delete(actor);
    if (entry.actors.size > 0) return;
    watched.delete(signal);
    signal.removeEventListener("abort", entry.listener);
  };

  const entryOf = (signal: AbortSignal) => {
    const known = watched.get(signal);
    if (known !== undefined) return known;
    const actors = new Set<Actor>();
    const listener = (): void => {
      for (const actor of [...actors]) {
        unwatch(actor);
        onAbort(actor);
      }
    };
    const entry = { actors, listener };
    watched.set(signal, entry);
    signal.addEventListener("abort", listener, { once: true });
    return entry;
  };

  return {
    watch(signal, actor) {
      if (signal.aborted) {
        onAbort(actor);
        return;
      }
      entryOf(signal).actors.add(actor);
      signals.set(actor, signal);
    },
    unwatch,
  };
}
