import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { ToolError } from "../../src/tool.ts";
import { isBinary } from "../text.ts";

/** A body, decompressed, as far as it was read. */
export interface Body {
  readonly bytes: Buffer;
  /** It is longer than the bound. */
  readonly cut: boolean;
  /** The `content-encoding` that could not be undone: `bytes` are as they came. */
  readonly unknownEncoding?: string;
}

/**
 * Reads at most `maxBytes` of a body, counted after decompression, and then lets go of the connection: what a small body
 * would decompress to (a zip bomb) is never made. Nor is what decompresses to nothing read without end.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const { stream, compressed, unknownEncoding } = decompress(response, maxBytes);
  const chunks: Buffer[] = [];
  let room = maxBytes;
  let cut = false;
  try {
    const pieces: AsyncIterable<Buffer> = stream;
    for await (const chunk of pieces) {
      chunks.push(chunk.subarray(0, room));
      cut = chunk.length > room;
      if (cut) break;
      room -= chunk.length;
    }
  } catch (error) {
    // Nothing at all is no valid gzip, but the usual body of a 204.
    if (compressed === undefined || compressed.bytes > 0 || !isEarlyEnd(error)) throw error;
  } finally {
    response.destroy();
    stream.destroy();
  }
  return {
    bytes: Buffer.concat(chunks),
    cut,
    ...(unknownEncoding === undefined ? {} : { unknownEncoding }),
  };
}

interface Source {
  readonly stream: Readable;
  /** How much came before decompression. */
  readonly compressed?: { readonly bytes: number };
  readonly unknownEncoding?: string;
}

function decompress(response: IncomingMessage, maxBytes: number): Source {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return { stream: response };
  const decoder = decoderFor(encoding);
  if (decoder === undefined) return { stream: response, unknownEncoding: encoding };
  const compressed = { bytes: 0 };
  const metered = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      compressed.bytes += chunk.length;
      if (compressed.bytes > 2 * maxBytes + COMPRESSED_EXTRA_BYTES) throw tooMuchForNothing();
      yield chunk;
    }
  };
  // Whatever breaks or stops one of them does so to all, and the decoder tells it to its reader.
  pipeline(response, metered, decoder, () => undefined);
  return { stream: decoder, compressed };
}

/** Far above what is read ahead of a reader that has enough already (a few chunks of 64 KiB), whatever its bound. */
const COMPRESSED_EXTRA_BYTES = 1_048_576;

function tooMuchForNothing(): ToolError {
  return new ToolError(
    "The body of the answer is compressed into more than it holds, and was not read to its end.",
    { code: "invalid_body" },
  );
}

function isEarlyEnd(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";
}

function decoderFor(encoding: string) {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  return encoding === "br" ? createBrotliDecompress() : undefined;
}

const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:.*[+-])?(?:json|xml|yaml|javascript|ecmascript|graphql|sql|toml|x-www-form-urlencoded|x-ndjson|x-sh)|image\/svg\+xml|.*\+(?:json|xml|yaml))$/;

/** A body as text, or `undefined` when it is none. */
export function toText(body: Body, contentType: string | undefined): string | undefined {
  if (body.unknownEncoding !== undefined) return undefined;
  const { type, charset } = parseContentType(contentType);
  const claimed = type === "" ? undefined : TEXT_TYPE.test(type);
  if (claimed === false) return undefined;
  const decoder = decoderOf(charset);
  // What says that it is UTF-8, or says nothing, may still be something else.
  if (decoder === undefined || decoder.encoding === "utf-8") {
    return isBinary(body.bytes) ? undefined : decodeCut(new TextDecoder(), body);
  }
  return decodeCut(decoder, body);
}

/** A character that the cut fell into is dropped. */
function decodeCut(decoder: TextDecoder, { bytes, cut }: Body): string {
  return decoder.decode(bytes, { stream: cut });
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function parseContentType(header = ""): { readonly type: string; readonly charset?: string } {
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim());
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  return { type: type.toLowerCase(), ...(charset === undefined ? {} : { charset }) };
}

/** The beginning of a body in one line, for a message. `""`: there is nothing to read. */
export function excerptOf(body: Body, contentType: string | undefined): string {
  const text = toText(body, contentType) ?? "";
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > 500 ? `${line.slice(0, 500).toWellFormed()}...` : line;
}
