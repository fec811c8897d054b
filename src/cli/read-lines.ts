import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { reasonOf, UnusableError } from "./exit.ts";
import type { Io } from "./io.ts";
import { toPrintable } from "./printable.ts";

/** A line of a text: its content, or why it has none. Blank lines are left out, but counted. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string };

/** The longest line that is read, in bytes. A longer one is a problem of that line and costs no memory. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** The bytes of `path`, `-` for standard input. Throws {@link UnusableError} when there is no such file to read. */
export async function openInput(path: string, io: Io): Promise<Readable> {
  if (path === "-") return io.stdin;
  const file = resolve(io.cwd, path);
  await checkFile(file, path);
  return createReadStream(file);
}

/** All the text of `path`. Throws {@link UnusableError} when it cannot be read or is not UTF-8. */
export async function readText(path: string, io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of checked(await openInput(path, io))) chunks.push(toBuffer(chunk));
  const text = decode(Buffer.concat(chunks));
  if (text.problem === undefined) return text.text;
  throw new UnusableError(`${toPrintable(path)} ${text.problem}`);
}

/**
 * Splits bytes at line feeds, one line in memory at a time. Never throws for what the bytes are, but {@link UnusableError}
 * when they cannot be read.
 */
export async function* readLines(input: AsyncIterable<unknown>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of checked(input)) {
    let rest = toBuffer(chunk);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      parts.push(rest.subarray(0, end));
      number += 1;
      yield* toLine(number, parts, size + end);
      rest = rest.subarray(end + 1);
      parts = [];
      size = 0;
    }
    size += rest.length;
    if (size <= MAX_LINE_BYTES) parts.push(rest);
    else parts = [];
  }
  yield* toLine(number + 1, parts, size);
}

function* toLine(number: number, parts: readonly Buffer[], size: number): Generator<Line> {
  if (size > MAX_LINE_BYTES) {
    yield { number, problem: `is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
    return;
  }
  const { text, problem } = decode(Buffer.concat(parts));
  if (problem !== undefined) yield { number, problem };
  else if (text.trim() !== "") yield { number, text: text.trim() };
}

type Decoded =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** Strict: an encoding that is guessed wrong would silently change what a model asked for. */
function decode(bytes: Buffer): Decoded {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) return { problem: "is UTF-16; save it as UTF-8" };
  if (bytes.includes(0)) return { problem: "is binary, not text" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { problem: "is not UTF-8 text" };
  }
}

/** What a stream throws while it is read (no permission, a broken disk) is about the input, not about the program. */
async function* checked(input: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* input;
  } catch (error) {
    throw new UnusableError(`the input cannot be read: ${reasonOf(error)}`);
  }
}

function toBuffer(chunk: unknown): Buffer {
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
}

async function checkFile(file: string, shown: string): Promise<void> {
  const name = toPrintable(shown);
  try {
    if ((await stat(file)).isDirectory()) throw new UnusableError(`${name} is a directory`);
  } catch (error) {
    if (error instanceof UnusableError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw new UnusableError(
      code === "ENOENT" ? `${name} does not exist` : `cannot read ${name}: ${reasonOf(error)}`,
    );
  }
}
