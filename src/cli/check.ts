import type { ArgumentRepair, Json, TakenCall, ToolFailure } from "../../machines/contract.ts";
import { failureOf } from "../../machines/failure.ts";
import { createRegistry, type Registry } from "../registry.ts";
import { takeCall } from "../take-call.ts";
import { type RepairMode, validateCall } from "../validate/index.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT, UnusableError, unusableOnThrow } from "./exit.ts";
import { type Io, warn, write } from "./io.ts";
import { paint } from "./outcome.ts";
import { padName, toOneLine, toPrintable } from "./printable.ts";
import { type CallLine, readCalls } from "./read-calls.ts";
import { openInput, readLines, readText } from "./read-lines.ts";
import { readTools } from "./read-tools.ts";
import { toRepairMode } from "./repair-mode.ts";

/** What `callchart check --json` prints for each call, in this order of keys. */
export interface Verdict {
  readonly id: string;
  readonly tool: string;
  readonly valid: boolean;
  /** What the tool would get; of an invalid call, what the model gave. */
  readonly arguments: Json;
  readonly failure?: ToolFailure;
  /** The registered name of the tool, when the model wrote another. */
  readonly resolved?: string;
  /** What was mended in the arguments. */
  readonly repairs?: readonly ArgumentRepair[];
}

/** Tools that calls are checked against. */
export interface CheckTools {
  readonly registry: Registry;
  /** Why a declared tool cannot be used, by its name. */
  readonly broken: ReadonlyMap<string, string>;
}

/** `callchart check`: validates calls without executing them. */
export async function check(args: ParsedArgs, io: Io): Promise<number> {
  const toolsFile = args.get("tools") ?? "";
  const tools = toCheckTools(await readText(toolsFile, io), toolsFile);
  for (const [name, reason] of tools.broken) await warn(io, `${toolsFile}: tool ${name} ${reason}`);
  const input = await openInput(args.get("calls") ?? "-", io);
  const tell = args.has("json") ? tellJson : tellText;
  let [valid, invalid] = [0, 0];
  for await (const line of readCalls(readLines(input))) {
    const verdict = judge(line, tools, toRepairMode(args));
    if (verdict.valid) valid += 1;
    else invalid += 1;
    await write(io.stdout, tell(verdict, io));
  }
  if (!args.has("json")) await write(io.stdout, `\n${valid} valid, ${invalid} invalid\n`);
  return invalid > 0 && args.has("strict") ? EXIT.failed : EXIT.ok;
}

/** Reads and compiles a list of tools. Throws `UnusableError` when it is no list, or no tool of it can be used. */
export function toCheckTools(text: string, source: string): CheckTools {
  const declared = unusableOnThrow(source, () => readTools(text));
  const tools = declared.tools.map((tool) => ({ ...tool, execute: refuse }));
  const registry = unusableOnThrow(source, () => createRegistry(tools, { onBroken: () => {} }));
  const broken = new Map([
    ...declared.broken,
    ...registry.broken.map(({ name, reason }) => [name, `cannot be used: ${reason}`] as const),
  ]);
  if (registry.names().length > 0) return { registry, broken };
  const [[name, reason] = ["", "it is empty"]] = broken;
  throw new UnusableError(`${source} has no usable tool: ${name} ${reason}`);
}

/** Judges one call. Total. */
export function judge(
  line: CallLine,
  { registry, broken }: CheckTools,
  repair?: RepairMode,
): Verdict {
  const { call, refused } = takeCall(line);
  const verdict = (rest: Omit<Verdict, "id" | "tool">): Verdict => ({
    id: line.id,
    tool: call.name,
    ...rest,
  });
  const fail = (failure: ToolFailure): Verdict =>
    verdict({ valid: false, arguments: call.arguments, failure });
  if (line.problem !== undefined) return fail(failureOf("invalid_call", line.problem));
  if (refused !== undefined) return fail(refused);
  const reason = broken.get(call.name);
  if (reason !== undefined) return fail(brokenTool(call, reason));
  const checked = validateCall({ registry, call, ...(repair === undefined ? {} : { repair }) });
  const { toolName = call.name, repairs = [] } = checked;
  return verdict({
    valid: checked.ok,
    arguments: checked.ok ? checked.arguments : call.arguments,
    ...(checked.ok ? {} : { failure: checked.failure }),
    ...(toolName === call.name ? {} : { resolved: toolName }),
    ...(repairs.length === 0 ? {} : { repairs }),
  });
}

function brokenTool({ name }: TakenCall, reason: string): ToolFailure {
  return failureOf(
    "unknown_tool",
    `The tool "${name}" is declared, but ${reason}. It cannot be called.`,
  );
}

function refuse(): never {
  throw new Error("a check executes nothing");
}

function tellJson(verdict: Verdict): string {
  return `${JSON.stringify(verdict)}\n`;
}

function tellText({ id, tool, valid, failure, resolved, repairs = [] }: Verdict, io: Io): string {
  const outcome = valid ? "valid" : `invalid ${failure?.code ?? ""}`;
  const head = [
    paint(valid ? "✓" : "✗", valid, io.stdout),
    padName(toOneLine(id), 22),
    padName(toOneLine(tool) || "-", 26),
    paint(outcome, valid, io.stdout),
  ].join(" ");
  const notes = [
    ...(resolved === undefined ? [] : [`read as a call of ${resolved}`]),
    ...repairs.map(({ message }) => `mended: ${message}`),
    ...(failure?.message ?? "").split("\n").filter((line) => line.trim() !== ""),
  ];
  return `${[head, ...notes.map((line) => `    ${toPrintable(line)}`)].join("\n")}\n`;
}
