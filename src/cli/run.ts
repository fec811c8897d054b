import { resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { createExecutor, type Executor } from "../executor.ts";
import { createRecordingSink } from "../trace/index.ts";
import { type Approver, createApprover, toApproveMode } from "./approve.ts";
import type { ParsedArgs } from "./command.ts";
import { EXIT, unusableOnThrow } from "./exit.ts";
import { type Interrupt, listenForInterrupt } from "./interrupt.ts";
import { type Io, warn, write } from "./io.ts";
import { createLiveLine } from "./live-line.ts";
import { toOneLine } from "./printable.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readCalls } from "./read-calls.ts";
import { openInput, readLines } from "./read-lines.ts";
import { type LoadedTools, registerTools } from "./registry.ts";
import { toRepairMode } from "./repair-mode.ts";
import { createJsonReporter, createTextReporter } from "./reporter.ts";
import { runCalls, untilAborted } from "./run-calls.ts";
import { createRunOne } from "./run-one.ts";
import { catchStrays } from "./strays.ts";

/** Calls that run at once unless the command line or the module of tools says otherwise. */
const CONCURRENCY = 8;

/** What {@link run} has made ready. */
interface Session {
  readonly args: ParsedArgs;
  readonly io: Io;
  readonly input: Readable;
  readonly executor: Executor;
  readonly approver: Approver;
  readonly progress: Progress;
  readonly interrupt: Interrupt;
  readonly concurrency: number;
}

/** `callchart run`: executes calls and tells what came of them. */
export async function run(args: ParsedArgs, io: Io): Promise<number> {
  const [calls = "-"] = args.operands;
  const mode = toApproveMode(args.get("approve"), calls, io);
  const loaded = await registerTools(args.get("tools"), io);
  const input = await openInput(calls, io);
  const executor = makeExecutor(args, io, loaded);
  const progress = createProgress(createLiveLine(io.stderr, io.live));
  const refuseScripted = args.get("approve") === "none";
  const session: Session = {
    args,
    io,
    input,
    executor,
    approver: createApprover({ mode, refuseScripted, executor, io, progress }),
    progress,
    interrupt: listenForInterrupt(io),
    concurrency: args.number("concurrency") ?? loaded.limits?.concurrency ?? CONCURRENCY,
  };
  const stopCatching = catchStrays(io);
  try {
    return await execute(session);
  } finally {
    stopCatching();
    progress.stop();
    session.interrupt.stopListening();
    input.destroy();
    // Nothing runs any more, unless the output broke: then nobody waits for what does.
    await executor.close({ drainMs: 0 });
  }
}

async function execute(session: Session): Promise<number> {
  const { args, io, input, progress, concurrency } = session;
  const { signal } = session.interrupt;
  const reporter = args.has("json")
    ? createJsonReporter(io, progress)
    : createTextReporter(io, progress);
  addAbortSignal(signal, input);
  const lines = untilAborted(readCalls(readLines(input)), signal);
  let failed = false;
  for await (const finished of runCalls(lines, { concurrency, runOne: createRunOne(session) })) {
    failed ||= !finished.result.success;
    await reporter.result(finished);
  }
  progress.stop();
  await reporter.end();
  const file = args.get("record");
  if (file !== undefined && !args.has("json")) {
    await write(io.stdout, `recording: ${toOneLine(file)}\n`);
  }
  if (signal.aborted) return EXIT.interrupted;
  return failed && args.has("strict") ? EXIT.failed : EXIT.ok;
}

function makeExecutor(
  args: ParsedArgs,
  io: Io,
  { registry, policy, limits }: LoadedTools,
): Executor {
  const concurrency = args.number("concurrency");
  const executionTimeoutMs = args.number("timeout-ms");
  const file = args.get("record");
  const sinks =
    file === undefined
      ? []
      : [unusableOnThrow(file, () => createRecordingSink({ file: resolve(io.cwd, file) }))];
  return unusableOnThrow(args.get("tools") ?? "flags", () =>
    createExecutor({
      registry,
      ...(policy === undefined ? {} : { policy }),
      limits: {
        ...limits,
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(executionTimeoutMs === undefined ? {} : { executionTimeoutMs }),
      },
      repair: toRepairMode(args),
      sinks,
      onDefect: ({ name, message }) => void warn(io, `${name}: ${message}`),
    }),
  );
}
