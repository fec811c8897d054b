/** Third-party cases: the whole collection where `CALLCHART_CASES` names its folder, else the committed sample. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SAMPLE = join(import.meta.dirname, "../fixtures/cases");
const whole = process.env["CALLCHART_CASES"] ?? "";

/** What the tests of cases ran on, for their titles. */
export const CASES = whole === "" ? "the committed sample" : "the whole collection";

/** The path of a file or folder of cases, such as `bfcl/tools.jsonl`. */
export function casePath(path: string): string {
  return join(whole === "" ? SAMPLE : whole, path);
}

/**
 * Is this file or folder of cases there? Tests of a set that is not in the sample are skipped without it.
 *
 * @throws Error when it is missing and `CALLCHART_REQUIRE_ALL` is 1: then nothing may be skipped
 */
export function hasCases(path: string): boolean {
  const found = existsSync(casePath(path));
  if (!found && process.env["CALLCHART_REQUIRE_ALL"] === "1") {
    throw new Error(`${casePath(path)} is missing, and CALLCHART_REQUIRE_ALL asks for all cases.`);
  }
  return found;
}

/** The rows of a JSONL file of cases. */
export function readCases(path: string): readonly unknown[] {
  const lines = readFileSync(casePath(path), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): unknown => JSON.parse(line));
}

/** A tool as an MCP server lists it, and the file that it stands in. */
export interface ListedTool {
  readonly file: string;
  readonly name: string;
  readonly inputSchema: { readonly [keyword: string]: unknown };
}

/** Every tool of the MCP listings. */
export function readListedTools(): readonly ListedTool[] {
  const folder = casePath("mcp-tool-listings/raw");
  return readdirSync(folder).flatMap((name) => {
    const { tools }: { tools: Omit<ListedTool, "file">[] } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    return tools.map((tool) => ({ ...tool, file: `raw/${name}` }));
  });
}
