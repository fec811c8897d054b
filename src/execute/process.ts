import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Captured, createBoundedCapture } from "./bounded-capture.ts";

/** A process to run, and how much of it to keep. */
export interface ProcessOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment: nothing is inherited. */
  readonly env: { readonly [name: string]: string };
  /** Aborting it ends the process and everything that it started. */
  readonly signal: AbortSignal;
  /** Bytes kept of each of stdout and stderr, half from the start and half from the end. */
  readonly maxBytes: number;
  /** How long the group may take to end after SIGTERM before SIGKILL, in ms. Default 500. */
  readonly killAfterMs?: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly exitSignal: NodeJS.Signals | null;
  /** It was told to stop before it had ended by itself. */
  readonly aborted: boolean;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;
type Exit = readonly [code: number | null, signal: NodeJS.Signals | null];

/** How long output that is in the pipes already may take to be read once the group is gone, in ms. */
const DRAIN_MS = 250;

/**
 * Runs a process as the leader of its own process group, with stdin closed, until it exits.
 *
 * It settles on the exit of that process, not on the end of its output: what it left running in the background is killed,
 * so a grandchild that holds the pipes cannot hold the call. When the signal is aborted the whole group gets SIGTERM, and
 * SIGKILL `killAfterMs` later unless all of it has let go of the pipes before. POSIX only.
 *
 * A descendant that made a session of its own (`setsid`) has left the group and outlives it. If this program is ended by
 * `process.exit` or an uncaught exception the groups are killed with it. A signal that it has no listener for (SIGINT,
 * SIGTERM, SIGHUP, and always SIGKILL) ends it without that: they run on, so a program must listen and exit by itself.
 *
 * @throws the abort reason when the signal was aborted before; the system's error when the process cannot be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { file, args, cwd, env, signal, maxBytes, killAfterMs = 500 } = options;
  signal.throwIfAborted();
  const child = spawn(file, [...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, exitSignal) => resolve([code, exitSignal]));
  });
  const { pid } = child;
  // It could not be started, and may not even have pipes: only its "error" is to come.
  if (pid === undefined) throw await exited.catch((error: unknown) => error);
  const stdout = capture(child.stdout, maxBytes);
  const stderr = capture(child.stderr, maxBytes);
  const closed = Promise.all([stdout.ended, stderr.ended]);
  const stopper = createStopper(pid, signal, killAfterMs);
  try {
    const [exitCode, exitSignal] = await exited;
    const aborted = stopper.stopping !== undefined;
    // Told to stop, the others of the group have the same time as their leader to clean up.
    if (aborted) await Promise.race([closed, stopper.stopping]);
    killGroup(pid, "SIGKILL");
    await within(DRAIN_MS, closed);
    return { stdout: stdout.read(), stderr: stderr.read(), exitCode, exitSignal, aborted };
  } finally {
    stopper.dispose();
    release(child);
  }
}

function capture(stream: Readable, maxBytes: number) {
  const bytes = createBoundedCapture(maxBytes);
  const ended = new Promise<void>((resolve) => stream.once("close", resolve));
  stream.on("data", bytes.write);
  // A pipe that breaks ends like one that was closed: what came before is kept.
  stream.on("error", () => stream.destroy());
  return { read: bytes.read, ended };
}

/** Ends the group when the signal is aborted; `stopping` resolves when it was sent SIGKILL. */
function createStopper(pid: number, signal: AbortSignal, killAfterMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const stopper = {
    stopping: undefined as Promise<void> | undefined,
    dispose(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      groups.delete(pid);
      if (groups.size === 0) process.removeListener("exit", killAllGroups);
    },
  };
  const stop = (): void => {
    killGroup(pid, "SIGTERM");
    stopper.stopping = new Promise((resolve) => {
      timer = setTimeout(() => {
        killGroup(pid, "SIGKILL");
        resolve();
      }, killAfterMs);
    });
  };
  if (groups.size === 0) process.on("exit", killAllGroups);
  groups.add(pid);
  signal.addEventListener("abort", stop, { once: true });
  return stopper;
}

/** The groups that run now: a detached group would outlive this program. */
const groups = new Set<number>();

function killAllGroups(): void {
  for (const pid of groups) killGroup(pid, "SIGKILL");
}

/** Signals every process of a group. A group that is gone already is no error. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left. EPERM (macOS): only zombies are left, or it changed its user; nothing can be done about it.
  }
}

async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** Lets go of pipes that somebody outside the group still holds open. */
function release(child: Child): void {
  child.stdout.destroy();
  child.stderr.destroy();
}
