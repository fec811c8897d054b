/** Runs every example in a process of its own. Exit code 1 when one fails, with what it printed. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "run-all.ts");

let failed = 0;
for (const name of [...names, "demo/start.ts"]) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", name],
    { cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  console.log(`${status === 0 ? "passed" : "FAILED"} examples/${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}${signal === null ? `exit code ${status}` : signal}`);
}
process.exitCode = failed === 0 ? 0 : 1;
