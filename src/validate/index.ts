import type { Json, TakenCall, ToolFailure } from "../../machines/index.ts";
import type { Check } from "./compile.ts";
import { toFault } from "./explain.ts";
import { invalidArguments, unknownTool } from "./message.ts";
import { type ParseLimits, parseArguments } from "./parse.ts";

export type { ParseLimits } from "./parse.ts";
export { type CompiledToolSchema, compileToolSchema } from "./schema.ts";

/** What validation needs to know of the tools there are. */
export interface ToolLookup {
  readonly get: (name: string) => { readonly check: Check } | undefined;
  readonly names: () => readonly string[];
}

/** A call to be validated. */
export interface ValidateInput {
  readonly registry: ToolLookup;
  readonly call: TakenCall;
  readonly limits?: ParseLimits;
}

/** The arguments that the tool may get (an own plain copy), or why it may not run. */
export type Validated =
  | { readonly ok: true; readonly arguments: Json }
  | { readonly ok: false; readonly failure: ToolFailure };

/**
 * Is this a call of a known tool with arguments that fit its schema? Resolves the tool, parses the arguments, checks them
 * and explains what is wrong. Total: whatever the model sent, it never throws.
 */
export function validateCall({ registry, call, limits }: ValidateInput): Validated {
  const tool = registry.get(call.name);
  if (tool === undefined) return refuse(unknownTool(call.name, registry.names()));
  const parsed = parseArguments(call.arguments, limits);
  if (parsed.kind === "fault") {
    const fault = { path: "", keyword: "json", message: parsed.message };
    return refuse(invalidArguments(call.name, [fault]));
  }
  const args = parsed.kind === "missing" ? {} : parsed.value;
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return refuse(
      invalidArguments(call.name, [toFault("", "type", notAnObject(args), "arguments")]),
    );
  }
  const faults = tool.check(args);
  return faults.length === 0
    ? { ok: true, arguments: args }
    : refuse(invalidArguments(call.name, faults));
}

function refuse(failure: ToolFailure): Validated {
  return { ok: false, failure };
}

function notAnObject(args: Json): string {
  if (Array.isArray(args)) return "must be a JSON object, not an array";
  if (typeof args !== "string") return `must be a JSON object, not a ${typeof args}`;
  const hint = /^\s*\{/.test(args)
    ? " (it looks like JSON that was encoded twice: encode it once)"
    : "";
  return `must be a JSON object, not a string${hint}`;
}
