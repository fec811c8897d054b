import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAILURE_CODES, FAILURES } from "../../machines/index.ts";
import { FAILING_CALLS } from "../support/failing-calls.ts";

const page = readFileSync(new URL("../../docs/failures.md", import.meta.url), "utf8");

/** The rows of the page's table, by code. */
function rows(): Map<string, string[]> {
  return new Map(
    page
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").slice(1, -1))
      .map(([code = "", ...cells]) => [
        code.trim().replaceAll("`", ""),
        cells.map((cell) => cell.trim()),
      ]),
  );
}

/** The text for the model that the page shows under the heading of a code. */
function shown(code: string): string | undefined {
  return new RegExp(`### \`${code}\`\\n\\n\`\`\`text\\n([\\s\\S]*?)\\n\`\`\``).exec(page)?.[1];
}

describe("docs/failures.md", () => {
  it("has a row for each code, and no other", () => {
    expect([...rows().keys()]).toEqual([...FAILURE_CODES]);
  });

  it.for(FAILURE_CODES)("says of %s what the code says", (code) => {
    const { stage, executed, handledBy, meaning } = FAILURES[code];
    expect(rows().get(code)).toEqual([stage, executed.join(", "), handledBy.join(", "), meaning]);
  });

  it.for(FAILURE_CODES)("shows of %s what the model reads", async (code) => {
    const { failure, error } = await FAILING_CALLS[code]();
    expect(failure?.code).toBe(code);
    expect(FAILURES[code].executed).toContain(failure?.executed);
    expect(FAILURES[code].handledBy).toContain(failure?.handledBy);
    expect(shown(code)).toBe(error);
  });
});
