import type { Json, RawOutcome, TakenCall, ToolFailure } from "../../machines/index.ts";
import type { RegisteredTool } from "../registry.ts";
import { type McpResult, readMcpResult } from "./mcp.ts";

/** How a call ended, before it becomes a result. */
export interface NormalizeInput {
  /** Absent: no such tool is registered. */
  readonly tool?: Pick<RegisteredTool, "tool" | "checkOutput">;
  readonly call: TakenCall;
  /** What the tool got. Absent: it was not run. */
  readonly arguments?: Json;
  /** What the last attempt came to. Absent: the tool was not run, or never settled. */
  readonly outcome?: RawOutcome;
  /** Why the call failed, as far as that is known before the outcome is looked at. */
  readonly failure?: ToolFailure;
}

/** The input, and what its value is as an MCP result: read once, since it may be large. */
export interface Reading extends NormalizeInput {
  readonly mcp: McpResult | undefined;
}

/** Reads what the tool returned. */
export function read(input: NormalizeInput): Reading {
  return { ...input, mcp: readMcpResult(input.outcome?.value) };
}
