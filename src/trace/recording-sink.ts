import {
  closeSync,
  fdatasync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { TraceRecord } from "../../machines/index.ts";
import { readHeader, toHeaderLine } from "./recording-format.ts";
import type { TraceSink } from "./sink.ts";

/** Where a recording goes. */
export interface RecordingSinkOptions {
  /** A file; its folder is made. A recording that is there already is continued. */
  readonly file: string;
  /** Bytes that may wait for a slow disk; what comes on top is refused, and so told. Default 64 MiB. */
  readonly maxWaitingBytes?: number;
}

/** A sink that writes a file. */
export interface RecordingSink extends TraceSink {
  /** Resolves when the line is with the system; rejects when the record was not written, and why. */
  readonly write: (record: TraceRecord) => Promise<void>;
  /** Resolves when all that was written before is on the disk. */
  readonly flush: () => Promise<void>;
  /** Flushes and closes the file. Writing afterwards fails. */
  readonly close: () => Promise<void>;
}

const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 4096;

const writeChunk = promisify(write);
const sync = promisify(fdatasync);

/**
 * Writes one JSON line for each record, in order, behind a line that says what the file is. Lines are whole, also when two
 * processes write to one file: each is one append. The file is readable by its owner only. `flush` resolves when all is
 * on the disk. `write` rejects when its record could not be written, or when too much waits for the disk already.
 *
 * @throws Error when the file cannot be opened, or holds something else than a recording of this version
 */
export function createRecordingSink(options: RecordingSinkOptions): RecordingSink {
  const { file, maxWaitingBytes = MAX_WAITING_BYTES } = options;
  const fd = openRecording(file);
  const append = createAppend(fd);
  const enqueue = createQueue();
  let waitingBytes = 0;
  let open = true;

  const take = async (line: Buffer): Promise<void> => {
    try {
      await append(line);
    } finally {
      waitingBytes -= line.length;
    }
  };
  return {
    name: `recording ${file}`,
    async write(record) {
      if (!open) throw new Error(`The recording ${file} is closed.`);
      const line = toLine(record);
      if (waitingBytes > 0 && waitingBytes + line.length > maxWaitingBytes) {
        throw new Error(
          `The recording ${file} lags behind by ${waitingBytes} bytes: execution ${record.executionId} was not recorded.`,
        );
      }
      waitingBytes += line.length;
      await enqueue(() => take(line));
    },
    flush: () => enqueue(() => sync(fd)),
    async close() {
      if (!open) return;
      open = false;
      await enqueue(() => sync(fd)).finally(() => closeSync(fd));
    },
  };
}

function toLine(record: TraceRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** One piece of work after the other. One that fails is its caller's to hear of; the next one is tried all the same. */
function createQueue(): (work: () => Promise<void>) => Promise<void> {
  let queue: Promise<void> = Promise.resolve();
  return (work) => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
}

/** Appends whole lines. What a full disk left of one is ended, so that it does not spoil the next. */
function createAppend(fd: number): (line: Buffer) => Promise<void> {
  let torn = false;
  return async (line) => {
    const bytes = torn ? Buffer.concat([Buffer.from("\n"), line]) : line;
    let written = 0;
    try {
      while (written < bytes.length) {
        const left = bytes.length - written;
        const { bytesWritten } = await writeChunk(fd, bytes, written, left, null);
        written += bytesWritten;
      }
      torn = false;
    } catch (error) {
      torn ||= written > 0;
      throw error;
    }
  };
}

function openRecording(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, "a+", 0o600);
  try {
    begin(fd);
    return fd;
  } catch (thrown) {
    closeSync(fd);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`${file} cannot be continued: ${why}`, { cause: thrown });
  }
}

/** Two processes may both find the file empty, and both write a header: readers pass over the second. */
function begin(fd: number): void {
  const stats = fstatSync(fd);
  if (!stats.isFile()) throw new Error("it is not a file");
  if (stats.size === 0) {
    writeSync(fd, toHeaderLine(Date.now()));
    return;
  }
  const header = readHeader(readBytes(fd, 0, HEADER_BYTES).split("\n", 1)[0] ?? "");
  if (typeof header === "string") throw new Error(header);
  // A process that was killed may have left half a line: it ends here, and the reader reports it.
  if (readBytes(fd, stats.size - 1, 1) !== "\n") writeSync(fd, "\n");
}

function readBytes(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, length, from));
}
