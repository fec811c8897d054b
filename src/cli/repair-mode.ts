import type { RepairMode } from "../validate/index.ts";
import type { OptionSpec, ParsedArgs } from "./command.ts";

const MODES = ["none", "safe", "lenient"] as const satisfies readonly RepairMode[];

/** `--repair`, of every command that reads arguments. */
export const REPAIR: OptionSpec = {
  name: "repair",
  value: "MODE",
  choices: MODES,
  help: "How much of faulty arguments is mended: none, safe (what is mechanical) or lenient. Default safe.",
};

/** The mode that a command line asks for. */
export function toRepairMode(args: ParsedArgs): RepairMode {
  const given = args.get(REPAIR.name);
  return MODES.find((mode) => mode === given) ?? "safe";
}
