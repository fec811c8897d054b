import type { ToolCallContext } from "./tool-call-context.ts";
import type { ToolCallEvent } from "./tool-call-events.ts";

interface GuardArgs {
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
}

/** The guards that need nothing of the runtime. */
export const chartGuards = {
  argumentsAreValid: ({ context }: GuardArgs) =>
    context.failure === null && context.arguments !== null,
  callIsInvalid: ({ context }: GuardArgs) => context.failure !== null,
  isDenied: ({ context }: GuardArgs) => context.failure !== null,
  needsApproval: ({ context }: GuardArgs) =>
    context.decision?.decision === "ask" && context.approval?.decision !== "approved",
  isAuthorized: ({ context }: GuardArgs) => context.decision !== null,
  policyIsAsynchronous: ({ context }: GuardArgs) => context.pending === "begin",
  argumentsAreEdited: ({ event }: GuardArgs) =>
    event.type === "call.approve" && event.arguments !== undefined,
  hasSlot: ({ context }: GuardArgs) => context.slot === "held",
  slotIsAwaited: ({ context }: GuardArgs) => context.pending === "begin",
  isRefused: ({ context }: GuardArgs) => context.failure !== null,
  attemptReturned: ({ event }: GuardArgs) =>
    event.type === "xstate.done.actor.attempt" && event.output.status === "returned",
  isNormalized: ({ context }: GuardArgs) => context.normalized !== null,
  normalizerIsAsynchronous: ({ context }: GuardArgs) => context.pending === "begin",
  isSuccess: ({ context }: GuardArgs) => context.normalized?.success === true,
};
