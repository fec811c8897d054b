import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeLength, createBoundedCapture } from "../../src/execute/bounded-capture.ts";

const capture = (maxBytes: number, chunks: readonly Uint8Array[]) => {
  const captured = createBoundedCapture(maxBytes);
  for (const chunk of chunks) captured.write(chunk);
  return captured.read();
};

describe("a bounded capture", () => {
  it("keeps everything up to its bound", () => {
    expect(capture(10, [Buffer.from("hello"), Buffer.from("world")])).toEqual({
      text: "helloworld",
      totalBytes: 10,
      omittedBytes: 0,
    });
  });

  it("keeps the head and the tail beyond it, and says how much it left out", () => {
    expect(capture(4, [Buffer.from("abc"), Buffer.from("defgh"), Buffer.from("i")])).toEqual({
      text: "ab\n[... 5 bytes left out ...]\nhi",
      totalBytes: 9,
      omittedBytes: 5,
    });
  });

  it("never shows a part of a character, though the cut may fall inside one", () => {
    const { text, omittedBytes } = capture(10, [Buffer.from("ä€😀 between 😀€ä")]);
    expect(text).toBe("ä€\n[... 17 bytes left out ...]\n€ä");
    expect(omittedBytes).toBe(17);
  });

  it("puts together a character that came in two chunks", () => {
    const euro = Buffer.from("€");
    expect(capture(10, [euro.subarray(0, 1), euro.subarray(1)]).text).toBe("€");
  });

  it("shows the same whatever the chunks are, and counts every byte", () => {
    const bytes = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 64 }), (chunks, maxBytes) => {
        const whole = Buffer.concat(chunks);
        const captured = capture(maxBytes, chunks);
        expect(captured).toEqual(capture(maxBytes, [whole]));
        expect(captured.totalBytes).toBe(whole.length);
        expect(captured.omittedBytes > 0).toBe(whole.length > maxBytes);
      }),
    );
  });
});

describe("the length without a character that is cut off", () => {
  it.each([
    ["a", 1, 1],
    ["ä", 1, 0],
    ["a€", 3, 1],
    ["a€", 4, 4],
    ["😀", 3, 0],
    ["😀", 4, 4],
    ["", 0, 0],
  ])("of the UTF-8 of %j cut to %i bytes is %i", (text, cut, length) => {
    expect(completeLength(Buffer.from(text).subarray(0, cut))).toBe(length);
  });
});
