import wrapAnsi from "wrap-ansi";
import type { Registry } from "../registry.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT } from "./exit.ts";
import { type Io, write } from "./io.ts";
import { toOneLine } from "./printable.ts";
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
    .map(([name]) => toOneLine(name.replace(/Hint$/, "")));
  const title = toOneLine(tool.name) + (hints.length === 0 ? "" : `  (${hints.join(", ")})`);
  const description = tool.description === undefined ? [] : [toOneLine(tool.description)];
  return [
    wrap(title, width, 0),
    ...description.map((text) => wrap(text, width, 2)),
    ...toSchemaLines(tool.inputSchema).map((line) => wrap(line, width, 4, 4)),
  ].join("\n");
}

/** `line` wrapped and moved in by `indent` besides its own, its second line and further ones by `hanging` more. */
function wrap(line: string, width: number, indent: number, hanging = 0): string {
  const text = line.trimStart();
  const before = indent + line.length - text.length;
  const [first = "", ...rest] = wrapAnsi(text, width - before, { hard: true }).split("\n");
  const more = wrapAnsi(rest.join(" "), width - before - hanging, { hard: true }).split("\n");
  const further = rest.length === 0 ? [] : more.map((each) => " ".repeat(before + hanging) + each);
  return [" ".repeat(before) + first, ...further].join("\n");
}
