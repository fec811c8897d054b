import wrapAnsi from "wrap-ansi";
import { HELP } from "./args.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";

/** The help of the program: what it is, its commands, where to go on. `width` in columns. */
export function programHelp(commands: Iterable<CommandSpec>, width: number): string {
  const rows = [...commands].map((spec) => [spec.name, spec.summary] as const);
  return [
    "callchart: runs the tool calls of a model, and shows the path of each through the chart",
    section("Usage", ["callchart COMMAND [flags]", "callchart COMMAND --help"]),
    section("Commands", columns(rows, width)),
    section(
      "Flags",
      columns(
        [
          ["--help", "Show this help."],
          ["--version", "Print the version."],
        ],
        width,
      ),
    ),
    section(
      "Examples",
      columns(
        [
          ["callchart run calls.jsonl", "Run calls with the ready-made tools."],
          ["callchart run - --json < calls.jsonl", "One result a line, for programs."],
          ["callchart tools", "What can be called."],
        ],
        width,
      ),
    ),
  ].join("\n\n");
}

/** The help of one command: usage, operands, flags, notes, examples, exit codes. `width` in columns. */
export function commandHelp(spec: CommandSpec, width: number): string {
  const operands = spec.operands.map(({ name, help }) => [name, help] as const);
  const flags = [...spec.options, HELP].map((option) => [flagOf(option), option.help] as const);
  const codes = spec.exitCodes.map(([code, meaning]) => [String(code), meaning] as const);
  return [
    `callchart ${spec.name}: ${spec.summary}`,
    section("Usage", [usageOf(spec)]),
    ...(operands.length === 0 ? [] : [section("What it reads", columns(operands, width))]),
    section("Flags", columns(flags, width)),
    ...(spec.notes ?? []).map((note) => wrapAnsi(note, width)),
    section("Examples", columns(spec.examples, width)),
    section("Exit codes", columns(codes, width)),
  ].join("\n\n");
}

/** `callchart run CALLS.jsonl|- [flags]`: how a command is called. */
export function usageOf(spec: CommandSpec): string {
  const operands = spec.operands.map(({ name, required }) => (required ? name : `[${name}]`));
  const required = spec.options.filter((option) => option.required).map(flagOf);
  const words = ["callchart", spec.name, ...operands, ...required];
  return [...words, ...(spec.options.length > required.length ? ["[flags]"] : [])].join(" ");
}

function flagOf(option: OptionSpec): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`;
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Two columns; the second is wrapped. A left side that is too long for its column gets a line of its own. */
function columns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const longest = Math.max(...rows.map(([left]) => left.length));
  const left = Math.min(longest, 26);
  return rows.flatMap(([name, text]) => {
    const lines = wrapAnsi(text, Math.max(20, width - left - 4)).split("\n");
    const indented = lines.map((line) => " ".repeat(left + 2) + line);
    if (name.length > left) return [name, ...indented];
    return [name.padEnd(left + 2) + (lines[0] ?? ""), ...indented.slice(1)];
  });
}
