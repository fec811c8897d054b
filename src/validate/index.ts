import type { ArgumentRepair, Json, TakenCall, ToolFailure } from "../../machines/index.ts";
import { isList } from "../plain.ts";
import { toFault } from "./explain/explain.ts";
import { ambiguousTool, invalidArguments, unknownTool } from "./explain/message.ts";
import { type ParseLimits, parseArguments } from "./parse/index.ts";
import type { RepairMode } from "./repair/index.ts";
import { resolveName } from "./resolve/index.ts";
import type { CompiledToolSchema } from "./schema.ts";

export {
  type CompileOptions,
  compileValidator,
  type Dialect,
  type SchemaChange,
  SchemaError,
  type SchemaFault,
  type SchemaValidator,
} from "./dialect/index.ts";
export { toFaults } from "./explain/explain.ts";
export { type Parsed, type ParseLimits, type ParseOptions, parseArguments } from "./parse/index.ts";
export {
  REPAIR_RULES,
  type Repaired,
  type RepairInput,
  type RepairMode,
  type RepairRule,
  type RepairRuleName,
  repairData,
} from "./repair/index.ts";
export { type ResolvedName, resolveName } from "./resolve/index.ts";
export { nearest } from "./resolve/nearest.ts";
export { type CompiledToolSchema, compileToolSchema } from "./schema.ts";
export type { Repair, RepairedData, RepairOptions } from "./schema-check.ts";

/** What validation needs to know of a tool. */
export type KnownTool = Pick<CompiledToolSchema, "check" | "repair">;

/** What validation needs to know of the tools there are. */
export interface ToolLookup {
  readonly get: (name: string) => KnownTool | undefined;
  readonly names: () => readonly string[];
}

/**
 * What may be revealed of tools that the caller may not use.
 * `full`: their names; calls of them are refused for want of permission.
 * `allowed-only`: nothing; calls of them are answered as if there were no such tool.
 * `none`: as `allowed-only`, and an unknown name is answered without any name.
 */
export type Disclosure = "full" | "allowed-only" | "none";

/** A call to be validated. */
export interface ValidateInput {
  readonly registry: ToolLookup;
  readonly call: TakenCall;
  readonly limits?: ParseLimits;
  /** Default `"safe"`. With `"none"` names must be exact as well. */
  readonly repair?: RepairMode;
  /** Default `"full"`. */
  readonly disclosure?: Disclosure;
  /** May this caller use the tool of that (registered) name? Default: any. Total. */
  readonly mayUse?: (name: string) => boolean;
}

/** The arguments that the tool may get (an own plain copy), or why it may not run. */
export type Validated =
  | ({ readonly ok: true; readonly arguments: Json } & Understood)
  | ({ readonly ok: false; readonly failure: ToolFailure } & Partial<Understood>);

/** How a call was read. */
interface Understood {
  /** The registered name of the tool that is meant. */
  readonly toolName: string;
  /** What was mended in the arguments. */
  readonly repairs: readonly ArgumentRepair[];
}

/**
 * Is this a call of a known tool with arguments that fit its schema? Resolves the tool, parses the arguments, checks them,
 * mends what is mechanical and explains what is wrong. Total: whatever the model sent, it never throws.
 *
 * Of a tool that the caller may not use nothing is told, not even what is wrong with its arguments: they pass unchecked, so
 * that the refusal comes from permission.
 */
export function validateCall(input: ValidateInput): Validated {
  const { registry, call, disclosure = "full", mayUse } = input;
  const allowed = mayUse === undefined || mayUse(call.name);
  const exact = allowed || disclosure === "full" ? registry.get(call.name) : undefined;
  if (exact !== undefined) return readArguments(input, { name: call.name, tool: exact, allowed });
  const resolved = resolveTool(input);
  if (typeof resolved !== "string") return { ok: false, failure: resolved };
  const tool = registry.get(resolved);
  if (tool === undefined) return { ok: false, failure: unknownTool(call.name, NOTHING_TOLD) };
  return readArguments(input, {
    name: resolved,
    tool,
    allowed: mayUse === undefined || mayUse(resolved),
  });
}

/** The name of the one tool that a misspelt name means, or why there is none for this caller. */
function resolveTool(input: ValidateInput): string | ToolFailure {
  const { registry, call, repair, disclosure, mayUse } = input;
  // A name is never resolved to, nor compared with, one that the caller must not know.
  const isKnown = disclosure === "full" || disclosure === undefined ? undefined : mayUse;
  const names = isKnown === undefined ? registry.names() : registry.names().filter(isKnown);
  const resolved = resolveName(call.name, names);
  if (resolved.kind === "tool" && repair !== "none") return resolved.name;
  if (disclosure === "none") return unknownTool(call.name, NOTHING_TOLD);
  if (resolved.kind === "ambiguous") return ambiguousTool(call.name, resolved.names);
  const nearest = resolved.kind === "tool" ? [resolved.name] : resolved.nearest;
  return unknownTool(call.name, { names, nearest });
}

const NOTHING_TOLD = { names: undefined, nearest: [] };

/** The tool that a call means, and whether its caller may use it. */
interface Meant {
  readonly name: string;
  readonly tool: KnownTool;
  readonly allowed: boolean;
}

function readArguments({ call, limits, repair = "safe" }: ValidateInput, meant: Meant): Validated {
  const { name, tool, allowed } = meant;
  const parsed = parseArguments(call.arguments, { ...limits, repair });
  const args = parsed.kind === "value" ? parsed.value : {};
  const isObject = typeof args === "object" && args !== null && !isList(args);
  if (!allowed) {
    // The refusal comes from permission, and tells nothing about the arguments.
    return { ok: true, arguments: isObject ? args : {}, toolName: name, repairs: NO_REPAIRS };
  }
  if (parsed.kind === "fault") {
    return faulty(name, [{ path: "", keyword: "json", message: parsed.message }]);
  }
  if (!isObject) return faulty(name, [toFault("", "type", notAnObject(args), "arguments")]);
  return tool.check(args).length === 0
    ? { ok: true, arguments: args, toolName: name, repairs: parsed.repairs }
    : mend(args, parsed.repairs, { name, tool, repair });
}

function mend(
  args: Json,
  read: readonly ArgumentRepair[],
  { name, tool, repair }: Pick<Meant, "name" | "tool"> & { readonly repair: RepairMode },
): Validated {
  const isTool = (given: string): boolean => resolveName(given, [name]).kind === "tool";
  const mended = tool.repair(args, { mode: repair, isTool });
  const repairs = [...read, ...mended.repairs];
  return mended.faults.length === 0
    ? { ok: true, arguments: mended.data, toolName: name, repairs }
    : { ...faulty(name, mended.faults), repairs };
}

const NO_REPAIRS: readonly ArgumentRepair[] = [];

function faulty(toolName: string, faults: Parameters<typeof invalidArguments>[1]): Validated {
  return { ok: false, failure: invalidArguments(toolName, faults), toolName, repairs: NO_REPAIRS };
}

function notAnObject(args: Json): string {
  if (isList(args)) return "must be a JSON object, not an array";
  if (typeof args !== "string") return `must be a JSON object, not a ${typeof args}`;
  const hint = /^\s*\{/.test(args)
    ? " (it looks like JSON that was encoded twice: encode it once)"
    : "";
  return `must be a JSON object, not a string${hint}`;
}
