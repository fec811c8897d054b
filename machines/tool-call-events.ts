import type { ErrorFacts, Json, NormalizedResult, PolicyDecision, RawOutcome } from "./contract.ts";

/** The answer to an approval. Arguments replace the model's; they are validated and authorized again. */
export interface ApproveEvent {
  readonly type: "call.approve";
  readonly by?: string;
  readonly reason?: string;
  readonly arguments?: Json;
}
export interface DenyEvent {
  readonly type: "call.deny";
  readonly by?: string;
  readonly reason?: string;
}
export interface CancelEvent {
  readonly type: "call.cancel";
  readonly reason?: string;
}

/** What the outside may send to a call's actor. Events that its present state does not know are ignored. */
export type ToolCallCommand = ApproveEvent | DenyEvent | CancelEvent;

/** How an asynchronous stage ended: its children never err, so that they cannot put the call into error status. */
export type Settled<T> =
  | { readonly status: "fulfilled"; readonly value: T }
  | { readonly status: "rejected"; readonly error: ErrorFacts };

type Done<Id extends string, Output> = {
  readonly type: `xstate.done.actor.${Id}`;
  readonly output: Output;
  readonly actorId: string;
};

/** Everything that a call's actor understands. */
export type ToolCallEvent =
  | ToolCallCommand
  /** Sent once by the logic when it starts: nothing of the caller's runs before. */
  | { readonly type: "call.start" }
  /** Sent once by the logic after a restore: waiting states continue with the time that is left. */
  | { readonly type: "call.resume" }
  | { readonly type: "slot.granted" }
  | { readonly type: "attempt.progress"; readonly data: Json }
  | { readonly type: "queue.timeout" }
  | { readonly type: "policy.timeout" }
  | { readonly type: "normalizer.timeout" }
  | Done<"attempt", RawOutcome>
  | Done<"decision", Settled<PolicyDecision>>
  | Done<"normalizer", Settled<NormalizedResult>>;

/** The call tells its watchers (and its parent machine) how far the tool is. */
export interface ProgressEvent {
  readonly type: "call.progress";
  readonly callId: string;
  readonly executionId: string;
  readonly toolName: string;
  readonly data: Json;
}

/** The call tells its watchers (and its parent machine) that a person is needed. */
export interface ApprovalRequiredEvent {
  readonly type: "call.approvalRequired";
  readonly callId: string;
  readonly executionId: string;
  readonly toolName: string;
  readonly arguments: Json;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a call's actor emits, and sends to its parent. */
export type ToolCallEmitted = ProgressEvent | ApprovalRequiredEvent;

const FRIENDLY: ReadonlyMap<string, string> = new Map([
  ["xstate.init", "call.received"],
  ["xstate.done.actor.attempt", "attempt.done"],
  ["xstate.done.actor.decision", "decision.done"],
  ["xstate.done.actor.normalizer", "normalizer.done"],
]);

/** The stable name of an event in traces, which does not depend on how XState spells its own events. */
export function toEventName(type: string): string {
  const friendly = FRIENDLY.get(type);
  if (friendly !== undefined) return friendly;
  return type.startsWith("xstate.after.") ? `after.${type.split(".")[2] ?? ""}` : type;
}
