import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { REPAIR_RULES } from "../../src/validate/index.ts";
import { countArguments } from "../support/argument-counts.ts";

const text = readFileSync(new URL("../../docs/arguments.md", import.meta.url), "utf8");
const WHOLE = (process.env["CALLCHART_CASES"] ?? "") !== "";

/** The cells of the rows of a table between two marks, without its head. */
function table(mark: string): readonly (readonly string[])[] {
  const [, found = ""] = new RegExp(`<!-- ${mark} -->([^]*?)<!-- /${mark} -->`).exec(text) ?? [];
  const lines = found.trim().split("\n").slice(2);
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("docs/arguments.md", () => {
  it("lists every rule of mending, as it is", () => {
    const rules = Object.entries(REPAIR_RULES).map(([name, { mode, on, what, never }]) => [
      `\`${name}\``,
      mode,
      on,
      what,
      never,
    ]);
    expect(table("rules")).toEqual(rules);
  });

  it("gives the counts that are", () => {
    const counted = new Map(countArguments().map(({ what, count }) => [what, count]));
    const told = table("counts");
    expect(told.length).toBeGreaterThan(10);
    for (const [what = "", sample, whole] of told) {
      const expected = WHOLE ? whole : sample;
      if (expected !== "") expect([what, counted.get(what)]).toEqual([what, expected]);
      counted.delete(what);
    }
    expect([...counted.keys()]).toEqual([]);
  });
});
