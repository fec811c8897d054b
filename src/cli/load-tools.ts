import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Policy } from "../authorize/index.ts";
import type { ExecutorLimits } from "../limits.ts";
import type { AnyTool } from "../tool.ts";
import { reasonOf, UnusableError } from "./exit.ts";
import { isRecord, kindOf, own, type UnknownRecord } from "./record.ts";

/** What a module of tools brings. */
export interface ToolModule {
  readonly tools: readonly AnyTool[];
  /** What cannot be a tool at all, in words that name it. */
  readonly warnings: readonly string[];
  readonly policy?: Policy | readonly Policy[];
  readonly limits?: ExecutorLimits;
}

/**
 * Imports the module at `path`: its default export is an array of tools, and it may export `policy` and `limits`.
 * Throws {@link UnusableError} when there is no such file, it fails to load, or exports something else.
 */
export async function loadToolModule(path: string, cwd: string): Promise<ToolModule> {
  const exported = await importFile(resolve(cwd, path), path);
  const list = own(exported, "default");
  if (list === undefined) {
    throw new UnusableError(`${path} has no default export; it must be an array of tools`);
  }
  if (!Array.isArray(list)) {
    throw new UnusableError(
      `the default export of ${path} is ${kindOf(list)}, not an array of tools`,
    );
  }
  if (list.length === 0) throw new UnusableError(`the default export of ${path} is an empty array`);
  const policy = own(exported, "policy");
  const limits = own(exported, "limits");
  if (policy !== undefined && !isPolicy(policy)) {
    throw new UnusableError(
      `the export policy of ${path} is neither a function nor an array of them`,
    );
  }
  if (limits !== undefined && !isLimits(limits)) {
    throw new UnusableError(`the export limits of ${path} is not an object of numbers`);
  }
  return {
    ...toTools(list),
    ...(policy === undefined ? {} : { policy }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function toTools(list: readonly unknown[]): Pick<ToolModule, "tools" | "warnings"> {
  const tools: AnyTool[] = [];
  const warnings: string[] = [];
  for (const [index, entry] of list.entries()) {
    const tool = toTool(entry);
    if (typeof tool !== "string") tools.push(tool);
    else warnings.push(`tool ${nameOf(entry, index)} is left out: ${tool}`);
  }
  return { tools, warnings };
}

/** A tool, or why it is none. `parameters`, as OpenAI and others call it, is taken for `inputSchema`. */
function toTool(entry: unknown): AnyTool | string {
  if (!isRecord(entry)) return `it is ${kindOf(entry)}, not an object`;
  if (typeof entry.name !== "string") return "it has no name";
  const inputSchema = entry.inputSchema ?? entry.parameters;
  if (inputSchema === undefined) return "it has neither inputSchema nor parameters";
  const execute = entry.execute;
  if (typeof execute !== "function") return "it has no function execute";
  const tool = {
    ...entry,
    name: entry.name,
    inputSchema,
    // Called on its own object, for a tool may be an instance of somebody's class.
    execute: (...given: unknown[]): unknown => Reflect.apply(execute, entry, given),
  };
  return isTool(tool) ? tool : "it is no tool";
}

/** The registry looks at every other field and names what is wrong with it. */
function isTool(tool: object): tool is AnyTool {
  return "name" in tool && "inputSchema" in tool && "execute" in tool;
}

async function importFile(file: string, shown: string): Promise<UnknownRecord> {
  await checkExists(file, shown);
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_UNKNOWN_FILE_EXTENSION" && file.endsWith("ts")) {
      throw new UnusableError(
        `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or later, or compile ${shown}`,
      );
    }
    const where = error instanceof Error ? firstFrame(error) : "";
    throw new UnusableError(`${shown} failed to load: ${reasonOf(error)}${where}`);
  }
}

async function checkExists(file: string, shown: string): Promise<void> {
  try {
    if ((await stat(file)).isFile()) return;
  } catch (error) {
    throw new UnusableError(`cannot read ${shown}: ${reasonOf(error)}`);
  }
  throw new UnusableError(`${shown} is not a file`);
}

/** Where the module threw: the first line of the stack that is not Node's own. */
function firstFrame(error: Error): string {
  const frames = (error.stack ?? "").split("\n").map((line) => line.trim());
  const frame = frames.find((line) => line.startsWith("at ") && !line.includes("node:"));
  return frame === undefined ? "" : ` (${frame})`;
}

function nameOf(entry: unknown, index: number): string {
  const name = isRecord(entry) ? entry.name : undefined;
  return typeof name === "string" && name !== "" ? name : `#${index + 1}`;
}

function isPolicy(value: unknown): value is Policy | readonly Policy[] {
  return Array.isArray(value)
    ? value.every((item) => typeof item === "function")
    : typeof value === "function";
}

function isLimits(value: unknown): value is ExecutorLimits {
  return isRecord(value) && Object.values(value).every((limit) => typeof limit === "number");
}
