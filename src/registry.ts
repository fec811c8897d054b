import type { ArgumentFault, Json } from "../machines/index.ts";
import { checkTool } from "./check-tool.ts";
import { toErrorFacts } from "./error-facts.ts";
import type { AnyTool, JsonSchema, ToolAnnotations } from "./tool.ts";
import {
  type CompiledToolSchema,
  type CompileOptions,
  compileToolSchema,
  type Repair,
  type SchemaChange,
} from "./validate/index.ts";

/** A tool with its compiled schemas. */
export interface RegisteredTool {
  readonly tool: AnyTool;
  /** The arguments as JSON Schema, whatever they were declared with. */
  readonly inputSchema: JsonSchema;
  /** Every fault of plain arguments, `[]` when they are valid. Total. */
  readonly check: (args: Json) => readonly ArgumentFault[];
  /** Mends faulty arguments by the rules of a mode, on a copy, and tells the faults that are left. Total. */
  readonly repair: Repair;
  /** What was changed in the declared schemas to be able to compile them. */
  readonly schemaChanges: readonly SchemaChange[];
  /** What `execute` gets: an own copy, or the output of a Standard Schema. For arguments that `check` found valid. */
  readonly toArguments: (args: Json) => unknown;
  /** Every fault of a returned value, when the tool declares an output schema. Total. */
  readonly checkOutput?: (value: Json) => readonly ArgumentFault[];
}

/** A tool that cannot be used, and why. */
export interface BrokenTool {
  readonly name: string;
  readonly reason: string;
}

/** What a model is told of a tool. */
export interface ToolListing {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** The tools that there are. */
export interface Registry {
  /** The tool of exactly that name. */
  readonly get: (name: string) => RegisteredTool | undefined;
  readonly names: () => readonly string[];
  readonly list: () => readonly ToolListing[];
  /** Tools that were given and cannot be used. The others are not touched by that. */
  readonly broken: readonly BrokenTool[];
}

/** How a registry takes broken tools. */
export interface RegistryOptions {
  /** A broken tool throws. Default false: it is listed in `broken`, and the others work. */
  readonly strict?: boolean;
  /** How schemas are read: the dialect of those that name none, whether formats count, documents that `$ref`s may name. */
  readonly schemas?: CompileOptions;
  /** Hears of each broken tool. Default: a process warning. */
  readonly onBroken?: (broken: BrokenTool) => void;
}

/**
 * Registers tools: every schema is compiled here, once.
 *
 * @throws TypeError when two tools share a name; with `strict` also when a tool is broken (all of them are named)
 */
export function createRegistry(
  tools: readonly AnyTool[],
  { strict = false, onBroken = warn, schemas = {} }: RegistryOptions = {},
): Registry {
  if (!Array.isArray(tools)) throw new TypeError("createRegistry needs a list of tools.");
  const registered = new Map<string, RegisteredTool>();
  const broken: BrokenTool[] = [];
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = nameOf(tool, index);
    if (seen.has(name)) throw new TypeError(`Two tools are named "${name}". Rename one of them.`);
    seen.add(name);
    try {
      registered.set(name, register(tool, schemas));
    } catch (thrown) {
      broken.push({ name, reason: toErrorFacts(thrown).message });
    }
  }
  if (strict && broken.length > 0) {
    const reasons = broken.map(({ name, reason }) => `"${name}": ${reason}`).join("; ");
    throw new TypeError(`${broken.length} of ${tools.length} tools cannot be used: ${reasons}`);
  }
  for (const each of broken) onBroken(each);
  return {
    get: (name) => registered.get(name),
    names: () => [...registered.keys()],
    list: () => [...registered.values()].map(toListing),
    broken,
  };
}

function warn({ name, reason }: BrokenTool): void {
  process.emitWarning(`The tool "${name}" cannot be used: ${reason}`, { type: "CallchartWarning" });
}

function nameOf(tool: unknown, index: number): string {
  const name: unknown =
    typeof tool === "object" && tool !== null && "name" in tool ? tool.name : undefined;
  return typeof name === "string" && name !== "" ? name : `(tool ${index + 1})`;
}

function register(tool: AnyTool, schemas: CompileOptions): RegisteredTool {
  checkTool(tool);
  const input = compile("inputSchema", tool.inputSchema, schemas);
  const output =
    tool.outputSchema === undefined
      ? undefined
      : compile("outputSchema", tool.outputSchema, schemas);
  return {
    tool,
    inputSchema: input.jsonSchema,
    check: input.check,
    repair: input.repair,
    schemaChanges: output === undefined ? input.changes : [...input.changes, ...output.changes],
    toArguments: input.toValue,
    ...(output === undefined ? {} : { checkOutput: output.check }),
  };
}

function compile(
  field: "inputSchema" | "outputSchema",
  schema: AnyTool["inputSchema"],
  options: CompileOptions,
): CompiledToolSchema {
  try {
    return compileToolSchema(schema, field === "inputSchema" ? "arguments" : "output", options);
  } catch (thrown) {
    throw new TypeError(`its ${field} cannot be compiled: ${toErrorFacts(thrown).message}`);
  }
}

function toListing({ tool, inputSchema }: RegisteredTool): ToolListing {
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
  };
}
