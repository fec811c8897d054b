import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { edgesOf, FAILURE_CODES, STATES, toolCallMachine } from "../../machines/index.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/lifecycle.md");
const readme = read("README.md");

function cells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("`", ""));
}

const tableRows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map(cells);

describe("docs/lifecycle.md", () => {
  it("tells every state, in the order of the pipeline", () => {
    expect(tableRows.filter((row) => row.length === 3).map(([state]) => state)).toEqual([
      ...STATES,
    ]);
  });

  it("tells every transition of the chart, and no other", () => {
    const told = tableRows.filter((row) => row.length === 4);
    const drawn = edgesOf(toolCallMachine.config.states as never).map(
      ({ from, event, guard = "", to }) => [from, event, guard, to],
    );
    expect(told).toEqual(drawn);
  });
});

describe("README.md", () => {
  it("draws every state of the chart", () => {
    for (const state of STATES) expect(readme).toContain(state);
  });

  it("draws each way of failing that a caller can meet", () => {
    const inside = new Set(["interrupted", "invalid_output", "normalize_failed", "internal"]);
    for (const code of FAILURE_CODES.filter((each) => !inside.has(each))) {
      expect(readme).toContain(code);
    }
  });

  it("links to files that are there", () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
    expect(links.length).toBeGreaterThan(10);
    for (const path of links) {
      const target = path.endsWith("/") ? `${path}0001-the-chart-waits-for-call-start.md` : path;
      expect(() => read(target), path).not.toThrow();
    }
  });

  it("shows the example that runs", () => {
    const example = read("examples/hello.ts").split("\n").slice(1).join("\n").trim();
    expect(readme).toContain(example);
  });
});

describe("docs/testing.md", () => {
  it("shows a test that runs", () => {
    expect(read("docs/testing.md")).toContain(read("test/docs/testing-example.test.ts"));
  });
});
