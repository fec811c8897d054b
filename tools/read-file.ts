import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { completeLength } from "../src/execute/bounded-capture.ts";
import {
  defineTool,
  type JsonSchema,
  type Tool,
  ToolError,
  type ToolOutput,
  toolOutput,
} from "../src/tool.ts";
import { openConfined } from "./file/open-confined.ts";
import { type LineRange, type Lines, NEWLINE, readChunks, readLines } from "./file/read-lines.ts";
import { decodeUtf8, digestOf, isBinary, SNIFFED_BYTES } from "./text.ts";

interface ReadFileArguments {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** How to make a file reader. */
export interface ReadFileToolOptions {
  /** The folder whose files may be read, links resolved. Relative to the working folder. */
  readonly root: string;
  /** Bytes returned at most by one call. Default 40 000. */
  readonly maxBytes?: number;
}

/** Digests are made of files up to this size; of larger ones only the size is told. */
const MAX_DIGEST_BYTES = 100_000_000;
const DEFAULT_LIMIT = 2000;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    path: {
      type: "string",
      minLength: 1,
      maxLength: 4096,
      description: 'The file, relative to the project folder, such as "src/index.ts".',
    },
    offset: {
      type: "integer",
      minimum: 1,
      default: 1,
      description: "The first line to return, counted from 1. Default: 1.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 1_000_000,
      default: DEFAULT_LIMIT,
      description: `How many lines to return. Default: ${DEFAULT_LIMIT}.`,
    },
  },
  required: ["path"],
  additionalProperties: false,
};

/**
 * Makes the tool `read_file`: lines of a text file below `root`, as they stand there; of other files a digest (size and
 * SHA-256). Folders, pipes, sockets and devices are refused, and so is everything that a path or a link leads to outside
 * of `root`; what Node cannot make free of races is told at `openConfined`.
 *
 * Fails with code `outside_root`, `invalid_path`, `not_found`, `is_folder`, `not_a_file`, `unreadable` or `past_end`. No
 * failure names `root` or a path outside of it.
 */
export function createReadFileTool(options: ReadFileToolOptions): Tool<JsonSchema, ToolOutput> {
  const { maxBytes = 40_000 } = options;
  if (typeof options.root !== "string" || options.root === "") {
    throw new TypeError("createReadFileTool needs the folder whose files may be read: { root }.");
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 4) {
    throw new TypeError(`maxBytes must be a whole number of at least 4, not ${maxBytes}.`);
  }
  const root = resolve(options.root);
  return defineTool<JsonSchema, ToolOutput>({
    name: "read_file",
    description: [
      "Reads a text file of the project folder and returns its lines as they are.",
      `One call returns at most ${DEFAULT_LIMIT} lines unless limit says otherwise, and at most ${maxBytes} bytes; where it was cut, a last line in brackets tells with which offset to go on.`,
      "Of a file that is no text it returns size and SHA-256.",
    ].join(" "),
    inputSchema,
    annotations: {
      title: "Read a file",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    // It is cut here already, at a line where that can be.
    limits: { outputChars: maxBytes + 1000 },
    async execute({ path, offset = 1, limit = DEFAULT_LIMIT }: ReadFileArguments, { signal }) {
      signal.throwIfAborted();
      const file = await openConfined(root, path);
      try {
        return await readOpened(file, { offset, limit, maxBytes }, path, signal);
      } finally {
        await file.close();
      }
    },
  });
}

async function readOpened(
  file: FileHandle,
  range: LineRange,
  path: string,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  if (isBinary(start.subarray(0, completeLength(start)))) return digest(file, size, signal);
  const lines = await readLines(file, range, signal);
  if (lines.bytes.length === 0 && range.offset > 1) throw pastEnd(path, range, lines);
  if (lines.bytes.includes(0)) return digest(file, size, signal);
  return toText(lines, range.offset, size);
}

function toText(lines: Lines, offset: number, size: number): ToolOutput {
  const { totalLines, endedBy, count } = lines;
  // Only a cut by size can fall inside a character.
  const shownBytes = endedBy === "bytes" ? completeLength(lines.bytes) : lines.bytes.length;
  const text = decodeUtf8(lines.bytes.subarray(0, shownBytes));
  const note = noteOf(lines, offset, shownBytes);
  const between = note === "" || text.endsWith("\n") ? "" : "\n";
  return toolOutput({
    output: text === "" ? "[The file is empty.]" : text + between + note,
    metadata: {
      bytes: size,
      firstLine: offset,
      lines: count,
      cut: endedBy !== "end",
      ...(totalLines === undefined ? {} : { totalLines }),
    },
  });
}

/** What a model needs to know to go on. `""`: it has seen all. */
function noteOf({ bytes, count, endedBy }: Lines, offset: number, shownBytes: number): string {
  if (endedBy === "end") return "";
  const next = offset + count;
  if (endedBy === "limit") return `[There are more lines: go on with offset ${next}.]`;
  // A line that was cut is read again from its start.
  const from = bytes.at(-1) === NEWLINE ? next : next - 1;
  if (from > offset) return `[Cut after ${shownBytes} bytes: go on with offset ${from}.]`;
  return `[Cut after ${shownBytes} bytes in line ${from}, which is longer than one call returns; its rest cannot be read. Go on with offset ${from + 1}.]`;
}

function pastEnd(path: string, { offset }: LineRange, { totalLines = 0 }: Lines): ToolError {
  return new ToolError(
    `${JSON.stringify(path)} has ${totalLines} ${totalLines === 1 ? "line" : "lines"}; there is no line ${offset}. Give an offset from 1 to ${Math.max(1, totalLines)}.`,
    { code: "past_end" },
  );
}

async function digest(file: FileHandle, size: number, signal: AbortSignal): Promise<ToolOutput> {
  if (size > MAX_DIGEST_BYTES) {
    return toolOutput({
      output: `[No text: ${size} bytes, too large for a digest.]`,
      structured: { binary: true, bytes: size },
    });
  }
  const { bytes, sha256 } = await digestOf(readChunks(file, signal));
  return toolOutput({
    output: `[No text: ${bytes} bytes, SHA-256 ${sha256}.]`,
    structured: { binary: true, bytes, sha256 },
  });
}
