import type { ArgumentFault, Json, ToolFailure } from "../../machines/index.ts";
import { createRegistry } from "../../src/registry.ts";
import type { ToolSchema } from "../../src/tool.ts";
import {
  type ParseLimits,
  type RepairMode,
  type Validated,
  validateCall,
} from "../../src/validate/index.ts";

/** Validates one call of a tool `t` with a schema. */
export function judge(
  inputSchema: ToolSchema,
  args: Json,
  { repair = "safe", ...limits }: ParseLimits & { readonly repair?: RepairMode } = {},
): Validated {
  const registry = createRegistry([{ name: "t", inputSchema, execute: () => null }], {
    strict: true,
  });
  const call = { id: "1", name: "t", arguments: args };
  return validateCall({ registry, call, limits, repair });
}

/** The failure of a call that must not be valid. */
export function failureIn(validated: Validated): ToolFailure {
  if (validated.ok) throw new Error(`It is valid: ${JSON.stringify(validated.arguments)}`);
  return validated.failure;
}

/** The faults of a call that must not be valid. */
export function faultsIn(validated: Validated): readonly ArgumentFault[] {
  const { faults } = failureIn(validated);
  if (faults === undefined) throw new Error("The failure has no faults.");
  return faults;
}
