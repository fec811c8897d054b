import { toMermaid } from "../../visualizer/index.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT } from "./exit.ts";
import { type Io, write } from "./io.ts";

/** `callchart chart`: the chart of one call, for Mermaid. */
export async function chart(_args: ParsedArgs, io: Io): Promise<number> {
  await write(io.stdout, `${toMermaid().trimEnd()}\n`);
  return EXIT.ok;
}
