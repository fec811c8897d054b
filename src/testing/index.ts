export {
  createDeferredTool,
  type DeferredRun,
  type DeferredTool,
  type DeferredToolOptions,
} from "./deferred-tool.ts";
export {
  type CallchartMatchers,
  callchartMatchers,
  type ExpectedFailure,
  type Passed,
} from "./matchers.ts";
export { recordStages, type StageRecorder } from "./record-stages.ts";
export { advance, createTestExecutor, settle, type TestExecutor } from "./test-executor.ts";
