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
import { RECORDING_FORMAT, RECORDING_VERSION, readHeader } from "./recording-format.ts";
import type { TraceSink } from "./sink.ts";

/** Where a recording goes. */
export interface RecordingSinkOptions {
  /** A file; its folder is made. A recording that is there already is continued. */
  readonly file: string;
}

/** A sink that writes a file. */
export interface RecordingSink extends TraceSink {
  /** Flushes and closes the file. Writing afterwards fails. */
  readonly close: () => Promise<void>;
}

const writeChunk = promisify(write);
const sync = promisify(fdatasync);

/**
 * Writes one JSON line for each record, in order, behind a line that says what the file is. Lines are whole, also when two
 * processes write to one file: each is one append. The file is readable by its owner only. `flush` resolves when all is
 * on the disk. What a slow disk has not taken yet waits in memory.
 *
 * @throws Error when the file cannot be opened, or holds something else than a recording of this version
 */
export function createRecordingSink({ file }: RecordingSinkOptions): RecordingSink {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, "a+", 0o600);
  try {
    begin(fd, file);
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
  let queue: Promise<void> = Promise.resolve();
  let open = true;
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    // One write that fails is its caller's to hear of; the next one is tried all the same.
    queue = done.catch(() => {});
    return done;
  };
  return {
    name: `recording ${file}`,
    write(record) {
      if (!open) return Promise.reject(new Error(`The recording ${file} is closed.`));
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      return enqueue(() => append(fd, line));
    },
    flush: () => enqueue(() => sync(fd)),
    async close() {
      if (!open) return;
      open = false;
      await enqueue(() => sync(fd));
      closeSync(fd);
    },
  };
}

/** A disk that takes only part of a line gets the rest at once: nobody else of this process writes in between. */
async function append(fd: number, line: Buffer): Promise<void> {
  let written = 0;
  while (written < line.length) {
    const { bytesWritten } = await writeChunk(fd, line, written, line.length - written, null);
    written += bytesWritten;
  }
}

function begin(fd: number, file: string): void {
  const { size } = fstatSync(fd);
  if (size === 0) {
    const header = {
      type: "recording",
      format: RECORDING_FORMAT,
      version: RECORDING_VERSION,
      createdAt: Date.now(),
    };
    writeSync(fd, `${JSON.stringify(header)}\n`);
    return;
  }
  const start = Buffer.alloc(Math.min(size, 4096));
  readSync(fd, start, 0, start.length, 0);
  const header = readHeader(start.toString("utf8").split("\n", 1)[0] ?? "");
  if (typeof header === "string") throw new Error(`${file} cannot be continued: ${header}`);
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  // A process that was killed may have left half a line: it ends here, and the reader reports it.
  if (last.toString() !== "\n") writeSync(fd, "\n");
}
