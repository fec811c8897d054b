import type { Json, TakenCall, ToolFailure } from "../../machines/index.ts";
import { failureOf } from "../../machines/index.ts";
import { nearest } from "./nearest.ts";
import { parseArguments } from "./parse.ts";
import type { CompiledToolSchema } from "./schema.ts";

export { type CompiledToolSchema, compileToolSchema } from "./schema.ts";

/** What validation needs to know of the tools there are. */
export interface ToolLookup {
  readonly get: (name: string) => Pick<CompiledToolSchema, "check"> | undefined;
  readonly names: () => readonly string[];
}

/** A call to be validated. */
export interface ValidateInput {
  readonly registry: ToolLookup;
  readonly call: TakenCall;
}

/** The arguments that the tool may get, or why it may not run. */
export type Validated =
  | { readonly ok: true; readonly arguments: Json }
  | { readonly ok: false; readonly failure: ToolFailure };

/** Faults that one message tells; the rest is counted. */
const MAX_TOLD = 10;
const MAX_MESSAGE_CHARS = 4000;
const MAX_NAMES = 20;

/** Is this a call of a known tool with arguments that fit its schema? Total: whatever the model sent, it never throws. */
export function validateCall({ registry, call }: ValidateInput): Validated {
  const tool = registry.get(call.name);
  if (tool === undefined) return { ok: false, failure: unknownTool(call.name, registry.names()) };
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "fault") {
    return invalid(call.name, [{ path: "", keyword: "json", message: parsed.message }]);
  }
  const args = parsed.kind === "missing" ? {} : parsed.value;
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    const type = Array.isArray(args) ? "a list" : `a ${typeof args}`;
    const message = `arguments must be a JSON object, not ${type}`;
    return invalid(call.name, [{ path: "", keyword: "type", message }]);
  }
  const faults = tool.check(args);
  return faults.length === 0 ? { ok: true, arguments: args } : invalid(call.name, faults);
}

function invalid(name: string, faults: NonNullable<ToolFailure["faults"]>): Validated {
  const told = faults.slice(0, MAX_TOLD).map(({ message }) => `- ${message}`);
  const more = faults.length > MAX_TOLD ? [`- and ${faults.length - MAX_TOLD} more`] : [];
  const message = [
    `The arguments of "${name}" are not valid, and it was not run:`,
    ...told,
    ...more,
    "Correct this and call it again.",
  ].join("\n");
  const failure = failureOf("invalid_arguments", shorten(message), { faults });
  return { ok: false, failure };
}

function unknownTool(name: string, names: readonly string[]): ToolFailure {
  const near = nearest(name, names);
  const shown = JSON.stringify(name.slice(0, 100).toWellFormed());
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((each) => JSON.stringify(each)).join(" or ")}?`
      : names.length === 0
        ? "There are no tools."
        : `There are: ${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? " …" : ""}.`;
  return failureOf("unknown_tool", `There is no tool ${shown}. ${hint}`, { nearest: near });
}

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS
    ? message
    : `${message.slice(0, MAX_MESSAGE_CHARS).toWellFormed()}…`;
}
