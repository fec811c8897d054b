import {
  clock,
  createHttpFetchTool,
  createReadFileTool,
  createRunCommandTool,
  divide,
} from "../../tools/index.ts";
import type { AnyTool } from "../tool.ts";

/**
 * The ready-made tools with safe options: files below `cwd` only, no private addresses, and a person is asked before a
 * command runs.
 */
export function defaultTools(cwd: string): readonly AnyTool[] {
  return [
    divide,
    clock,
    createReadFileTool({ root: cwd }),
    createHttpFetchTool(),
    createRunCommandTool({ cwd }),
  ];
}
