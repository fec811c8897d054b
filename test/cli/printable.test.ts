import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cut, pad, toDuration, toOneLine, toPrintable } from "../../src/cli/printable.ts";
import { renderTable } from "../../src/cli/table.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u;

describe("text of others", () => {
  it("shows escape sequences instead of obeying them", () => {
    expect(toPrintable("a\u001b[31mred\u001b[0m\u0007")).toBe("a\\e[31mred\\e[0m\\u{7}");
    expect(toPrintable("\u009b2J")).toBe("\\u{9b}2J");
  });

  it("shows marks that reorder or hide text", () => {
    expect(toPrintable("rm \u202egpj.exe\u2066\u200b")).toBe(
      "rm \\u{202e}gpj.exe\\u{2066}\\u{200b}",
    );
    expect(toPrintable("\u{e0041}")).toBe("\\u{e0041}");
  });

  it("keeps letters of all scripts and joined emoji", () => {
    const text = "Grüße 東京 👩‍👩‍👧 é";
    expect(toPrintable(text)).toBe(text);
  });

  it("becomes one line where a line is wanted", () => {
    expect(toOneLine(" a\r\n\tb  c ")).toBe("a b c");
  });

  it("never holds anything that a terminal obeys, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = toPrintable(text);
        expect(shown).not.toMatch(OBEYED);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("cutting", () => {
  it("counts columns, not characters, and marks what it cut", () => {
    expect(cut("hello", 5)).toBe("hello");
    expect(cut("hello!", 5)).toBe("hell…");
    expect(cut("東京都", 5)).toBe("東京…");
    expect(cut("anything", 0)).toBe("");
  });

  it("never goes beyond its width, and fitting fills it exactly", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const printable = toOneLine(text);
          expect(stringWidth(cut(printable, width))).toBeLessThanOrEqual(width);
          expect(stringWidth(pad(printable, width))).toBe(width);
        },
      ),
    );
  });
});

describe("durations", () => {
  it.each([
    [0.4213, "0.42 ms"],
    [9.999, "10.00 ms"],
    [12.4, "12 ms"],
    [999.6, "1.00 s"],
    [1250, "1.25 s"],
    [59_999, "1 min 0 s"],
    [125_000, "2 min 5 s"],
    [86_400_000, "24 h 0 min"],
    [Number.NaN, "?"],
  ])("of %d ms are told as %s", (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });
});

describe("a table", () => {
  const columns = [
    { title: "tool", width: 6 },
    { title: "read", width: 10, maxLines: 2 },
    { title: "latency", width: 8, align: "right" },
  ] as const;

  it("wraps a cell into its lines, and cuts what is left over", () => {
    expect(renderTable(columns, [["divide", "one two three four five", "1.00 ms"]])).toBe(
      [
        "┌────────┬────────────┬──────────┐",
        "│ tool   │ read       │  latency │",
        "├────────┼────────────┼──────────┤",
        "│ divide │ one two    │  1.00 ms │",
        "│        │ three fou… │          │",
        "└────────┴────────────┴──────────┘",
      ].join("\n"),
    );
  });

  it("has lines of one width, whatever its cells hold", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 5 }), (texts) => {
        const rows = texts.map((text) => [toOneLine(text), toOneLine(text), "1 ms"]);
        const widths = renderTable(columns, rows)
          .split("\n")
          .map((line) => stringWidth(line));
        expect(new Set(widths)).toEqual(new Set([34]));
      }),
    );
  });
});
