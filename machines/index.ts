export * from "./contract.ts";
export { type Edge, edgesOf } from "./decided-by.ts";
export {
  type ExecutorCommand,
  type ExecutorContext,
  type ExecutorEmitted,
  type ExecutorMachine,
  executorMachine,
} from "./executor.ts";
export { FAILURES, type FailureRule, failureOf } from "./failure.ts";
export type { StageWork } from "./stage-work.ts";
export { bindStages, type ToolCallMachine, toolCallMachine } from "./tool-call.ts";
export type { ChildLogic } from "./tool-call-children.ts";
export type { ChartInput, ToolCallContext } from "./tool-call-context.ts";
export type * from "./tool-call-events.ts";
