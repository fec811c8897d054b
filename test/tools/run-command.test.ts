import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isToolOutput, type ToolOutput } from "../../src/tool.ts";
import { createRunCommandTool, type RunCommandToolOptions } from "../../tools/run-command.ts";
import { isRunning, until } from "../support/processes.ts";
import { compileInput, itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext, timeoutReason } from "../support/tool-context.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "run-command-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (command: string, options: RunCommandToolOptions = {}) => {
  const run = createToolContext();
  const tool = createRunCommandTool({ cwd: folder, ...options });
  return { ...run, result: tool.execute({ command }, run.context) as Promise<ToolOutput> };
};
const run = (command: string, options?: RunCommandToolOptions) => start(command, options).result;

/** A process id that a command wrote into a file of its folder. */
const readPid = async (file: string): Promise<number> => {
  const path = join(folder, file);
  await until(
    () => existsSync(path) && readFileSync(path, "utf8").endsWith("\n"),
    `${file} is written`,
  );
  return Number(readFileSync(path, "utf8"));
};
const isGone = (pid: number) => until(() => !isRunning(pid), `process ${pid} is gone`);

describe("the run_command tool", () => {
  const tool = createRunCommandTool();
  itIsAReadyMadeTool(tool, "run_command");

  it("is approved by a person unless its maker says otherwise", () => {
    expect(tool.requiresApproval).toBe(true);
    expect(createRunCommandTool({ requiresApproval: false }).requiresApproval).toBe(false);
    expect(tool.annotations).toMatchObject({ destructiveHint: true, idempotentHint: false });
  });

  it("accepts one command line and nothing else", () => {
    const accepts = compileInput(tool);
    expect(accepts({ command: "ls" })).toBe(true);
    expect(accepts({ command: "" })).toBe(false);
    expect(accepts({ command: ["ls"] })).toBe(false);
    expect(accepts({ command: "ls", cwd: "/" })).toBe(false);
  });

  it("refuses a bound that is no number of bytes when it is made", () => {
    expect(() => createRunCommandTool({ maxBytes: -1 })).toThrow(TypeError);
  });
});

describe("a command that ends by itself", () => {
  it("gives stdout, stderr and exit code apart", async () => {
    const output = await run("echo out; echo err >&2");
    expect(isToolOutput(output)).toBe(true);
    expect(output).toEqual({
      output: "out\n",
      stderr: "err\n",
      exitCode: 0,
      signal: null,
      metadata: { stdoutBytes: 4, stderrBytes: 4, aborted: false },
    });
  });

  it("gives an exit code other than 0 without a verdict of its own", async () => {
    const output = await run("echo partial; exit 3");
    expect(output).toMatchObject({ output: "partial\n", exitCode: 3, signal: null });
    expect(output).not.toHaveProperty("success");
  });

  it("gives the signal that ended the shell, with no exit code", async () => {
    expect(await run("kill -9 $$")).toMatchObject({
      exitCode: null,
      signal: "SIGKILL",
      metadata: { aborted: false },
    });
  });

  it("gives the shell's own exit code when the program inside was ended by a signal", async () => {
    expect(await run("sh -c 'kill -9 $$'; exit $?")).toMatchObject({ exitCode: 137, signal: null });
  });

  it("has no input to wait for", async () => {
    expect(await run("cat; echo done")).toMatchObject({ output: "done\n", exitCode: 0 });
  });

  it("runs in the folder given", async () => {
    expect(await run("pwd -P")).toMatchObject({ output: `${folder}\n` });
  });

  it("leads a process group of its own", async () => {
    const { output } = await run("echo $$; ps -o pgid= -p $$ | tr -d ' '");
    const [pid, group] = (output ?? "").trim().split("\n");
    expect(group).toBe(pid);
    expect(Number(group)).not.toBe(process.pid);
  });

  it("sees nothing of the environment but the few names passed on and those given", async () => {
    process.env.RUN_COMMAND_TEST_SECRET = "s3cret";
    try {
      const { output } = await run("env", { env: { GIVEN: "yes", LANG: "C" } });
      expect(output).not.toContain("s3cret");
      expect(output).toContain("GIVEN=yes\n");
      expect(output).toContain("LANG=C\n");
      expect(output).toContain(`PATH=${process.env.PATH}\n`);
      const names = (output ?? "")
        .trim()
        .split("\n")
        .map((line) => line.slice(0, line.indexOf("=")));
      expect(names.filter((name) => /^(NODE|npm|VITEST)/.test(name))).toEqual([]);
    } finally {
      delete process.env.RUN_COMMAND_TEST_SECRET;
    }
  });
});

describe("a command that leaves something running", () => {
  it("ends with its shell though a process in the background holds stdout, which is then killed", async () => {
    const output = await run("sleep 300 & echo $! > sleeper; echo started");
    expect(output).toMatchObject({ output: "started\n", exitCode: 0 });
    await isGone(await readPid("sleeper"));
  });

  // macOS has no setsid.
  it.runIf(process.platform === "linux")(
    "ends though a process in a session of its own holds stdout",
    async () => {
      const output = await run(
        "setsid sh -c 'echo $$ > sleeper; exec sleep 300' & until [ -s sleeper ]; do :; done; echo started",
      );
      const sleeper = await readPid("sleeper");
      try {
        expect(output).toMatchObject({ output: "started\n", exitCode: 0 });
        // It has left the group, so it is out of reach: this is where a sandbox is needed.
        expect(isRunning(sleeper)).toBe(true);
      } finally {
        if (isRunning(sleeper)) process.kill(sleeper, "SIGKILL");
      }
    },
  );
});

describe("a command that is told to stop", () => {
  it("is ended with its children and grandchildren, and keeps what it had written", async () => {
    const { result, abort } = start(
      "echo before; echo $$ > shell; sh -c 'echo $$ > child; sleep 300 & echo $! > grandchild; wait'; echo after",
    );
    const pids = [await readPid("shell"), await readPid("child"), await readPid("grandchild")];
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    abort();
    expect(await result).toMatchObject({
      success: false,
      output: "before\n",
      exitCode: null,
      signal: "SIGTERM",
      error: expect.stringContaining("the call was cancelled"),
      metadata: { aborted: true },
    });
    for (const pid of pids) await isGone(pid);
  });

  it("says that it took too long when that is why", async () => {
    const { result, abort } = start("echo $$ > shell; sleep 300");
    await readPid("shell");
    abort(timeoutReason());
    expect(await result).toMatchObject({
      success: false,
      error: expect.stringContaining("it took too long"),
    });
  });

  it("may clean up before it ends", async () => {
    const { result, abort } = start(
      "trap 'echo cleaned; exit 7' TERM; echo $$ > shell; while :; do sleep 0.01; done",
    );
    await readPid("shell");
    abort();
    expect(await result).toMatchObject({
      success: false,
      output: "cleaned\n",
      exitCode: 7,
      signal: null,
    });
  });

  it("is killed when it ignores SIGTERM, and so are its children", async () => {
    const { result, abort } = start(
      "trap '' TERM; echo $$ > shell; sleep 300 & echo $! > child; echo deaf; while :; do sleep 0.01; done",
    );
    const pids = [await readPid("shell"), await readPid("child")];
    abort();
    expect(await result).toMatchObject({
      success: false,
      output: "deaf\n",
      exitCode: null,
      signal: "SIGKILL",
    });
    for (const pid of pids) await isGone(pid);
  });

  it("takes with it a child that ignores SIGTERM though the shell did not", async () => {
    const { result, abort } = start(
      "sh -c 'trap \"\" TERM; echo $$ > child; while :; do sleep 0.01; done' & echo $$ > shell; wait",
    );
    const child = await readPid("child");
    await readPid("shell");
    abort();
    expect(await result).toMatchObject({ success: false, signal: "SIGTERM" });
    await isGone(child);
  });

  it("is never started when it was told so before", async () => {
    const context = createToolContext();
    const reason = timeoutReason();
    context.abort(reason);
    const tool = createRunCommandTool({ cwd: folder });
    await expect(tool.execute({ command: "touch ran" }, context.context)).rejects.toBe(reason);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("leaves no listener on this program or on the signal", async () => {
    const listeners = process.listenerCount("exit");
    const added: string[] = [];
    const { signal } = new AbortController();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      added.push(args[0]);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      added.splice(added.indexOf(args[0]), 1);
      removeEventListener.apply(signal, args);
    };
    const tool = createRunCommandTool({ cwd: folder });
    await Promise.all(
      [1, 2, 3].map((n) =>
        tool.execute({ command: `echo ${n}` }, createToolContext({ signal }).context),
      ),
    );
    expect(added).toEqual([]);
    expect(process.listenerCount("exit")).toBe(listeners);
  });
});

describe("a command that floods its output", () => {
  it("is read to its end within bounded memory: 200 MB leave the head, the tail and the count", async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const output = await run(
      "echo first; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo last",
      {
        maxBytes: 2000,
      },
    );
    clearInterval(watch);
    expect(output.exitCode).toBe(0);
    expect(output.metadata).toMatchObject({ stdoutBytes: 200_000_012 });
    expect(output.output).toMatch(
      /^first\nx+\n\[\.\.\. 199998012 bytes left out \.\.\.\]\nx+\nlast\n$/,
    );
    expect(peak - before).toBeLessThan(100_000_000);
  });

  it("is stopped at once in the middle of it", async () => {
    const { result, abort } = start("echo $$ > shell; yes", { maxBytes: 100 });
    const shell = await readPid("shell");
    abort();
    const { output, success } = await result;
    expect(success).toBe(false);
    expect((output ?? "").length).toBeLessThan(200);
    await isGone(shell);
  });
});

describe("a command that cannot be started", () => {
  it("fails as not executed when its folder does not exist", async () => {
    await expect(run("true", { cwd: join(folder, "missing") })).rejects.toMatchObject({
      code: "not_started",
      executed: "no",
      message:
        "The command could not be started (ENOENT). Its working folder or /bin/sh does not exist.",
    });
  });

  it("fails as not executed when it holds a character that no command can hold", async () => {
    await expect(run("echo \u0000")).rejects.toMatchObject({ code: "not_started", executed: "no" });
  });
});
