import type { ActorScope, AnyActorRef, Snapshot } from "xstate";
import type { ChildLogic } from "../machines/index.ts";
import type { ToolCallContext } from "../machines/tool-call-context.ts";

/** What a child of a call does: one piece of work that ends in exactly one output. */
export interface SettlingWork<Output> {
  /** Begins. `settle` may be called at once or later, and counts once. `parent` is the call's actor. */
  readonly start: (args: {
    readonly context: ToolCallContext;
    readonly parent: AnyActorRef;
    readonly child: object;
    readonly settle: (output: Output) => void;
  }) => void;
  /** It was asked to stop, and is still awaited. */
  readonly interrupt?: (child: object) => void;
  /** Nobody awaits it any more. */
  readonly stop?: (child: object) => void;
}

type State<Output> = Snapshot<Output> & { readonly input?: ToolCallContext };
type Event<Output> =
  | { readonly type: "attempt.interrupt" }
  | { readonly type: "child.settled"; readonly output: Output }
  | { readonly type: "xstate.stop" };

/**
 * Actor logic of a child that ends in `done` whatever happens: it never errs, since an error would be its parent's.
 * After a restore it stays idle; the call decides on `call.resume` whether to begin it anew. Its input is not persisted.
 */
export function createSettlingChild<Output>(work: SettlingWork<Output>): ChildLogic<Output> {
  const active = (input?: ToolCallContext): State<Output> => ({
    status: "active",
    output: undefined,
    error: undefined,
    ...(input === undefined ? {} : { input }),
  });
  const logic = {
    getInitialSnapshot: (_scope: unknown, input: ToolCallContext) => active(input),
    transition(snapshot: State<Output>, event: Event<Output>, { self }: { self: object }) {
      if (snapshot.status !== "active") return snapshot;
      switch (event.type) {
        case "child.settled":
          return { status: "done", output: event.output, error: undefined };
        case "attempt.interrupt":
          work.interrupt?.(self);
          return snapshot;
        case "xstate.stop":
          work.stop?.(self);
          return { status: "stopped", output: undefined, error: undefined };
        default:
          return snapshot;
      }
    },
    start(
      snapshot: State<Output>,
      { self }: Pick<ActorScope<Snapshot<Output>, Event<Output>>, "self">,
    ) {
      const parent = self._parent;
      if (snapshot.status !== "active" || snapshot.input === undefined || parent === undefined) {
        return;
      }
      const settle = (output: Output) => self.send({ type: "child.settled", output });
      work.start({ context: snapshot.input, parent, child: self, settle });
    },
    getPersistedSnapshot: ({ status }: State<Output>) => ({
      status,
      output: undefined,
      error: undefined,
    }),
    restoreSnapshot: () => active(),
  };
  // The bridge to XState's types: its ActorLogic is invariant in scope types that no plain record can name.
  return logic as unknown as ChildLogic<Output>;
}
