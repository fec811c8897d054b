export {
  type Approval,
  type ArgumentFault,
  type ArgumentRepair,
  type CallContext,
  type CallRecord,
  type CallTrace,
  type ErrorFacts,
  type ExecutorCommand,
  type ExecutorEmitted,
  FAILURES,
  type FailureCode,
  type Json,
  type JsonObject,
  type LateRecord,
  type PolicyDecision,
  type RawOutcome,
  type StateName,
  type ToolCall,
  type ToolCallCommand,
  type ToolCallContext,
  type ToolCallEmitted,
  type ToolFailure,
  type ToolMetadata,
  type ToolResult,
  type TraceRecord,
  type TraceStep,
} from "../machines/index.ts";
export type { Policy, PolicyRequest, PolicyVerdict, Visible } from "./authorize/index.ts";
export type { Clock } from "./clock.ts";
export { createExecutor, type Executor } from "./executor.ts";
export type { ExecutorLogic } from "./executor-machine.ts";
export type { ExecuteOptions, ExecutorOptions } from "./executor-options.ts";
export { forModel } from "./for-model.ts";
export type { Defect } from "./guard.ts";
export type { ExecutorLimits } from "./limits.ts";
export type { Answer, ApproveOptions, LiveCall, PendingApproval } from "./live-calls.ts";
export {
  type BrokenTool,
  createRegistry,
  type RegisteredTool,
  type Registry,
  type RegistryOptions,
  type ToolListing,
} from "./registry.ts";
export {
  type AnyTool,
  type ArgumentsOf,
  defineTool,
  type Isolation,
  type JsonSchema,
  type NormalizeContext,
  type OutputLimits,
  type RetryOptions,
  type StandardSchema,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  ToolError,
  type ToolErrorOptions,
  type ToolOutput,
  type ToolReturn,
  type ToolSchema,
  type ToolThrown,
  toolOutput,
} from "./tool.ts";
export type {
  ToolCallActor,
  ToolCallInput,
  ToolCallLogic,
  ToolCallSnapshot,
} from "./tool-call-logic.ts";
export {
  type CallLogger,
  createMemorySink,
  createPinoSink,
  createRecordingSink,
  explain,
  type MemorySink,
  type PinoSinkOptions,
  type Recording,
  type RecordingSink,
  type RecordingSinkOptions,
  type RedactOptions,
  readRecording,
  redactRecord,
  type TraceSink,
} from "./trace/index.ts";
export type { Dialect, Disclosure, RepairMode, SchemaChange } from "./validate/index.ts";
