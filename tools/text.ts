import { createHash } from "node:crypto";

/** What stands for bytes that are no text. */
export interface Digest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Bytes looked at to tell text from other data, as git does. */
export const SNIFFED_BYTES = 8000;

/** Is it no text? Text has no NUL byte, and at most a tenth of its characters cannot be read as UTF-8. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SNIFFED_BYTES);
  if (sample.includes(0)) return true;
  const text = decodeUtf8(sample);
  const replaced = text.split("\uFFFD").length - 1;
  return replaced > Math.max(2, text.length / 10);
}

/** Bytes as UTF-8 text; what is no UTF-8 becomes U+FFFD, and a byte order mark at the start is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

/** The digest of bytes that come in pieces. */
export async function digestOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
