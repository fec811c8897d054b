import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/args.ts";
import type { CommandSpec } from "../../src/cli/command.ts";
import { UnusableError } from "../../src/cli/exit.ts";
import { commandHelp, programHelp, usageOf } from "../../src/cli/help.ts";
import { SPECS } from "../../src/cli/specs.ts";

function specOf(name: string): CommandSpec {
  const spec = SPECS.get(name);
  if (spec === undefined) throw new Error(`no command ${name}`);
  return spec;
}

const run = specOf("run");

describe("the words after a command", () => {
  it("are read whether a value follows its flag or stands behind an equals sign", () => {
    const args = parseCommandLine(run, [
      "--tools",
      "t.ts",
      "--record=r.jsonl",
      "calls.jsonl",
      "--json",
    ]);
    expect(args.operands).toEqual(["calls.jsonl"]);
    expect(args.get("tools")).toBe("t.ts");
    expect(args.get("record")).toBe("r.jsonl");
    expect(args.has("json")).toBe(true);
    expect(args.has("strict")).toBe(false);
  });

  it("may name standard input with a dash, and files that begin with dashes after two dashes", () => {
    expect(parseCommandLine(run, ["-"]).operands).toEqual(["-"]);
    expect(parseCommandLine(run, ["--", "--odd.jsonl"]).operands).toEqual(["--odd.jsonl"]);
  });

  it("give numbers as numbers", () => {
    expect(parseCommandLine(run, ["x", "--concurrency", "12"]).number("concurrency")).toBe(12);
    expect(parseCommandLine(run, ["x"]).number("concurrency")).toBeUndefined();
  });

  it("need nothing else when help is asked for", () => {
    expect(parseCommandLine(run, ["--help"]).has("help")).toBe(true);
    expect(parseCommandLine(specOf("check"), ["-h"]).has("help")).toBe(true);
  });

  it.each([
    [["x", "--jsn"], "unknown flag --jsn; did you mean --json?"],
    [["x", "--zzzzzzzz"], "unknown flag --zzzzzzzz"],
    [["x", "-z"], "unknown flag -z"],
    [["x", "--__proto__"], "unknown flag --__proto__"],
    [["x", "--constructor=1"], "unknown flag --constructor"],
    [["x", "--json=yes"], "--json takes no value"],
    [["x", "--no-json"], "unknown flag --no-json; did you mean --json?"],
    [["x", "--json", "--json"], "--json is given twice"],
    [["x", "--tools"], "--tools needs a value: --tools MODULE"],
    [["x", "--tools="], "--tools needs a value: --tools MODULE"],
    [["x", "--tools", "--json"], "--tools needs a value: --tools MODULE"],
    [["x", "--concurrency", "0"], "--concurrency is a whole number from 1 to 10000, not 0"],
    [["x", "--concurrency", "1e2"], "--concurrency is a whole number from 1 to 10000, not 1e2"],
    [["x", "--timeout-ms=-5"], "--timeout-ms is a whole number from 1 to 2147483647, not -5"],
    [["x", "--approve", "al"], "--approve is one of ask, all, none, not al; did you mean all?"],
    [[], "CALLS.jsonl|- is missing"],
    [["x", "y"], "unexpected y"],
  ])("are refused when they are %j", (words, message) => {
    expect(() => parseCommandLine(run, words)).toThrow(new UnusableError(message));
  });

  it("are refused when a flag that the command cannot do without is missing", () => {
    expect(() => parseCommandLine(specOf("check"), ["--tools", "t.json"])).toThrow(
      "--calls CALLS.jsonl is missing",
    );
  });
});

describe("help", () => {
  it("lists every command of the program", () => {
    const text = programHelp(SPECS.values(), 80);
    for (const name of SPECS.keys()) expect(text).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
  });

  it.each([...SPECS.keys()])("of %s tells usage, every flag, examples and exit codes", (name) => {
    const spec = specOf(name);
    const text = commandHelp(spec, 80);
    expect(text).toContain(usageOf(spec));
    for (const { name: flag } of spec.options) expect(text).toContain(`--${flag}`);
    expect(text).toContain("Examples:");
    for (const [code] of spec.exitCodes) expect(text).toMatch(new RegExp(`^  ${code} `, "m"));
  });

  it.each([...SPECS.keys()])("of %s keeps to a terminal of 80 columns", (name) => {
    const tooLong = commandHelp(specOf(name), 80)
      .split("\n")
      .filter((line) => line.length > 80);
    expect(tooLong).toEqual([]);
  });
});
