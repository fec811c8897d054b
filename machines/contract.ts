/**
 * What flows through the pipeline: plain JSON data, never functions, handles or Errors.
 *
 * Everything here can stand in a machine's context, be persisted with `getPersistedSnapshot()`,
 * be shown in an inspector and be written to a recording.
 */

/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** One request by a model to run one tool. */
export interface ToolCall {
  /** The id that the model (or its provider) gave the call. Results are paired with it. */
  readonly id: string;
  /** The tool's name as the model wrote it (untrusted). */
  readonly name: string;
  /** The arguments as an object, or as the model's raw JSON text (untrusted). */
  readonly arguments: unknown;
}

/** A {@link ToolCall} after it was taken in: an own, plain copy of what the caller handed over. */
export interface TakenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** Who calls, and what they may do. Plain JSON; policies and tools can read it. */
export interface CallContext {
  readonly user?: string;
  readonly tenant?: string;
  readonly session?: string;
  readonly roles?: readonly string[];
  /** Names of the permissions that the caller holds; compared with what a tool needs. */
  readonly permissions?: readonly string[];
  /** Only these tools may be called (an allow-list of names). Absent: no restriction. */
  readonly allowedTools?: readonly string[];
  readonly [key: string]: Json | undefined;
}

/** Every state of the chart, in the order of the pipeline. */
export const STATES = [
  "validating",
  "authorizing",
  "awaitingApproval",
  "queued",
  "executing",
  "interrupting",
  "backingOff",
  "normalizing",
  "tracing",
  "succeeded",
  "failed",
] as const;

/** A state of the chart. */
export type StateName = (typeof STATES)[number];

/** The part of the pipeline in which a failure arose. */
export type Stage = "validate" | "authorize" | "queue" | "execute" | "normalize";

/** Did the tool run? `unknown`: it was started, and nobody can say whether it took effect. */
export type Executed = "no" | "yes" | "unknown";

/** Who can mend a failure. `system` ones are retried here, invisibly to the model. */
export type HandledBy = "model" | "human" | "system" | "nobody";

/** Every way in which a call can fail. `docs/failures.md` explains each. */
export const FAILURE_CODES = [
  "invalid_call",
  "unknown_tool",
  "invalid_arguments",
  "permission_denied",
  "approval_denied",
  "approval_expired",
  "overloaded",
  "sandbox_unavailable",
  "tool_error",
  "timed_out",
  "cancelled",
  "interrupted",
  "invalid_output",
  "normalize_failed",
  "internal",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

/** One fault of the arguments, for programs. */
export interface ArgumentFault {
  /** JSON Pointer into the arguments; `""` is the whole. */
  readonly path: string;
  /** The JSON Schema keyword that was broken, or `json` when the text could not be parsed. */
  readonly keyword: string;
  /** What is wrong and what would be right, in words. */
  readonly message: string;
}

/** One thing that was mended in the arguments before the tool got them. */
export interface ArgumentRepair {
  /** JSON Pointer into the arguments; `""` is the whole, or the raw text. */
  readonly path: string;
  /** The rule that was applied; `docs/arguments.md` lists them. */
  readonly rule: string;
  /** What was given and what it was read as, in words. */
  readonly message: string;
}

/** Why a call did not succeed: data for programs. The text for the model is {@link ToolResult.error}. */
export interface ToolFailure {
  readonly code: FailureCode;
  readonly stage: Stage;
  readonly executed: Executed;
  readonly handledBy: HandledBy;
  /** What was wrong, and what would be right. */
  readonly message: string;
  /** With `invalid_arguments` and `invalid_output`: each fault. */
  readonly faults?: readonly ArgumentFault[];
  /** With `unknown_tool`: registered names that are near, of those that the caller may know. */
  readonly nearest?: readonly string[];
  /** The same call may succeed later without any change. */
  readonly retryable?: boolean;
  /** Milliseconds after which to come back, where it is known. */
  readonly retryAfterMs?: number;
  /** The first cause, when something was thrown. Never shown to the model. */
  readonly cause?: ErrorFacts;
}

/** An Error (or any thrown value) as data. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
  /** The thrower says that the same call may succeed later. */
  readonly retryable?: boolean;
  /** The thrower says whether the tool took effect. */
  readonly executed?: Executed;
  readonly retryAfterMs?: number;
  /** Whatever else the thrower wants programs to see. */
  readonly data?: Json;
}

/**
 * How one attempt ended: what crosses from `executing` to `normalizing`. Never a live value, so that an
 * attempt can be moved to another thread, process or machine without the other stages noticing.
 */
export type RawOutcome =
  | ({ readonly status: "returned" } & RawChannels)
  | ({ readonly status: "threw"; readonly error: ErrorFacts } & RawChannels)
  /** The tool was told to stop and did, without a result. */
  | ({ readonly status: "interrupted" } & RawChannels);

/** The channels of a tool, kept apart. */
export interface RawChannels {
  /** The returned value as plain JSON. Absent: the tool returned nothing. */
  readonly value?: Json;
  /** Text for the model that the tool wrote itself (or stdout); it wins over text made of `value`. */
  readonly output?: string;
  readonly stderr?: string;
  readonly exitCode?: number | null;
  /** The signal that ended a process, such as `SIGKILL`. */
  readonly signal?: string | null;
  /** The tool's own verdict; absent: returned means success. */
  readonly success?: boolean;
  /** With `success: false`: the tool's own words on what went wrong. */
  readonly errorText?: string;
  /** Further facts of the tool; they land in `metadata.tool`. */
  readonly metadata?: JsonObject;
  /** Names of `metadata` fields that the model should see as well. */
  readonly shownMetadata?: readonly string[];
  /** What could not be kept when the value was made plain (`"/a/b: a function was left out"`). */
  readonly losses?: readonly string[];
  /** Progress events beyond the limit, which were counted and dropped. */
  readonly progressDropped?: number;
}

/** What a permission policy says of one call. */
export interface PolicyDecision {
  readonly decision: "allow" | "deny" | "ask";
  /** Why, in words for a person; with `deny` it is shown to the model as well. */
  readonly reason?: string;
  /** Which rule decided. */
  readonly rule?: string;
}

/** A person's answer to `ask`. */
export interface Approval {
  readonly decision: "approved" | "denied";
  readonly by?: string;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** The approver changed the arguments; they were validated and authorized again. */
  readonly edited: boolean;
}

/** One state that a call entered. Times are milliseconds since the call began (monotonic, microsecond digits). */
export interface TraceStep {
  readonly state: StateName;
  readonly enteredAt: number;
  /** Absent while the call is in that state, and for the final state. */
  readonly leftAt?: number;
  /** The event that caused the entry: `call.start`, `attempt.done`, `after.executionTimeout`, … */
  readonly event: string;
  /** The guard that decided for this entry. Absent: the transition has none. */
  readonly guard?: string;
  /** Which attempt this belongs to: 0 before the first, then 1, 2, … */
  readonly attempt: number;
}

/** The path of a call through the chart. */
export type CallTrace = readonly TraceStep[];

/** Facts for the system. The model does not see them unless its tool names them. */
export interface ToolMetadata {
  /** Unique for each execution, also when two calls carry the same id. */
  readonly executionId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The states visited, in order. */
  readonly stages: readonly StateName[];
  /** The whole path with times, events and guards. */
  readonly trace: CallTrace;
  /** How many times the tool was started. */
  readonly attempts: number;
  /** Milliseconds spent in each state, summed over visits. */
  readonly timings: { readonly [state in StateName]?: number };
  /** Milliseconds waited for a person (part of `latencyMs`). */
  readonly humanWaitMs: number;
  /** The tool's value as plain JSON, whole. */
  readonly structured?: Json;
  /** What could not be kept in `structured`. */
  readonly losses?: readonly string[];
  readonly stderr?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** What the tool put there itself. */
  readonly tool?: JsonObject;
  /** Names of fields of `tool` that {@link forModel} shows. */
  readonly shown?: readonly string[];
  /** Set when `output` was cut: how long the whole was, in UTF-16 code units. */
  readonly truncated?: { readonly totalChars: number; readonly keptChars: number };
  /** The name that the model wrote, when it is not exactly the tool's. */
  readonly calledAs?: string;
  /** What was mended in the arguments. The trace keeps them as they were given. */
  readonly repairs?: readonly ArgumentRepair[];
  readonly decision?: PolicyDecision;
  readonly approval?: Approval;
  /** Failures of attempts that were retried, oldest first. */
  readonly retried?: readonly ToolFailure[];
  /** Progress events beyond the limit, which were counted and dropped. */
  readonly progressDropped?: number;
}

/** What every call ends in, whatever happened. */
export interface ToolResult {
  readonly callId: string;
  /** The registered name of the tool; what the model wrote when there is none. */
  readonly toolName: string;
  /** Decided by the executor, never inferred from `error`. */
  readonly success: boolean;
  /** What the model reads on success; on failure, partial output where there is some. */
  readonly output?: string;
  /** What the model reads on failure: what was wrong, and what would be right. */
  readonly error?: string;
  /** The same for programs. Present exactly when `success` is false. */
  readonly failure?: ToolFailure;
  /** The whole call, monotonic milliseconds, human wait included (see `metadata.humanWaitMs`). */
  readonly latencyMs: number;
  readonly metadata: ToolMetadata;
}

/** What `normalizing` makes of an outcome or a failure: a {@link ToolResult} without the facts of the path. */
export interface NormalizedResult {
  readonly success: boolean;
  readonly output?: string;
  readonly error?: string;
  readonly failure?: ToolFailure;
  readonly metadata: Pick<
    ToolMetadata,
    "structured" | "losses" | "stderr" | "exitCode" | "signal" | "tool" | "shown" | "truncated"
  >;
}

/** The version of {@link CallRecord} and of a recording's lines. */
export const RECORD_VERSION = 1;

/** A finished call as trace sinks get it and as a recording holds it. */
export interface CallRecord {
  readonly type: "call";
  readonly version: typeof RECORD_VERSION;
  readonly executionId: string;
  readonly call: TakenCall;
  readonly context: CallContext;
  /** The arguments that the tool got, when they differ from `call.arguments` (parsed text, edits). */
  readonly arguments?: Json;
  readonly result: ToolResult;
}

/** An outcome that arrived after its call had ended (the tool was deaf to its signal). */
export interface LateRecord {
  readonly type: "late";
  readonly version: typeof RECORD_VERSION;
  readonly executionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly attempt: number;
  /** Milliseconds since the call began. */
  readonly at: number;
  readonly outcome: RawOutcome;
}

/** What a trace sink receives. */
export type TraceRecord = CallRecord | LateRecord;
