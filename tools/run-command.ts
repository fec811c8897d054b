import { type ProcessEnd, runProcess } from "../src/execute/process.ts";
import {
  defineTool,
  type JsonSchema,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolOutput,
  toolOutput,
} from "../src/tool.ts";

interface RunCommandArguments {
  readonly command: string;
}

/** How to make a command tool. */
export interface RunCommandToolOptions {
  /** The folder to run in. Default: that of this program. */
  readonly cwd?: string;
  /** Variables added to the few that are passed on (`PATH`, `HOME`, `LANG`, `TZ`, `TMPDIR`, …); these win. */
  readonly env?: { readonly [name: string]: string };
  /** Default true: a person approves each command. */
  readonly requiresApproval?: Tool["requiresApproval"];
  /** Bytes kept of each of stdout and stderr: half from the start, half from the end. Default 40 000. */
  readonly maxBytes?: number;
}

/** What a command gets of this program's environment: enough to find programs, and no secret. */
const PASSED_ON = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TMPDIR",
  "TZ",
  "USER",
] as const;

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
const KILL_AFTER_MS = 500;
/** Trying again may find a free process or file descriptor. */
const EXHAUSTED: ReadonlySet<string> = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

/**
 * Makes the tool `run_command`: a shell line, run by `/bin/sh -c` in its own process group with no input and a scrubbed
 * environment. It runs with all rights of this program's user: this is no sandbox. POSIX only.
 *
 * Returns stdout as output, stderr, exit code and signal each in its channel, of long output the head and the tail. What is
 * left of the group is killed when the shell exits. On abort the group is ended (SIGTERM, then SIGKILL after 500 ms), and
 * what it had written until then is kept. Fails with code `not_started` when there was no process.
 */
export function createRunCommandTool(
  options: RunCommandToolOptions = {},
): Tool<JsonSchema, ToolOutput> {
  const { cwd, env = {}, requiresApproval = true, maxBytes = 40_000 } = options;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw new TypeError(`maxBytes must be a whole number of bytes, not ${maxBytes}.`);
  }
  return defineTool<JsonSchema, ToolOutput>({
    name: "run_command",
    description: [
      "Runs a shell command line with /bin/sh and returns what it prints, its errors and its exit code.",
      "There is no input and no terminal: pass data with pipes or here-documents, and use flags such as --yes where a program would ask.",
      "Each call starts anew in the same folder: cd and variables do not last. Background processes are ended when the command ends.",
      `Of output longer than ${maxBytes} bytes only the start and the end are returned.`,
    ].join(" "),
    inputSchema: {
      type: "object",
      properties: {
        command: {
          type: "string",
          minLength: 1,
          // Linux refuses one argument of 128 KiB or more (MAX_ARG_STRLEN); a character has up to 3 bytes per code unit.
          maxLength: 40_000,
          description: 'The command line for /bin/sh, such as "ls -l | head -n 20".',
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    annotations: {
      title: "Run a command",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requiresApproval,
    // The group needs its half second to end, and what it wrote until then is worth having.
    graceMs: KILL_AFTER_MS + 1500,
    // The capture has cut already, and says how much: the normalizer need not cut again.
    limits: { outputChars: maxBytes + 1000, stderrChars: maxBytes + 1000 },
    execute: ({ command }: RunCommandArguments, context) =>
      runCommand(command, context, {
        env: { ...passedOn(process.env), ...env },
        maxBytes,
        ...(cwd === undefined ? {} : { cwd }),
      }),
  });
}

interface Settings {
  readonly cwd?: string;
  readonly env: { readonly [name: string]: string };
  readonly maxBytes: number;
}

async function runCommand(
  command: string,
  { signal }: ToolContext,
  settings: Settings,
): Promise<ToolOutput> {
  signal.throwIfAborted();
  const options = {
    ...settings,
    file: "/bin/sh",
    args: ["-c", command],
    signal,
    killAfterMs: KILL_AFTER_MS,
  };
  let end: ProcessEnd;
  try {
    end = await runProcess(options);
  } catch (cause) {
    throw toNotStarted(cause);
  }
  return toOutput(end, signal.reason);
}

function toOutput(end: ProcessEnd, abortReason: unknown): ToolOutput {
  const { stdout, stderr, exitCode, exitSignal, aborted } = end;
  const channels = {
    output: stdout.text,
    stderr: stderr.text,
    exitCode,
    signal: exitSignal,
    metadata: {
      stdoutBytes: stdout.totalBytes,
      stderrBytes: stderr.totalBytes,
      aborted,
    },
  };
  if (!aborted) return toolOutput(channels);
  return toolOutput({ ...channels, success: false, error: stoppedBecause(abortReason) });
}

function stoppedBecause(reason: unknown): string {
  const timedOut = reason instanceof Error && reason.name === "TimeoutError";
  const why = timedOut ? "it took too long" : "the call was cancelled";
  return `The command and all that it had started were ended because ${why}. What it had done until then stays done.`;
}

function toNotStarted(cause: unknown): ToolError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
  const hint =
    code === "ENOENT" || code === "ENOTDIR" ? " Its working folder or /bin/sh does not exist." : "";
  return new ToolError(`The command could not be started (${code}).${hint}`, {
    code: "not_started",
    executed: "no",
    retryable: EXHAUSTED.has(code),
    cause,
  });
}

function passedOn(env: NodeJS.ProcessEnv): { readonly [name: string]: string } {
  const result: Record<string, string> = { PATH: DEFAULT_PATH };
  for (const name of PASSED_ON) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
