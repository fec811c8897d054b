import type { ActorOptions, AnyActorLogic } from "xstate";
import type { ToolCallEmitted } from "../machines/index.ts";
import type { Policy, Visible } from "./authorize/index.ts";
import type { Clock } from "./clock.ts";
import type { Defect } from "./guard.ts";
import type { ExecutorLimits } from "./limits.ts";
import type { Registry } from "./registry.ts";
import type { RedactOptions, TraceSink } from "./trace/index.ts";
import type { Disclosure, RepairMode } from "./validate/index.ts";

/** What XState calls with every event of every actor. */
export type Inspect = NonNullable<ActorOptions<AnyActorLogic>["inspect"]>;

/** What an executor is made of. */
export interface ExecutorOptions {
  readonly registry: Registry;
  /** Who may call what. Several: the strictest answer wins. Default: every registered tool may be called. */
  readonly policy?: Policy | readonly Policy[];
  /** How much of faulty arguments is mended before they are refused. Default `"safe"`; `docs/arguments.md` has the rules. */
  readonly repair?: RepairMode;
  /** What may be revealed of tools that a caller may not use. Default `"full"`: that they exist. */
  readonly disclosure?: Disclosure;
  /** Whom a tool may be known to, besides `context.allowedTools` and the tool's permissions. A predicate that throws means no. */
  readonly visible?: Visible;
  readonly limits?: ExecutorLimits;
  /** Where traces go. Default: nowhere. */
  readonly sinks?: readonly TraceSink[];
  /** Default: the system's. Give XState's `SimulatedClock` in tests. */
  readonly clock?: Clock;
  /** Makes the unique id of each execution. Default: `crypto.randomUUID`. */
  readonly ids?: () => string;
  /** XState's inspector: it gets every event of every call. */
  readonly inspect?: Inspect;
  /** What to hide from sinks besides the built-in rules. */
  readonly redact?: RedactOptions;
  /** Hears what calls tell while they run (progress, approvals), also those embedded in other machines. */
  readonly onEvent?: (event: ToolCallEmitted) => void;
  /** Hears of sinks, listeners and inspectors that fail. Default: a process warning, once for each sink. */
  readonly onDefect?: (defect: Defect) => void;
}

/** What accompanies a call and is no data. */
export interface ExecuteOptions {
  /** Cancels the call when it is aborted. */
  readonly signal?: AbortSignal;
  /** Hears what the call tells while it runs: `call.progress`, `call.approvalRequired`. */
  readonly onEvent?: (event: ToolCallEmitted) => void;
}
