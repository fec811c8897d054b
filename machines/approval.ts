import { failureOf } from "./failure.ts";
import { microseconds } from "./seal.ts";
import type { Patch } from "./stage-work.ts";
import { type ToolCallContext, toolNameOf } from "./tool-call-context.ts";
import type { ToolCallEvent } from "./tool-call-events.ts";

/** What it means that a person approved. */
export function answer(context: ToolCallContext, event: ToolCallEvent, now: number): Patch {
  if (event.type !== "call.approve") return {};
  return {
    ...waitedForPerson(context, now),
    approval: {
      decision: "approved",
      ...(event.by === undefined ? {} : { by: event.by }),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      decidedAt: now,
      edited: event.arguments !== undefined,
    },
  };
}

/** What it means that a person refused. */
export function failDenied(context: ToolCallContext, event: ToolCallEvent, now: number): Patch {
  if (event.type !== "call.deny") return {};
  const why = event.reason === undefined ? "" : ` Reason: ${event.reason}`;
  return {
    ...waitedForPerson(context, now),
    approval: {
      decision: "denied",
      ...(event.by === undefined ? {} : { by: event.by }),
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      decidedAt: now,
      edited: false,
    },
    failure: failureOf(
      "approval_denied",
      `"${toolNameOf(context)}" needs a person's approval, which was refused. It was not run. ` +
        `This is a matter of permission: other arguments will not help.${why}`,
    ),
  };
}

/** The budget stands still while a person is awaited. */
export function waitedForPerson(context: ToolCallContext, now: number): Patch {
  const enteredAt = context.trace.at(-1)?.enteredAt ?? 0;
  const waited = Math.max(0, microseconds(now - context.startedAt - enteredAt));
  return {
    humanWaitMs: microseconds(context.humanWaitMs + waited),
    deadlineAt: context.deadlineAt + waited,
  };
}
