export { type ClockReading, type ClockToolOptions, clock, createClockTool } from "./clock.ts";
export { divide } from "./divide.ts";
export {
  createHttpFetchTool,
  type HostAddress,
  type HttpFetchToolOptions,
  type ResolveHost,
} from "./http-fetch.ts";
export {
  createMockTool,
  MOCK_KINDS,
  type MockBehaviour,
  type MockClock,
  type MockRun,
  type MockTool,
  type MockToolOptions,
  makeOddShape,
  ODD_SHAPES,
  type OddShape,
} from "./mock.ts";
export { createReadFileTool, type ReadFileToolOptions } from "./read-file.ts";
export { createRunCommandTool, type RunCommandToolOptions } from "./run-command.ts";
