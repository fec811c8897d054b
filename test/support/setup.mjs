/**
 * Before the tests: the programs that some of them start. On Debian, as root, what is missing is installed; anywhere
 * else a line says what to install, and the tests that need it are skipped. With CALLCHART_REQUIRE_ALL=1 a missing
 * program is an error.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const programs = ["chromium", "git", "tmux"];

/** @param {string} program */
function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  const { status } = spawnSync("apt-get", ["-qq", "-y", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

const missing = () => programs.filter((program) => !isOnPath(program));

const wanted = missing();
if (wanted.length > 0 && process.getuid?.() === 0 && isOnPath("apt-get")) {
  console.log(`Installing Debian packages that the tests use: ${wanted.join(", ")}`);
  if (aptGet("update")) aptGet("install", "--no-install-recommends", ...wanted);
}

const left = missing();
if (left.length > 0) {
  console.error(
    `Not found: ${left.join(", ")}. Tests that need them are skipped. ` +
      `On Debian or Ubuntu: sudo apt-get install ${left.join(" ")}`,
  );
  if (process.env.CALLCHART_REQUIRE_ALL === "1") process.exitCode = 1;
}
