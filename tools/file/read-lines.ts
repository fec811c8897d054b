import type { FileHandle } from "node:fs/promises";

/** Which lines to read, and how much of them. */
export interface LineRange {
  /** The first line, counted from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Lines of a file as they stand there, line ends included. */
export interface Lines {
  readonly bytes: Buffer;
  /** Whole lines in `bytes`; one that was cut, or has no line end at the end of the file, counts. */
  readonly count: number;
  /** Lines that the file has, when its end was seen. */
  readonly totalLines?: number;
  /** Why it ends where it ends. */
  readonly endedBy: "end" | "limit" | "bytes";
}

/** The byte that ends a line. */
export const NEWLINE = 0x0a;
const CHUNK_BYTES = 65_536;

/** The chunks of a file from its start. Stops with the abort reason when told to. */
export async function* readChunks(
  file: FileHandle,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Reads a range of lines. What comes before it is read over, not kept. */
export async function readLines(
  file: FileHandle,
  range: LineRange,
  signal: AbortSignal,
): Promise<Lines> {
  const kept: Buffer[] = [];
  let room = range.maxBytes;
  let place: Place = { line: 1, openLine: false };
  for await (const chunk of readChunks(file, signal)) {
    const { from, to, ...next } = scan(chunk, place, range);
    place = next;
    // A copy: the chunk's buffer is used again.
    kept.push(Buffer.from(chunk.subarray(from, Math.min(to, from + room))));
    if (to - from > room) return toLines(kept, "bytes");
    room -= to - from;
    if (to < chunk.length) return toLines(kept, "limit");
  }
  const totalLines = place.openLine ? place.line : place.line - 1;
  return { ...toLines(kept, "end"), totalLines };
}

/** How far a file was scanned. */
interface Place {
  /** The line that goes on or begins here. */
  readonly line: number;
  /** That line has begun. */
  readonly openLine: boolean;
}

/** Which bytes of a chunk belong to the range. It ends (`to`) before the first line that does not. */
function scan(
  chunk: Buffer,
  place: Place,
  { offset, limit }: LineRange,
): Place & { readonly from: number; readonly to: number } {
  let { line, openLine } = place;
  let from = line >= offset ? 0 : -1;
  let to = 0;
  while (to < chunk.length && line < offset + limit) {
    const newline = chunk.indexOf(NEWLINE, to);
    openLine = newline === -1;
    to = openLine ? chunk.length : newline + 1;
    if (!openLine) line += 1;
    if (from === -1 && line >= offset) from = to;
  }
  return { line, openLine, from: from === -1 ? to : from, to };
}

function toLines(kept: readonly Buffer[], endedBy: Lines["endedBy"]): Lines {
  const bytes = Buffer.concat(kept);
  return { bytes, count: countLines(bytes), endedBy };
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? count + 1 : count;
}
