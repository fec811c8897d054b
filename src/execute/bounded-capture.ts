/** What was kept of a stream of bytes. */
export interface Captured {
  /** The head and the tail as UTF-8, with a line between them that says how much was left out. */
  readonly text: string;
  /** Bytes in all. */
  readonly totalBytes: number;
  /** Bytes that `text` does not show. 0: it is whole. */
  readonly omittedBytes: number;
}

/** Collects bytes within a bound. */
export interface BoundedCapture {
  readonly write: (chunk: Uint8Array) => void;
  readonly read: () => Captured;
}

/** Keeps the first and the last half of `maxBytes` of whatever is written, and counts all of it. */
export function createBoundedCapture(maxBytes: number): BoundedCapture {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = Math.floor(maxBytes / 2);
  const head: Buffer[] = [];
  // The tail is a ring, made when the head is full: most streams are short.
  let ring: Buffer | undefined;
  let totalBytes = 0;

  const toRing = (chunk: Uint8Array, at: number): void => {
    ring ??= Buffer.alloc(tailBytes);
    const last = chunk.subarray(Math.max(0, chunk.length - tailBytes));
    const start = (at + chunk.length - last.length) % tailBytes;
    const first = Math.min(last.length, tailBytes - start);
    ring.set(last.subarray(0, first), start);
    ring.set(last.subarray(first), 0);
  };

  return {
    write(chunk) {
      const forHead = Math.max(0, Math.min(chunk.length, headBytes - totalBytes));
      // Copies: a view would keep the whole buffer of the stream alive.
      if (forHead > 0) head.push(Buffer.from(chunk.subarray(0, forHead)));
      const rest = chunk.subarray(forHead);
      if (rest.length > 0 && tailBytes > 0) toRing(rest, Math.max(0, totalBytes - headBytes));
      totalBytes += chunk.length;
    },
    read() {
      const written = Math.max(0, totalBytes - headBytes);
      return join(Buffer.concat(head), unroll(ring, written), totalBytes);
    },
  };
}

/** The ring's bytes in the order in which they came. */
function unroll(ring: Buffer | undefined, written: number): Buffer {
  if (ring === undefined) return Buffer.alloc(0);
  if (written <= ring.length) return ring.subarray(0, written);
  const start = written % ring.length;
  return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
}

function join(head: Buffer, tail: Buffer, totalBytes: number): Captured {
  if (head.length + tail.length === totalBytes) {
    return { text: decode(Buffer.concat([head, tail])), totalBytes, omittedBytes: 0 };
  }
  const first = head.subarray(0, completeLength(head));
  const last = tail.subarray(continuationLength(tail));
  const omittedBytes = totalBytes - first.length - last.length;
  return {
    text: `${decode(first)}\n[... ${omittedBytes} bytes left out ...]\n${decode(last)}`,
    totalBytes,
    omittedBytes,
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** How many bytes of UTF-8 remain when a character that is cut off at the end is dropped. */
export function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes at the beginning belong to a character that began before (at most 3). */
function continuationLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < 3 && isContinuation(bytes[length] ?? 0)) length += 1;
  return length;
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function sequenceLength(leadByte: number): number {
  if (leadByte >= 0xf0) return 4;
  if (leadByte >= 0xe0) return 3;
  return leadByte >= 0xc0 ? 2 : 1;
}
