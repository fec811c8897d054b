import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProcess } from "../../src/execute/process.ts";
import { isRunning, until } from "../support/processes.ts";

const SUPERVISOR = new URL("../../src/execute/process.ts", import.meta.url).href;
const sh = (command: string, signal = new AbortController().signal) =>
  runProcess({
    file: "/bin/sh",
    args: ["-c", command],
    env: { PATH: "/usr/bin:/bin" },
    signal,
    maxBytes: 1000,
  });

describe("a supervised process", () => {
  it("gets its own environment and nothing of this program's", async () => {
    const { stdout } = await runProcess({
      file: "/usr/bin/env",
      args: [],
      env: { ONLY: "this" },
      signal: new AbortController().signal,
      maxBytes: 1000,
    });
    expect(stdout).toEqual({ text: "ONLY=this\n", totalBytes: 10, omittedBytes: 0 });
  });

  it("rejects with the system's error when there is no such program", async () => {
    const options = { args: [], env: {}, signal: new AbortController().signal, maxBytes: 1000 };
    await expect(runProcess({ ...options, file: "/nonexistent/program" })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it("is not called aborted when it had ended before it was told to stop", async () => {
    const controller = new AbortController();
    const end = await sh("echo done", controller.signal);
    controller.abort();
    expect(end).toMatchObject({ aborted: false, exitCode: 0, exitSignal: null });
  });

  it("is killed with its group when this program exits", async () => {
    // The shell writes the ids into a file; as soon as they stand there, the program ends without waiting for it.
    const folder = mkdtempSync(join(tmpdir(), "process-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const program = `
      import { existsSync } from "node:fs";
      import { runProcess } from ${JSON.stringify(SUPERVISOR)};
      void runProcess({
        file: "/bin/sh",
        args: ["-c", "sleep 300 & echo $$ $! > pids.part; mv pids.part pids; wait"],
        cwd: ${JSON.stringify(folder)},
        env: { PATH: "/usr/bin:/bin" },
        signal: new AbortController().signal,
        maxBytes: 1000,
      });
      setInterval(() => existsSync(${JSON.stringify(join(folder, "pids"))}) && process.exit(0), 5);
    `;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    const pids = readFileSync(join(folder, "pids"), "utf8").trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await until(() => !isRunning(pid), `process ${pid} is gone`);
  });
});
