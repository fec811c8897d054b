export { explain } from "./explain.ts";
export { createMemorySink, type MemorySink, type MemorySinkOptions } from "./memory-sink.ts";
export {
  type CallLogger,
  createPinoSink,
  type PinoSink,
  type PinoSinkOptions,
} from "./pino-sink.ts";
export { type Recording, readRecording } from "./read-recording.ts";
export {
  createRecordingSink,
  type RecordingSink,
  type RecordingSinkOptions,
} from "./recording-sink.ts";
export { createRedactor, type RedactOptions, type Redactor, redactRecord } from "./redact.ts";
export type { TraceSink } from "./sink.ts";
