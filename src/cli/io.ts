import { type Readable, Writable } from "node:stream";
import { toOneLine } from "./printable.ts";

/** A place to write to: a terminal, a file or a pipe. */
export interface Output {
  readonly stream: Writable;
  /** It is a terminal. */
  readonly isTerminal: boolean;
  /** It shows colours and obeys cursor movements; false under `NO_COLOR` and `TERM=dumb`. */
  readonly hasColor: boolean;
  /** Width in columns; asked again on each use, for a window can be resized. Default 100. */
  readonly columns: () => number;
}

/** Everything outside of the process that a command touches, so that tests can hand over their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** A line that changes in place may be drawn on stderr: a terminal, not under `CI`, not without colours. */
  readonly live: boolean;
  /** Absolute path that relative paths start from. */
  readonly cwd: string;
  /** From now on what others write to stdout, such as a tool's `console.log`, goes to stderr: stdout is for results. */
  readonly keepStdout: () => void;
  /** Calls `listener` on each Ctrl-C until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

type TerminalLike = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** An {@link Output} over a stream. `env` decides on colour: https://no-color.org, and `TERM=dumb`. */
export function createOutput(stream: TerminalLike, env: NodeJS.ProcessEnv): Output {
  const isTerminal = stream.isTTY === true;
  return {
    stream,
    isTerminal,
    hasColor: isTerminal && !isSet(env.NO_COLOR) && env.TERM !== "dumb",
    columns: () => usableWidth(stream.columns) ?? usableWidth(Number(env.COLUMNS)) ?? 100,
  };
}

/** A terminal that closes and a service manager mean the same as Ctrl-C: commands that run must be ended first. */
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The real {@link Io} of this process. */
export function processIo(): Io {
  const stderr = createOutput(process.stderr, process.env);
  return {
    stdin: process.stdin,
    stdout: createOutput(ownStdout(), process.env),
    stderr,
    live: stderr.hasColor && !isSet(process.env.CI),
    cwd: process.cwd(),
    keepStdout: () => {
      process.stdout.write = process.stderr.write.bind(process.stderr);
    },
    onInterrupt: (listener) => {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener);
      };
    },
  };
}

/** Standard output by a way of its own, which stays open when `process.stdout` is bent. */
function ownStdout(): TerminalLike {
  const { isTTY } = process.stdout;
  const writeNow = process.stdout.write.bind(process.stdout);
  const own = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void writeNow(chunk, done),
  });
  // Whoever wrote hears of it: see `write`.
  own.on("error", () => {});
  process.stdout.on("error", () => {});
  Object.defineProperty(own, "columns", { get: () => process.stdout.columns });
  return Object.assign(own, { isTTY });
}

/** Writes `text` and resolves when it was taken, so that a slow reader slows the writer down. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** One line of warning on stderr; its text may be anybody's. */
export function warn(io: Io, message: string): Promise<void> {
  return write(io.stderr, `warning: ${toOneLine(message)}\n`);
}

/** Is this what a stream says when its reader went away? */
export function isBrokenPipe(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

function usableWidth(columns: number | undefined): number | undefined {
  if (columns === undefined || !Number.isInteger(columns) || columns < 1) return undefined;
  return Math.min(Math.max(columns, 40), 400);
}
