import type * as Effect from "effect/Effect";
import type { CallContext, Executed, Json, JsonObject } from "../machines/contract.ts";
import type { ArgumentsFromJsonSchema } from "./infer.ts";

/** A JSON Schema as plain data (any draft; `$schema` chooses, 2020-12 is assumed otherwise). */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean;

/**
 * The part of Standard Schema (https://standardschema.dev) that callchart needs: validation and inferred types.
 * zod, valibot, ArkType and Effect Schema values have it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a tool may declare its arguments with. TypeBox schemas are JSON Schemas that carry a type. */
export type ToolSchema = JsonSchema | StandardSchema;

/**
 * The type of the arguments that `execute` gets for a schema `S`: the output of a Standard Schema, the static type of
 * TypeBox, or what a literal JSON Schema describes. Of a schema whose type is not a literal nothing is known: there the
 * tool's author says it, by annotating the argument.
 */
export type ArgumentsOf<S> =
  IsWide<S> extends true
    ? // biome-ignore lint/suspicious/noExplicitAny: what the author annotates must be accepted
      any
    : S extends StandardSchema<unknown, infer Output>
      ? Output
      : S extends { readonly static: infer Static }
        ? Static
        : S extends { readonly "~static": infer Static }
          ? Static
          : ArgumentsFromJsonSchema<S>;

/** `any`, or a type that every JSON Schema has. */
type IsWide<S> = 0 extends 1 & S
  ? true
  : [{ readonly [keyword: string]: unknown }] extends [S]
    ? true
    : false;

/** Hints about a tool's behaviour, as MCP has them. Absent means: assume the worst. */
export interface ToolAnnotations {
  readonly title?: string;
  /** It changes nothing. Default false. */
  readonly readOnlyHint?: boolean;
  /** It may destroy something. Default true (matters only when not read-only). */
  readonly destructiveHint?: boolean;
  /** Running it twice with the same arguments is the same as once. Default false. */
  readonly idempotentHint?: boolean;
  /** It touches a world that is not closed (the network). Default true. */
  readonly openWorldHint?: boolean;
}

/** Where an attempt runs. This version provides `inline` only; see `docs/failures.md`, `sandbox_unavailable`. */
export type Isolation = "inline" | "thread" | "process" | "sandbox-js" | "sandbox-os" | "remote";

/**
 * Retries of one tool. An attempt is retried only when its failure is retryable AND running twice is safe: the tool is
 * `readOnlyHint` or `idempotentHint`, or the failure says `executed: "no"`.
 */
export interface RetryOptions {
  /** Attempts in all, the first included. A whole number of at least 1. */
  readonly maxAttempts: number;
  /** Delay before the second attempt, in ms, before jitter. Default 200. */
  readonly baseMs?: number;
  /** What each further delay is multiplied with. Default 2. */
  readonly factor?: number;
  /** The longest delay, in ms. Default 30 000. */
  readonly maxMs?: number;
  /** Decides what is retryable instead of the built-in classifier. A predicate that throws means no. */
  readonly when?: (error: ToolThrown) => boolean;
}

/** What a retry predicate sees of a failed attempt. */
export interface ToolThrown {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly timedOut: boolean;
  readonly attempt: number;
  readonly data?: Json;
}

/** What a tool is told about its call besides the arguments. */
export interface ToolContext {
  readonly callId: string;
  readonly executionId: string;
  readonly toolName: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The same for every attempt of one call: hand it to services that deduplicate. */
  readonly idempotencyKey: string;
  /** Aborted when the attempt times out or the call is cancelled. Its `reason` says which. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds at which this attempt times out. */
  readonly deadlineAt: number;
  /** Who calls, as given to `execute(call, context)`: an own copy. */
  readonly caller: CallContext;
  /** Tells watchers how far the tool is. Anything JSON-like; never part of the result. */
  readonly progress: (data: unknown) => void;
}

/** Everything a tool may hand back. An async generator's yields are progress, its return value is the value. */
export type ToolReturn<R> =
  | R
  | PromiseLike<R>
  | AsyncGenerator<unknown, R, void>
  | Effect.Effect<R, unknown>;

/** How much of a tool's text reaches the model and the metadata. */
export interface OutputLimits {
  /** UTF-16 code units of `output` (head and tail are kept). Default 50 000. */
  readonly outputChars?: number;
  /** UTF-16 code units of `metadata.stderr`. Default 20 000. */
  readonly stderrChars?: number;
}

/** A tool that a model may call. */
export interface Tool<S extends ToolSchema = ToolSchema, R = unknown> {
  /** Unique in its registry. Letters, digits, `_`, `-`, `.`, at most 128. */
  readonly name: string;
  readonly description?: string;
  /** The arguments: JSON Schema, or any Standard Schema that can be turned into JSON Schema. */
  readonly inputSchema: S;
  /** The structured value, checked after the tool returned; a value that breaks it is `invalid_output`. */
  readonly outputSchema?: ToolSchema;
  readonly annotations?: ToolAnnotations;
  /** Time for one attempt, in ms. Default: the executor's `executionTimeoutMs`, which also caps it. */
  readonly executionTimeoutMs?: number;
  /** How long an attempt may take to stop after it was told to, in ms. Default: the executor's. */
  readonly graceMs?: number;
  /** How long to wait for a person, in ms. Default: the executor's. */
  readonly approvalTimeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Names of permissions that the caller's `context.permissions` must all hold. */
  readonly permissions?: readonly string[];
  /** A person must approve each call. A predicate sees the validated arguments; one that throws means yes. */
  readonly requiresApproval?: boolean | ((args: ArgumentsOf<S>, caller: CallContext) => boolean);
  /** The least isolation that it needs. Default `inline`. */
  readonly isolation?: Isolation;
  readonly limits?: OutputLimits;
  /** Attempts of this tool that may run at once. Default: no limit of its own. */
  readonly concurrency?: number;
  /** Makes the text for the model out of the (plain) returned value. */
  readonly normalize?: (value: Json, context: NormalizeContext) => string | PromiseLike<string>;
  readonly execute: (args: ArgumentsOf<S>, context: ToolContext) => ToolReturn<R>;
}

/** What a tool's own normalizer is told. */
export interface NormalizeContext {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: Json;
}

/** Any tool, whatever its types. */
// biome-ignore lint/suspicious/noExplicitAny: `execute` is contravariant in its arguments, so no other type holds every tool
export type AnyTool = Tool<any, any>;

/** Types a tool: `execute` gets the arguments that `inputSchema` infers. Returns its argument unchanged. */
export function defineTool<const S extends ToolSchema, R>(tool: Tool<S, R>): Tool<S, R> {
  return tool;
}

/** What {@link ToolError} can say besides its message. */
export interface ToolErrorOptions {
  readonly code?: string;
  /** The same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** Did the tool take effect? Default `"yes"`. */
  readonly executed?: Executed;
  /** When to come back, in ms. Implies `retryable`. */
  readonly retryAfterMs?: number;
  /** For programs; lands in `failure.cause.data`. */
  readonly data?: Json;
  readonly cause?: unknown;
}

/** A failure that a tool knows more about than its message. Any other thrown value will do as well. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly executed: Executed | undefined;
  readonly retryAfterMs: number | undefined;
  readonly data: Json | undefined;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable ?? options.retryAfterMs !== undefined;
    this.executed = options.executed;
    this.retryAfterMs = options.retryAfterMs;
    this.data = options.data;
  }
}

const channels = Symbol.for("callchart.toolOutput");

/** The channels of a tool, when it wants to fill them itself. Return it from `execute`. */
export interface ToolOutput {
  /** Text for the model. Default: made of `structured`. */
  readonly output?: string;
  /** Kept whole in `metadata.structured`. */
  readonly structured?: unknown;
  /** Kept in `metadata.stderr`; its end is shown to the model. Never a failure by itself. */
  readonly stderr?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** The tool's own verdict. Default true. */
  readonly success?: boolean;
  /** With `success: false`: what went wrong and what would be right. */
  readonly error?: string;
  /** Facts for the system: `metadata.tool`. */
  readonly metadata?: JsonObject;
  /** Fields of `metadata` that the model should see. */
  readonly shownMetadata?: readonly string[];
}

/** Marks a returned value as {@link ToolOutput} rather than as a plain value. */
export function toolOutput(output: ToolOutput): ToolOutput {
  return Object.defineProperty({ ...output }, channels, { value: true });
}

/** Was this value made by {@link toolOutput}? Safe for any value. */
export function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && Object.hasOwn(value, channels);
}
