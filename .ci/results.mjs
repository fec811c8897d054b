/** Reads vitest's JSON results: `count` prints the closing line of CI, `skipped` lists tests that did not run. */
import { readFileSync } from "node:fs";

const [mode, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
if (text === "") {
  console.error("vitest left no results");
  process.exit(1);
}
const results = JSON.parse(text);

if (mode === "skipped") {
  const titles = results.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ fullName, status }) => `${status}: ${fullName}`),
  );
  for (const title of titles) console.log(title);
  process.exitCode = titles.length === 0 ? 0 : 1;
} else {
  console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed`);
  process.exitCode = results.success && results.numPassedTests > 0 ? 0 : 1;
}
