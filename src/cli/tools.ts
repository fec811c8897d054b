import type { Registry } from "../registry.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT } from "./exit.ts";
import { type Io, write } from "./io.ts";
import { cut, toOneLine } from "./printable.ts";
import { registerTools } from "./registry.ts";
import { toSchemaLines } from "./schema-lines.ts";

/** `callchart tools`: what is registered, with schemas. */
export async function tools(args: ParsedArgs, io: Io): Promise<number> {
  const { registry } = await registerTools(args.get("tools"), io);
  const list = registry.list();
  if (args.has("json")) {
    await write(io.stdout, `${JSON.stringify({ tools: list }, null, 2)}\n`);
    return EXIT.ok;
  }
  const width = io.stdout.columns();
  await write(io.stdout, `${list.map((tool) => describe(tool, width)).join("\n\n")}\n`);
  return EXIT.ok;
}

function describe(tool: ReturnType<Registry["list"]>[number], width: number): string {
  const hints = Object.entries(tool.annotations ?? {})
    .filter(([, value]) => value === true)
    .map(([name]) => name.replace(/Hint$/, ""));
  const lines = [
    toOneLine(tool.name) + (hints.length === 0 ? "" : `  (${toOneLine(hints.join(", "))})`),
    ...(tool.description === undefined ? [] : [`  ${toOneLine(tool.description)}`]),
    ...toSchemaLines(tool.inputSchema).map((line) => `    ${line}`),
  ];
  return lines.map((line) => cut(line, width)).join("\n");
}
