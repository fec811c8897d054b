/** Third-party cases: the whole collection where `CALLCHART_CASES` names its folder, else the committed sample. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SAMPLE = join(import.meta.dirname, "../fixtures/cases");
const whole = process.env["CALLCHART_CASES"];

/** What the tests of cases ran on, for their titles. */
export const CASES =
  whole === undefined || whole === "" ? "the committed sample" : "the whole collection";

/** The path of a file of cases, such as `bfcl/tools.jsonl`. */
export function casePath(path: string): string {
  return join(whole === undefined || whole === "" ? SAMPLE : whole, path);
}

/** The rows of a JSONL file of cases. */
export function readCases(path: string): readonly unknown[] {
  const lines = readFileSync(casePath(path), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): unknown => JSON.parse(line));
}
