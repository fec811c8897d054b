/** The format that the first line of a recording names. */
export const RECORDING_FORMAT = "callchart.recording";

/** The version of the format. Another one is refused, not guessed at. */
export const RECORDING_VERSION = 1;

/** The first line of a recording. */
export interface RecordingHeader {
  readonly type: "recording";
  readonly format: typeof RECORDING_FORMAT;
  readonly version: typeof RECORDING_VERSION;
  /** Epoch milliseconds; 0 when the line does not say. */
  readonly createdAt: number;
}

/** The first line of a recording that begins now (epoch milliseconds). */
export function toHeaderLine(now: number): string {
  const header: RecordingHeader = {
    type: "recording",
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    createdAt: now,
  };
  return `${JSON.stringify(header)}\n`;
}

const MAX_SHOWN_CHARS = 60;

/** Reads the first line of a recording. A text says why it is none. */
export function readHeader(line: string): RecordingHeader | string {
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch {
    return "it is not a recording (its first line is not JSON)";
  }
  if (typeof header !== "object" || header === null || !("format" in header)) {
    return "it is not a recording (its first line names no format)";
  }
  const { format } = header;
  const version = "version" in header ? header.version : undefined;
  const createdAt = "createdAt" in header ? header.createdAt : undefined;
  if (format !== RECORDING_FORMAT) return `it is not a recording (its format is ${show(format)})`;
  if (version !== RECORDING_VERSION) {
    return `it is a recording of version ${show(version)}; this is made for version ${RECORDING_VERSION}`;
  }
  return {
    type: "recording",
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    createdAt: typeof createdAt === "number" ? createdAt : 0,
  };
}

/** A value out of an untrusted file, short enough for a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "not given";
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}
