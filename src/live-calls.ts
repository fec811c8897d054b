import type { Json, StateName, ToolCallCommand, ToolResult } from "../machines/index.ts";
import { toolNameOf } from "../machines/tool-call-context.ts";
import type { Clock } from "./clock.ts";
import { toPlain } from "./plain.ts";
import type { ToolCallActor } from "./tool-call-logic.ts";

/** Whether a command reached its call. `reason` says why not, and what would be right. */
export type Answer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** A call that waits for a person. */
export interface PendingApproval {
  readonly executionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: Json;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A call that was started. */
export interface LiveCall {
  readonly callId: string;
  /** Unique, also when two calls carry the same id. */
  readonly executionId: string;
  /** The call's XState actor: subscribe to it, look at its state, send it commands. */
  readonly actor: ToolCallActor;
  /** Never rejects. */
  readonly result: Promise<ToolResult>;
}

/** Who answers an approval, and with what. */
export interface ApproveOptions {
  readonly by?: string;
  readonly reason?: string;
  /** Arguments instead of the model's. They are validated and authorized again. */
  readonly arguments?: Json;
}

/** The calls of one executor that have begun and not ended, wherever their actors live. */
export interface LiveCalls {
  readonly add: (actor: ToolCallActor) => void;
  readonly delete: (actor: ToolCallActor) => void;
  readonly grantSlot: (owner: object) => void;
  readonly isClosed: () => boolean;
  readonly approve: (id: string, options?: ApproveOptions) => Answer;
  readonly deny: (
    id: string,
    options?: { readonly by?: string; readonly reason?: string },
  ) => Answer;
  readonly cancel: (id: string, options?: { readonly reason?: string }) => Answer;
  readonly pending: () => readonly PendingApproval[];
  readonly close: (options: {
    readonly drainMs: number;
    readonly clock: Clock;
    readonly flush: () => Promise<void>;
  }) => Promise<void>;
}

/** An empty set of live calls. */
export function createLiveCalls(): LiveCalls {
  const byExecution = new Map<string, ToolCallActor>();
  /** Nearly always one: a set for each would be the largest part of what is kept of a call here. */
  const byCall = new Map<string, ToolCallActor | Set<ToolCallActor>>();
  let onEmpty: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  const find = (id: string, state?: StateName): ToolCallActor | string => {
    const exact = byExecution.get(id);
    const named = exact === undefined ? toList(byCall.get(id)) : [exact];
    const fitting = named.filter((actor) => state === undefined || stateOf(actor) === state);
    const [actor] = fitting;
    if (named.length === 0) return `no call with the id "${id}" is running`;
    if (actor === undefined) return `the call "${id}" does not wait for a person`;
    if (fitting.length > 1) {
      return `${fitting.length} calls with the id "${id}" are running: use the execution id`;
    }
    return actor;
  };
  const command = (id: string, event: ToolCallCommand, state?: StateName): Answer => {
    const actor = find(id, state);
    if (typeof actor === "string") return { ok: false, reason: actor };
    actor.send(event);
    return { ok: true };
  };
  const cancelAll = (reason: string): void => {
    for (const actor of [...byExecution.values()]) actor.send({ type: "call.cancel", reason });
  };

  return {
    add(actor) {
      const { executionId, call } = actor.getSnapshot().context;
      byExecution.set(executionId, actor);
      const same = byCall.get(call.id);
      if (same === undefined) byCall.set(call.id, actor);
      else if (same instanceof Set) same.add(actor);
      else byCall.set(call.id, new Set([same, actor]));
    },
    delete(actor) {
      const { executionId, call } = actor.getSnapshot().context;
      byExecution.delete(executionId);
      const same = byCall.get(call.id);
      if (same instanceof Set) same.delete(actor);
      if (same === actor || (same instanceof Set && same.size === 0)) byCall.delete(call.id);
      if (byExecution.size === 0) onEmpty?.();
    },
    grantSlot(owner) {
      // The owners of slots are the calls' actors: the chart's work is keyed by them.
      (owner as { send(event: { type: "slot.granted" }): void }).send({ type: "slot.granted" });
    },
    isClosed: () => closing !== undefined,
    approve(id, options = {}) {
      const { value, losses } = toPlain(options.arguments);
      if (losses.length > 0)
        return { ok: false, reason: `the arguments are not JSON: ${losses[0]}` };
      const edited = options.arguments === undefined ? {} : { arguments: value ?? null };
      return command(id, { type: "call.approve", ...who(options), ...edited }, "awaitingApproval");
    },
    deny: (id, options = {}) =>
      command(id, { type: "call.deny", ...who(options) }, "awaitingApproval"),
    cancel: (id, options = {}) => command(id, { type: "call.cancel", ...who(options) }),
    pending: () =>
      [...byExecution.values()]
        .filter((actor) => stateOf(actor) === "awaitingApproval")
        .map(toPending),
    close({ drainMs, clock, flush }) {
      closing ??= (async () => {
        if (byExecution.size > 0) {
          const empty = new Promise<void>((resolve) => {
            onEmpty = resolve;
          });
          const timer = clock.setTimeout(() => cancelAll("the executor was closed"), drainMs);
          await empty;
          clock.clearTimeout(timer);
        }
        await flush();
      })();
      return closing;
    },
  };
}

function toList(known: ToolCallActor | Set<ToolCallActor> | undefined): readonly ToolCallActor[] {
  if (known === undefined) return [];
  return known instanceof Set ? [...known] : [known];
}

function stateOf(actor: ToolCallActor): StateName {
  return actor.getSnapshot().value;
}

function who({ by, reason }: { readonly by?: string; readonly reason?: string }) {
  return {
    ...(by === undefined ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function toPending(actor: ToolCallActor): PendingApproval {
  const { context } = actor.getSnapshot();
  const reason = context.decision?.reason;
  return {
    executionId: context.executionId,
    callId: context.call.id,
    toolName: toolNameOf(context),
    arguments: context.arguments,
    ...(reason === undefined ? {} : { reason }),
    expiresAt: context.stateDeadlineAt ?? 0,
  };
}
