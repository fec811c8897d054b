import { createRegistry, type Registry } from "../registry.ts";
import type { AnyTool } from "../tool.ts";
import { defaultTools } from "./default-tools.ts";
import { UnusableError, unusableOnThrow } from "./exit.ts";
import { type Io, warn } from "./io.ts";
import { loadToolModule, type ToolModule } from "./load-tools.ts";

/** A registry, with what else the module of tools said. */
export interface LoadedTools extends Pick<ToolModule, "policy" | "limits"> {
  readonly registry: Registry;
}

/**
 * The tools of `module` (a path; without it the ready-made ones), registered. A broken tool is a warning on stderr.
 * Throws `UnusableError` when none is left, or two have one name.
 */
export async function registerTools(module: string | undefined, io: Io): Promise<LoadedTools> {
  if (module === undefined)
    return { registry: await register(defaultTools(io.cwd), io, "callchart") };
  io.keepStdout();
  const { tools, warnings, ...rest } = await loadToolModule(module, io.cwd);
  for (const warning of warnings) await warn(io, `${module}: ${warning}`);
  return { registry: await register(tools, io, module), ...rest };
}

async function register(tools: readonly AnyTool[], io: Io, source: string): Promise<Registry> {
  const registry = unusableOnThrow(source, () => createRegistry(tools, { onBroken: quiet }));
  for (const { name, reason } of registry.broken) {
    await warn(io, `${source}: tool ${name} is left out: ${reason}`);
  }
  if (registry.names().length === 0) throw new UnusableError(`${source} has no usable tool`);
  return registry;
}

/** Broken tools are told by name once they are all known, not as process warnings. */
function quiet(): void {}
