import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judge, toCheckTools } from "../../src/cli/check.ts";
import { toCallLine } from "../../src/cli/read-calls.ts";
import { runCli } from "./spawn-cli.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callchart-check-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tools = JSON.stringify([
  { name: "f", inputSchema: schema },
  { name: "broken", inputSchema: { type: "no-such-type" } },
  { name: "twice", inputSchema: { type: "object" } },
  { name: "twice", inputSchema: { type: "object", required: ["x"] } },
]);

describe("callchart check", () => {
  it("prints a verdict a line, in order, with its keys in order", async () => {
    const calls = [
      { id: "a", name: "f", arguments: '{"n":1}' },
      { id: "b", name: "f", arguments: {} },
      { id: "c", name: "g", arguments: {} },
      { id: "d", name: "broken", arguments: {} },
      { id: "e", name: "twice", arguments: {} },
    ];
    const toolsFile = await fileOf("tools.json", tools);
    const callsFile = await fileOf(
      "calls.jsonl",
      `${calls.map((call) => JSON.stringify(call)).join("\n")}\noops\n`,
    );
    const words = ["check", "--tools", toolsFile, "--calls", callsFile, "--json"];
    const { code, stdout, stderr } = await runCli(words);
    expect(code).toBe(0);
    const verdicts = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(verdicts).toMatchObject([
      { id: "a", tool: "f", valid: true, arguments: { n: 1 } },
      { id: "b", tool: "f", valid: false, arguments: {}, failure: { code: "invalid_arguments" } },
      { id: "c", tool: "g", valid: false, failure: { code: "unknown_tool" } },
      { id: "d", tool: "broken", valid: false, failure: { code: "unknown_tool" } },
      { id: "e", tool: "twice", valid: false, failure: { code: "unknown_tool" } },
      { id: "line-6", tool: "", valid: false, failure: { code: "invalid_call" } },
    ]);
    expect(Object.keys(verdicts[0])).toEqual(["id", "tool", "valid", "arguments"]);
    expect(Object.keys(verdicts[1])).toEqual(["id", "tool", "valid", "arguments", "failure"]);
    expect(verdicts[3].failure.message).toContain('"broken" is declared, but cannot be used');
    expect(verdicts[4].failure.message).toContain("more than once, with different schemas");
    expect(stderr).toMatch(/warning: .*tool broken/);
  });

  it("has a form for people, and exit codes like run", async () => {
    const toolsFile = await fileOf("tools.json", tools);
    const words = ["check", "--tools", toolsFile, "--calls", "-"];
    const bad = '{"id":"b","name":"f","arguments":{"n":"x"}}';
    const plain = await runCli(words, bad);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(/^✗ b +f +invalid invalid_arguments$/m);
    expect(plain.stdout).toContain("0 valid, 1 invalid");
    expect((await runCli([...words, "--strict"], bad)).code).toBe(1);
    expect((await runCli([...words, "--strict"], '{"name":"f","arguments":{"n":1}}')).code).toBe(0);
    expect((await runCli(words, "")).code).toBe(2);
    const noTools = ["check", "--tools", "no.json", "--calls", "-"];
    expect(await runCli(noTools, bad)).toMatchObject({ code: 2, stdout: "" });
  });
});

const CASES = process.env.CALLCHART_CASES ?? "test/fixtures/cases";
const BFCL = join(CASES, "bfcl");

interface Case {
  readonly id: string;
  readonly tool_id: string;
  readonly arguments: unknown;
  readonly expect_error_path?: string;
}

async function readJsonl<T>(file: string): Promise<T[]> {
  const text = await readFile(join(BFCL, file), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Tools of the collection share names; their ids tell them apart. */
async function bfclTools(): Promise<ReturnType<typeof toCheckTools>> {
  const declared = await readJsonl<{ tool_id: string }>("tools.jsonl");
  const lines = declared.map((tool) => JSON.stringify({ ...tool, name: tool.tool_id }));
  return toCheckTools(lines.join("\n"), "tools.jsonl");
}

const toLine = ({ id, tool_id, arguments: args }: Case, index: number) =>
  toCallLine({ number: index + 1, text: JSON.stringify({ id, name: tool_id, arguments: args }) });

describe.skipIf(!existsSync(BFCL))(`the Berkeley cases in ${CASES}`, () => {
  it("are all valid where the ground truth is", async () => {
    const checked = await bfclTools();
    const cases = await readJsonl<Case>("cases-valid.jsonl");
    const wrong = cases
      .map(toLine)
      .map((line) => judge(line, checked))
      .filter(({ valid }) => !valid);
    expect(checked.broken).toEqual(new Map());
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  });

  it("are all invalid, with the fault where it was put, when one was put into them", async () => {
    const checked = await bfclTools();
    const cases = await readJsonl<Case>("cases-derived-invalid.jsonl");
    const missed = cases.filter((given, index) => {
      const { valid, failure } = judge(toLine(given, index), checked, "none");
      const paths = failure?.faults?.map(({ path }) => path) ?? [];
      return (
        valid ||
        failure?.code !== "invalid_arguments" ||
        !paths.includes(given.expect_error_path ?? "")
      );
    });
    expect(missed).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  });
});

const LISTINGS = join(CASES, "mcp-tool-listings/raw");

describe.skipIf(!existsSync(LISTINGS))(`the tools/list answers in ${LISTINGS}`, () => {
  it("are read and compiled, every tool of them", async () => {
    const { readdir } = await import("node:fs/promises");
    const files = (await readdir(LISTINGS)).filter((name) => name.endsWith(".json"));
    const unusable: string[] = [];
    for (const file of files) {
      const { broken } = toCheckTools(await readFile(join(LISTINGS, file), "utf8"), file);
      for (const [name, reason] of broken) unusable.push(`${file}: ${name} ${reason}`);
    }
    expect(unusable).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  });
});
