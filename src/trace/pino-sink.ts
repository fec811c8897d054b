import { createRequire } from "node:module";
import type { Logger } from "pino";
import type { CallRecord, LateRecord, TraceRecord } from "../../machines/index.ts";
import type { TraceSink } from "./sink.ts";

/** The part of a pino logger that the sink uses; any logger of that shape will do. */
export type CallLogger = Pick<Logger, "info" | "warn"> & Partial<Pick<Logger, "flush">>;

/** How calls are logged. */
export interface PinoSinkOptions {
  /** Default: a new pino logger that writes to standard output. */
  readonly logger?: CallLogger;
  /** Log arguments and outputs too (redacted like everything a sink gets). Default false. */
  readonly payloads?: boolean;
}

/** A sink that logs. */
export interface PinoSink extends TraceSink {
  readonly write: (record: TraceRecord) => void;
  /**
   * Resolves when the logger says that it has handed on what it holds, with the default logger when all is written; rejects
   * when it cannot.
   */
  readonly flush: () => Promise<void>;
}

/** One structured line for each call: `info` when it succeeded, `warn` when it failed or its outcome came late. */
export function createPinoSink({
  logger = defaultLogger(),
  payloads = false,
}: PinoSinkOptions = {}): PinoSink {
  return {
    name: "pino",
    write(record) {
      if (record.type === "late") logLate(logger, record);
      else logCall(logger, record, payloads);
    },
    flush: () => flush(logger),
  };
}

/**
 * pino takes some 30 ms to load, so it is loaded when a logger of its own is wanted, not with the package. It writes
 * synchronously: pino's `flush` does not wait for writes of an asynchronous destination that does not buffer.
 */
function defaultLogger(): CallLogger {
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  return pino({ name: "callchart" }, pino.destination({ dest: 1, sync: true }));
}

function logCall(
  logger: CallLogger,
  { call, result, ...record }: CallRecord,
  payloads: boolean,
): void {
  const { failure, metadata } = result;
  const fields = {
    callId: call.id,
    executionId: record.executionId,
    tool: result.toolName,
    ...(metadata.calledAs === undefined ? {} : { calledAs: metadata.calledAs }),
    ...(metadata.repairs === undefined
      ? {}
      : { repairs: metadata.repairs.map(({ rule }) => rule) }),
    success: result.success,
    ...(failure === undefined
      ? {}
      : { code: failure.code, stage: failure.stage, executed: failure.executed }),
    latencyMs: result.latencyMs,
    humanWaitMs: metadata.humanWaitMs,
    attempts: metadata.attempts,
    stages: metadata.stages,
    ...(payloads ? { arguments: call.arguments, output: result.output, error: result.error } : {}),
  };
  if (result.success) logger.info(fields, "tool call succeeded");
  else logger.warn(fields, "tool call failed");
}

function logLate(
  logger: CallLogger,
  { callId, executionId, toolName, attempt, at, outcome }: LateRecord,
): void {
  logger.warn(
    { callId, executionId, tool: toolName, attempt, at, outcome: outcome.status },
    "a tool settled after its call had ended",
  );
}

function flush(logger: CallLogger): Promise<void> {
  return new Promise((resolve, reject) => {
    if (logger.flush === undefined) return resolve();
    logger.flush((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}
