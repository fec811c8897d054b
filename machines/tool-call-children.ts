import type { ActorLogic, Snapshot } from "xstate";
import type { ToolCallContext } from "./tool-call-context.ts";

/** The logic of a call's child: one attempt, or an asynchronous policy or normalizer. */
export type ChildLogic<Output> = ActorLogic<
  Snapshot<Output>,
  | { readonly type: "attempt.interrupt" }
  | { readonly type: "child.settled"; readonly output: Output },
  ToolCallContext
>;

/** Stands in for a child that no executor has provided: it stays active and does nothing. */
export function unboundChild<Output>(name: string): ChildLogic<Output> {
  const idle: Snapshot<Output> = { status: "active", output: undefined, error: undefined };
  return {
    config: { id: name },
    getInitialSnapshot: () => idle,
    transition: (snapshot) => snapshot,
    getPersistedSnapshot: (snapshot) => snapshot,
    restoreSnapshot: () => idle,
  } as ChildLogic<Output>;
}
