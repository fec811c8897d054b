import type { InspectionEvent } from "xstate";
import type { StateName, ToolCallContext } from "../../machines/index.ts";

/** The stages of calls, as they are entered. */
export interface StageRecorder {
  /** Give it to `createExecutor({ inspect })`, or to `createActor(machine, { inspect })`. */
  readonly inspect: (event: InspectionEvent) => void;
  /** The states that a call has entered so far, in order. Without an id: of the only call there was. */
  readonly stages: (callId?: string) => readonly StateName[];
  /** The ids of the calls that were seen, in the order in which they began. */
  readonly calls: () => readonly string[];
}

/** Records the stages of every call that it inspects, also of calls embedded in other machines. */
export function recordStages(): StageRecorder {
  const byActor = new Map<string, { readonly callId: string; stages: readonly StateName[] }>();
  return {
    inspect(event) {
      if (event.type !== "@xstate.snapshot") return;
      const context = contextOf(event.snapshot);
      if (context === undefined) return;
      const stages = context.trace.map(({ state }) => state);
      byActor.set(event.actorRef.sessionId, { callId: context.call.id, stages });
    },
    stages(callId) {
      const all = [...byActor.values()];
      const found = callId === undefined ? all : all.filter((entry) => entry.callId === callId);
      const [first, ...more] = found;
      if (first === undefined) {
        throw new Error(
          callId === undefined ? "No call was recorded." : `No call "${callId}" was recorded.`,
        );
      }
      if (more.length > 0) {
        const what = callId === undefined ? "" : ` with the id "${callId}"`;
        throw new Error(`${found.length} calls${what} were recorded: name one of ${ids(all)}.`);
      }
      return first.stages;
    },
    calls: () => [...byActor.values()].map(({ callId }) => callId),
  };
}

function ids(entries: readonly { readonly callId: string }[]): string {
  return entries.map(({ callId }) => `"${callId}"`).join(", ");
}

/** The context of a call's snapshot; other actors have none that looks like it. */
function contextOf(snapshot: unknown): ToolCallContext | undefined {
  if (typeof snapshot !== "object" || snapshot === null || !("context" in snapshot))
    return undefined;
  const { context } = snapshot;
  if (typeof context !== "object" || context === null) return undefined;
  const isCall = "executionId" in context && "trace" in context && "call" in context;
  return isCall ? (context as ToolCallContext) : undefined;
}
