import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolResult } from "../../machines/contract.ts";
import { outcomeOf, runCli, startCli } from "./spawn-cli.ts";

const TOOLS = ["--tools", "test/cli/fixtures/tools.ts"];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callchart-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

const toLines = (...calls: unknown[]): string =>
  calls.map((call) => JSON.stringify(call)).join("\n");

const toResults = (stdout: string): ToolResult[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the program", () => {
  it("shows its help, its version, and the help of a command", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await runCli(["--help"])).stdout).toContain("Commands:");
    expect((await runCli(["run", "--help"])).stdout).toContain(
      "callchart run CALLS.jsonl|- [flags]",
    );
    expect((await runCli(["help", "run"])).stdout).toContain("callchart run CALLS.jsonl|- [flags]");
  });

  it.each([
    [[], "Commands:"],
    [["rnu"], "unknown command rnu; did you mean run?"],
    [["--versoin"], "unknown flag --versoin; did you mean --version?"],
    [["run", "--recrod", "x", "-"], "unknown flag --recrod; did you mean --record?"],
    [["explain"], "RECORDING is missing"],
  ])("refuses %j with exit code 2 and prints nothing on stdout", async (words, message) => {
    const { code, stdout, stderr } = await runCli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("callchart run", () => {
  it("prints one result a line in call order with --json, and nothing else", async () => {
    const input = toLines(
      { id: "a", name: "add", arguments: { a: 1, b: 2 } },
      { id: "b", type: "function", function: { name: "add", arguments: '{"a":3,"b":4}' } },
      { id: "c", name: "fail", arguments: {} },
      { id: "d", name: "ad", arguments: {} },
      { id: "e", name: "add", arguments: { a: "x" } },
    );
    const { code, stdout, stderr } = await runCli(["run", "-", "--json", ...TOOLS], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(
      toResults(stdout).map(({ callId, success, output, failure }) => [
        callId,
        success,
        output ?? failure?.code,
      ]),
    ).toEqual([
      ["a", true, "3"],
      ["b", true, "7"],
      ["c", false, "tool_error"],
      ["d", false, "unknown_tool"],
      ["e", false, "invalid_arguments"],
    ]);
  });

  it("gives a line that is no call its result in its place", async () => {
    const input = `oops\n\n${toLines({ id: "a", name: "add", arguments: { a: 1, b: 2 } })}\n{"id":"c"}`;
    const { code, stdout } = await runCli(["run", "-", "--json", ...TOOLS], input);
    expect(code).toBe(0);
    const [first, second, third] = toResults(stdout);
    expect(first).toMatchObject({ callId: "line-1", failure: { code: "invalid_call" } });
    expect(first?.error).toContain("Line 1 is not JSON");
    expect(second).toMatchObject({ callId: "a", success: true });
    expect(third).toMatchObject({ callId: "c", failure: { code: "invalid_call" } });
    expect(third?.error).toContain("Line 4 has no name (its keys: id)");
  });

  it("exits with 1 under --strict when a call failed, and with 0 when none did", async () => {
    const good = toLines({ name: "add", arguments: { a: 1, b: 2 } });
    const bad = toLines({ name: "fail", arguments: {} });
    expect((await runCli(["run", "-", "--strict", ...TOOLS], good)).code).toBe(0);
    expect((await runCli(["run", "-", "--strict", ...TOOLS], bad)).code).toBe(1);
    expect((await runCli(["run", "-", ...TOOLS], bad)).code).toBe(0);
  });

  it("prints an outcome line a call and a table for people, with nothing that a terminal obeys", async () => {
    const input = toLines(
      { id: "a", name: "add", arguments: { a: 1, b: 2 } },
      { id: "c", name: "fail", arguments: {} },
    );
    const { code, stdout, stderr } = await runCli(["run", "-", ...TOOLS], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^✓ a +add +succeeded +[\d.]+ m?s$/m);
    expect(stdout).toMatch(/^✗ c +fail +failed tool_error +[\d.]+ m?s$/m);
    expect(stdout).toContain("│ stages passed");
    expect(stdout).toContain("2 calls: 1 succeeded, 1 failed (1 tool_error)");
    expect(stdout).toContain("\\e[31mbroken");
    expect(stdout).not.toContain("\u001b");
  });

  it.each([
    ["a file that does not exist", ["run", "nowhere.jsonl"], "", "nowhere.jsonl does not exist"],
    ["a directory", ["run", "src"], "", "src is a directory"],
    ["no input", ["run", "-"], "", "there is no call in the input"],
    ["text", ["run", "-"], "hello\nworld", "no line of the input is a call"],
    ["binary data", ["run", "-"], "\u0000\u0001\u0002", "is binary, not text"],
    ["a module that does not exist", ["run", "-", "--tools", "no.ts"], "{}", "cannot read no.ts"],
  ])("refuses %s with exit code 2", async (_what, words, input, message) => {
    const { code, stdout, stderr } = await runCli(words, input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });

  it("refuses a module whose limits make no sense, by their name", async () => {
    const module = join(folder, "limits.mjs");
    const tool = '{ name: "f", inputSchema: { type: "object" }, execute() {} }';
    await writeFile(module, `export default [${tool}]; export const limits = { graceMs: -1 };`);
    const { code, stderr } = await runCli(["run", "-", "--tools", module], '{"name":"f"}');
    expect(code).toBe(2);
    expect(stderr).toMatch(/limits\.mjs: limits\.graceMs must be/);
  });

  it("warns of broken tools by name and uses the others", async () => {
    const input = toLines({ name: "good", arguments: {} }, { name: "bad-schema", arguments: {} });
    const words = ["run", "-", "--json", "--tools", "test/cli/fixtures/broken-tools.ts"];
    const { code, stdout, stderr } = await runCli(words, input);
    expect(code).toBe(0);
    expect(stderr).toMatch(/warning: .*bad-schema/);
    expect(stderr).toMatch(/warning: .*no-execute/);
    expect(toResults(stdout).map(({ success }) => success)).toEqual([true, false]);
  });

  it("answers approvals as the lines and the flag say", async () => {
    const input = toLines(
      { id: "silent", name: "ask", arguments: {} },
      { id: "yes", name: "ask", arguments: {}, approval: "approve" },
      { id: "no", name: "ask", arguments: {}, approval: "deny" },
    );
    const outcomes = async (...flags: string[]): Promise<unknown[]> => {
      const { stdout } = await runCli(["run", "-", "--json", ...TOOLS, ...flags], input);
      return toResults(stdout).map(({ output, failure }) => output ?? failure?.code);
    };
    expect(await outcomes()).toEqual(["approval_denied", "done", "approval_denied"]);
    expect(await outcomes("--approve", "all")).toEqual(["done", "done", "approval_denied"]);
    expect(await outcomes("--approve", "none")).toEqual([
      "approval_denied",
      "approval_denied",
      "approval_denied",
    ]);
  });

  it("loses no result to what a tool prints, throws and rejects outside of its call", async () => {
    const input = toLines(
      { id: "l", name: "litter", arguments: {} },
      { id: "a", name: "add", arguments: { a: 1, b: 2 } },
    );
    const { code, stdout, stderr } = await runCli(["run", "-", "--json", ...TOOLS], input);
    expect(code).toBe(0);
    expect(toResults(stdout)).toMatchObject([
      { callId: "l", success: true },
      { callId: "a", success: true },
    ]);
    expect(stderr).toContain("a tool's own words");
    expect(stderr).toContain("warning: something failed outside of every call: thrown in a timer");
    expect(stderr).toContain(
      "warning: something failed outside of every call: rejected for nobody",
    );
  });

  it("cancels a call after the time that its line says", async () => {
    const input = toLines({ id: "w", name: "wait", arguments: {}, cancelAfterMs: 1 });
    const { code, stdout } = await runCli(["run", "-", "--json", ...TOOLS], input);
    expect(code).toBe(0);
    expect(toResults(stdout)).toMatchObject([{ callId: "w", failure: { code: "cancelled" } }]);
  });

  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "cancels what runs on %s, prints every result, and exits with 130",
    async (interrupt) => {
      const child = startCli(["run", "-", "--json", ...TOOLS]);
      child.stdin.write(`${toLines({ id: "a", name: "add", arguments: { a: 1, b: 2 } })}\n`);
      child.stdin.write(`${toLines({ id: "w", name: "wait", arguments: {} })}\n`);
      child.stderr.on("data", (text) => {
        if (String(text).includes("waiting")) child.kill(interrupt);
      });
      const { code, stdout, stderr } = await outcomeOf(child);
      expect(stderr).toContain("cancelling what runs");
      expect(toResults(stdout)).toMatchObject([
        { callId: "a", success: true },
        { callId: "w", failure: { code: "cancelled" } },
      ]);
      expect(code).toBe(130);
    },
  );

  it("ends quietly when nobody reads its output any more", async () => {
    const child = startCli(["run", "-", "--json", ...TOOLS]);
    const calls = Array.from({ length: 3000 }, () => ({ name: "add", arguments: { a: 1, b: 2 } }));
    child.stdin.on("error", () => {});
    child.stdin.end(toLines(...calls));
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await outcomeOf(child);
    expect({ code, stderr }).toEqual({ code: 141, stderr: "" });
  });
});

describe("callchart tools", () => {
  it("lists tools with their schemas, for people and for programs", async () => {
    const text = await runCli(["tools", ...TOOLS]);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("add  (readOnly)\n  Adds two numbers.\n    a  number (required)");
    const json = JSON.parse((await runCli(["tools", "--json", ...TOOLS])).stdout);
    expect(json.tools[0]).toMatchObject({
      name: "add",
      description: "Adds two numbers.",
      inputSchema: { required: ["a", "b"] },
    });
  });

  it("lists the ready-made tools when no module is named", async () => {
    const { code, stdout } = await runCli(["tools", "--json"]);
    expect(code).toBe(0);
    const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["divide", "clock", "http_fetch", "read_file", "run_command"]),
    );
  });
});

describe("a recording", () => {
  const record = async (name: string): Promise<string> => {
    const file = join(folder, name);
    const input = toLines(
      { id: "good", name: "add", arguments: { a: 1, b: 2 } },
      { id: "bad", name: "add", arguments: {} },
    );
    const { code } = await runCli(["run", "-", ...TOOLS, "--record", file], input);
    expect(code).toBe(0);
    return file;
  };

  it("is explained in words, as a whole or one call", async () => {
    const file = await record("explain.jsonl");
    const all = await runCli(["explain", file]);
    expect(all.code).toBe(0);
    expect(all.stdout).toContain("add (call good");
    const one = await runCli(["explain", file, "bad"]);
    expect(one.stdout).toContain("add (call bad");
    expect(one.stdout).not.toContain("call good");
  });

  it("names the nearest ids when there is no such call", async () => {
    const { code, stderr } = await runCli(["explain", await record("ids.jsonl"), "godo"]);
    expect(code).toBe(2);
    expect(stderr).toContain("no call godo in the recording; near: good");
  });

  it("becomes a page", async () => {
    const file = await record("view.jsonl");
    const out = join(folder, "page.html");
    expect((await runCli(["view", file, "--out", out])).code).toBe(0);
    expect(await readFile(out, "utf8")).toMatch(/^<!doctype html>/i);
  });

  it.each(["explain", "view"])("is refused by %s when it is none", async (command) => {
    const file = join(folder, "none.jsonl");
    await writeFile(file, "hello\n");
    const { code, stderr } = await runCli([command, file]);
    expect(code).toBe(2);
    expect(stderr).toContain("none.jsonl");
  });

  it("must be writable", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    const words = ["run", "-", ...TOOLS, "--record", join(file, "folder.jsonl")];
    const { code, stdout, stderr } = await runCli(words, toLines({ name: "add", arguments: {} }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("folder.jsonl");
  });
});

describe("callchart chart", () => {
  it("prints the chart for Mermaid", async () => {
    const { code, stdout } = await runCli(["chart", "--mermaid"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^stateDiagram-v2/m);
    expect(stdout).toContain("awaitingApproval");
  });
});
