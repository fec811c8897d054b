export { explain } from "./explain.ts";
export { createMemorySink, type MemorySink } from "./memory-sink.ts";
export {
  type CallLogger,
  createPinoSink,
  type PinoSinkOptions,
} from "./pino-sink.ts";
export { type Recording, readRecording } from "./read-recording.ts";
export {
  createRecordingSink,
  type RecordingSink,
  type RecordingSinkOptions,
} from "./recording-sink.ts";
export { createRedactor, type RedactOptions, redactRecord } from "./redact.ts";
export type { TraceSink } from "./sink.ts";
