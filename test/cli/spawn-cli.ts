import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts the real command line from its sources, at the root of the package. */
export function startCli(
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ["--conditions=source", "src/cli/main.ts", ...words], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
}

/** What a command printed, and its exit code. */
export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end with `input` on standard input. */
export async function runCli(words: readonly string[], input = ""): Promise<CliOutcome> {
  const child = startCli(words);
  // A command that refuses its flags ends without reading.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return outcomeOf(child);
}

/** Waits for the end of a started command. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<CliOutcome> {
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (texts.stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...texts };
}
