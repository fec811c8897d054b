import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, lastLines } from "../../src/normalize/cut.ts";

describe("A text", () => {
  it("within the limit stays as it is", () => {
    expect(cut("abc", 3)).toEqual({ text: "abc" });
  });

  it("beyond it keeps its head and its tail, and says how much is missing", () => {
    expect(cut("0123456789ab", 10)).toEqual({
      text: "0123456\n… [2 of 12 characters left out] …\n9ab",
      truncated: { totalChars: 12, keptChars: 10 },
    });
  });

  it("is never cut inside of a surrogate pair, and always well-formed", () => {
    const texts = fc
      .array(fc.constantFrom("a", "😀", "\ud83d", "\ude00"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, fc.nat(20), (text, limit) => {
        const { text: kept, truncated } = cut(text, limit);
        expect(kept.isWellFormed()).toBe(true);
        const whole = text.toWellFormed();
        const [head = "", tail = ""] = kept.split(/\n… \[\d+ of \d+ characters left out\] …\n/);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(truncated === undefined).toBe(text.length <= limit);
        if (truncated === undefined) return;
        expect(truncated.totalChars).toBe(text.length);
        expect(head.length + tail.length).toBe(truncated.keptChars);
        expect(truncated.keptChars).toBeGreaterThanOrEqual(limit - 2);
        expect(truncated.keptChars).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("The last lines of a text", () => {
  it.each([
    ["", ""],
    [" \n\n ", ""],
    ["a\n\nb\n", "a\nb"],
    ["1\n2\n3\n4\n5\n6", "2\n3\n4\n5\n6"],
  ])("of %j are %j", (text, lines) => {
    expect(lastLines(text)).toBe(lines);
  });

  it("are cut when they are long, and say so", () => {
    expect(lastLines("x".repeat(3000))).toBe(`…${"x".repeat(1000)}`);
    expect(lastLines(`${"😀".repeat(600)}b`)).toBe(`…${"😀".repeat(499)}b`);
  });
});
