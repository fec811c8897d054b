import { readFile } from "node:fs/promises";
import { parseCommandLine } from "./args.ts";
import type { CommandSpec, RunCommand } from "./command.ts";
import { EXIT, UnusableError } from "./exit.ts";
import { commandHelp, programHelp } from "./help.ts";
import { type Io, isBrokenPipe, write } from "./io.ts";
import { didYouMean } from "./nearest.ts";
import { toPrintable } from "./printable.ts";
import { SPECS } from "./specs.ts";

/** Loaded when needed: `--help` and `--version` should not wait for the whole runtime. */
const COMMANDS = new Map<string, () => Promise<RunCommand>>([
  ["run", async () => (await import("./run.ts")).run],
  ["tools", async () => (await import("./tools.ts")).tools],
  ["check", async () => (await import("./check.ts")).check],
  ["explain", async () => (await import("./explain.ts")).explainRecording],
  ["view", async () => (await import("./view.ts")).view],
  ["chart", async () => (await import("./chart.ts")).chart],
]);

/**
 * The program `callchart`: runs the command that `words` (the command line without node and script) name, and resolves
 * to the exit code. Never rejects for unusable input or a reader that went away.
 */
export async function program(words: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(words, io);
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.brokenPipe;
    if (!(error instanceof UnusableError)) throw error;
    const [name = ""] = words;
    const where = SPECS.has(name) ? `callchart ${name}` : "callchart";
    await write(io.stderr, `${where}: ${error.message}\nSee ${where} --help\n`);
    return EXIT.unusable;
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined) {
    await write(io.stderr, `${help(undefined, io)}\n`);
    return EXIT.unusable;
  }
  if (name === "--version") return print(io, await readVersion());
  if (name === "--help" || name === "-h" || name === "help") {
    return print(io, help(rest[0], io));
  }
  const spec = specOf(name);
  const args = parseCommandLine(spec, rest);
  if (args.has("help")) return print(io, help(name, io));
  const load = COMMANDS.get(name);
  if (load === undefined) throw new UnusableError(`${name} cannot be run`);
  return (await load())(args, io);
}

function help(name: string | undefined, io: Io): string {
  const width = Math.min(io.stdout.columns(), 100);
  return name === undefined ? programHelp(SPECS.values(), width) : commandHelp(specOf(name), width);
}

function specOf(name: string): CommandSpec {
  const spec = SPECS.get(name);
  if (spec !== undefined) return spec;
  const known = [...SPECS.keys(), "help", "--help", "--version"];
  const kind = name.startsWith("-") ? "flag" : "command";
  throw new UnusableError(`unknown ${kind} ${toPrintable(name)}${didYouMean(name, known)}`);
}

async function print(io: Io, text: string): Promise<number> {
  await write(io.stdout, `${text}\n`);
  return EXIT.ok;
}

/** The version in the package.json that this file was installed with, be it run from the sources or from `dist/`. */
async function readVersion(): Promise<string> {
  for (const path of ["../../package.json", "../../../package.json"]) {
    const text = await readFile(new URL(path, import.meta.url), "utf8").catch(() => undefined);
    const version = text === undefined ? undefined : /"version":\s*"([^"]+)"/.exec(text)?.[1];
    if (version !== undefined) return version;
  }
  return "unknown";
}
