import { enqueueActions } from "xstate";
import type { Json } from "./contract.ts";
import { type ToolCallContext, toolNameOf } from "./tool-call-context.ts";
import type {
  ApprovalRequiredEvent,
  ProgressEvent,
  ToolCallEmitted,
  ToolCallEvent,
} from "./tool-call-events.ts";

const announced = (context: ToolCallContext) => ({
  callId: context.call.id,
  executionId: context.executionId,
  toolName: toolNameOf(context),
});

interface Announcer {
  readonly context: ToolCallContext;
  readonly event: ToolCallEvent;
  readonly self: { readonly _parent?: unknown };
}

function toProgress({ context, event }: Announcer): ProgressEvent {
  const data: Json = event.type === "attempt.progress" ? event.data : null;
  return { type: "call.progress", ...announced(context), data };
}

function toApprovalRequired({ context }: Announcer): ApprovalRequiredEvent {
  const reason = context.decision?.reason;
  return {
    type: "call.approvalRequired",
    ...announced(context),
    arguments: context.arguments,
    ...(reason === undefined ? {} : { reason }),
    expiresAt: context.stateDeadlineAt ?? 0,
  };
}

/** Emits to watchers, and sends to the parent machine when there is one. */
function announce(toEvent: (announcer: Announcer) => ToolCallEmitted) {
  return enqueueActions<
    ToolCallContext,
    ToolCallEvent,
    undefined,
    ToolCallEvent,
    never,
    never,
    never,
    never,
    ToolCallEmitted
  >(({ enqueue, context, event, self }) => {
    const announcement = toEvent({ context, event, self });
    enqueue.emit(announcement);
    if (self._parent !== undefined) enqueue.sendTo(self._parent, announcement);
  });
}

/** Tells watchers what a running tool reports. */
export const announceProgress = announce(toProgress);
/** Tells watchers that a person is asked. */
export const announceApproval = announce(toApprovalRequired);
