import type {
  Approval,
  ArgumentRepair,
  CallContext,
  CallTrace,
  Json,
  NormalizedResult,
  PolicyDecision,
  RawOutcome,
  TakenCall,
  ToolFailure,
  ToolResult,
} from "./contract.ts";

/** The version of {@link ToolCallContext}: a persisted call of another version is refused, not guessed at. */
export const CONTEXT_VERSION = 2;

/** What the chart starts with. Plain JSON; the executor makes it out of what the caller handed over. */
export interface ChartInput {
  readonly executionId: string;
  readonly call: TakenCall;
  readonly caller: CallContext;
  /** Epoch ms at which the call began. */
  readonly startedAt: number;
  /** Epoch ms at which the call's whole budget ends (moved on by the time waited for a person). */
  readonly deadlineAt: number;
  /** The call cannot be used at all: why. */
  readonly refused?: ToolFailure;
}

/** All that is known of a call while it runs: plain JSON, so that it persists and shows in an inspector. */
export interface ToolCallContext {
  readonly version: typeof CONTEXT_VERSION;
  readonly executionId: string;
  readonly call: TakenCall;
  readonly caller: CallContext;
  /** The call was refused before it was looked at: why. */
  readonly refused: ToolFailure | null;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Epoch ms until when the call may stay in its present state; `null`: no limit of its own. */
  readonly stateDeadlineAt: number | null;
  /** The name of the tool that is meant. `null`: not resolved yet, or there is none. */
  readonly toolName: string | null;
  /** Arguments that an approver gave instead of the model's. */
  readonly edited: { readonly arguments: Json } | null;
  /** The arguments that the tool will get. `null`: not validated yet. */
  readonly arguments: Json;
  /** What was mended in them. */
  readonly repairs: readonly ArgumentRepair[];
  readonly decision: PolicyDecision | null;
  readonly approval: Approval | null;
  /** An asynchronous policy or normalizer is to be started, or is running. */
  readonly pending: "no" | "begin" | "running";
  readonly slot: "none" | "waiting" | "held";
  /** Attempts begun so far. */
  readonly attempt: number;
  readonly outcome: RawOutcome | null;
  readonly failure: ToolFailure | null;
  readonly retried: readonly ToolFailure[];
  readonly normalized: NormalizedResult | null;
  readonly result: ToolResult | null;
  readonly humanWaitMs: number;
  readonly progressDropped: number;
  readonly trace: CallTrace;
}

/** Shared by all calls whose arguments were right. */
const NO_REPAIRS: readonly ArgumentRepair[] = [];

/** The name of a call's tool: the registered one as soon as it is known, else what the model wrote. */
export function toolNameOf({ toolName, call }: ToolCallContext): string {
  return toolName ?? call.name;
}

/** The call under the registered name of its tool. */
export function resolvedCallOf(context: ToolCallContext): TakenCall {
  const { call } = context;
  const name = toolNameOf(context);
  return name === call.name ? call : { ...call, name };
}

/** The context of a call that has not been looked at yet. */
export function toContext(input: ChartInput): ToolCallContext {
  return {
    version: CONTEXT_VERSION,
    executionId: input.executionId,
    call: input.call,
    caller: input.caller,
    refused: input.refused ?? null,
    startedAt: input.startedAt,
    deadlineAt: input.deadlineAt,
    stateDeadlineAt: null,
    toolName: null,
    edited: null,
    arguments: null,
    repairs: NO_REPAIRS,
    decision: null,
    approval: null,
    pending: "no",
    slot: "none",
    attempt: 0,
    outcome: null,
    failure: null,
    retried: [],
    normalized: null,
    result: null,
    humanWaitMs: 0,
    progressDropped: 0,
    trace: [],
  };
}
