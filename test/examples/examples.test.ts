import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { FAILURE_CODES } from "../../machines/contract.ts";
import { outcomeOf } from "../cli/spawn-cli.ts";

const runExample = (file: string): ReturnType<typeof outcomeOf> => {
  const words = ["--conditions=source", `examples/${file}`];
  return outcomeOf(spawn(process.execPath, words, { env: { ...process.env, NO_COLOR: "1" } }));
};

describe("the examples", () => {
  it.each(["hello.ts", "agent.ts"])("run as they stand: %s", async (file) => {
    expect(await runExample(file)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("the demonstration", () => {
  it("shows every way of failing that a run can have, and ends with the recording and its page", async () => {
    const calls = (await readFile("examples/demo/calls.jsonl", "utf8")).trimEnd().split("\n");
    const { code, stdout, stderr } = await runExample("demo/start.ts");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/^[✓✗] \S+ +\S+ +(succeeded|failed \w+) +\S+ m?s$/gm)).toHaveLength(
      calls.length,
    );
    // A process that ends while a tool runs, and a defect of the executor, cannot be shown by a file of calls.
    const shown = FAILURE_CODES.filter((name) => name !== "interrupted" && name !== "internal");
    for (const name of shown) expect(stdout).toMatch(new RegExp(`^✗ .* failed ${name} `, "m"));
    for (const id of GOOD) expect(stdout).toMatch(new RegExp(`^✓ ${id} .* succeeded `, "m"));
    expect(stdout).toContain(`${calls.length} calls: ${GOOD.length} succeeded`);
    expect(stdout).toMatch(
      /^recording: recordings\/demo\.jsonl\npage: recordings\/demo\.html \(27 calls\)$/m,
    );
    expect(await readFile("recordings/demo.html", "utf8")).toMatch(/^<!doctype html>/i);
  });
});

const GOOD = [
  "divide",
  "openai_form",
  "mended",
  "clock",
  "read_file",
  "weather",
  "node_version",
  "stock_retried",
  "label_1",
];
