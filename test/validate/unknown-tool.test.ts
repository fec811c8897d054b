import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry.ts";
import { validateCall } from "../../src/validate/index.ts";
import { CASES, readCases } from "../support/cases.ts";
import { failureIn } from "../support/judge.ts";

function call(name: string, registered: readonly string[]): ReturnType<typeof failureIn> {
  const registry = createRegistry(
    registered.map((each) => ({
      name: each,
      inputSchema: { type: "object" },
      execute: () => null,
    })),
    { strict: true },
  );
  return failureIn(
    validateCall({ registry, call: { id: "1", name, arguments: {} }, repair: "none" }),
  );
}

const MANY = Array.from({ length: 30 }, (_, at) => `tool_number_${at}`);

describe("The failure of a call of an unknown tool", () => {
  it.each<[string, readonly string[], string, readonly string[]]>([
    [
      "serch",
      ["search", "fetch"],
      'There is no tool "serch". Did you mean "search"? The tools are: "search", "fetch".',
      ["search"],
    ],
    [
      "Read-File",
      ["read_file", "write_file"],
      'There is no tool "Read-File". Did you mean "read_file"? The tools are: "read_file", "write_file".',
      ["read_file"],
    ],
    [
      "functions.search",
      ["search"],
      'There is no tool "functions.search". Did you mean "search"? The only tool is "search".',
      ["search"],
    ],
    ["weather", ["ls"], 'There is no tool "weather". The only tool is "ls".', []],
    ["ls", ["rm", "cp"], 'There is no tool "ls". The tools are: "rm", "cp".', []],
    ["查询", ["ls"], 'There is no tool "查询". The only tool is "ls".', []],
    ["___", ["a"], 'There is no tool "___". The only tool is "a".', []],
    ["anything", [], 'There is no tool "anything". There are no tools.', []],
    [
      "ecoh",
      ["echo", "exec"],
      'There is no tool "ecoh". Did you mean "echo"? The tools are: "echo", "exec".',
      ["echo"],
    ],
    ["weather", MANY, 'There is no tool "weather".', []],
  ])("%s among %j", (name, registered, message, nearest) => {
    expect(call(name, registered)).toEqual({
      code: "unknown_tool",
      stage: "validate",
      executed: "no",
      handledBy: "model",
      message,
      nearest,
    });
  });

  it("names the nearest of many, nearest first, three at most", () => {
    expect(call("tool_number_7x", MANY).nearest).toEqual([
      "tool_number_7",
      "tool_number_0",
      "tool_number_1",
    ]);
  });

  it("is short whatever the name is", () => {
    const { message } = call(`\ud83d${"x".repeat(1_000_000)}`, ["a"]);
    expect(message.length).toBeLessThan(300);
    expect(message.isWellFormed()).toBe(true);
  });

  it(`runs no tool of another name, and suggests those that were meant (${CASES})`, () => {
    const rows = readCases("malformed-arguments/tool-names.jsonl") as readonly {
      readonly raw: string;
      readonly registered: readonly string[];
      readonly intended: string | null;
    }[];
    const suggested = rows.filter(({ raw, registered, intended }) => {
      const { code, nearest } = call(raw, registered);
      expect(code).toBe("unknown_tool");
      return intended !== null && nearest?.includes(intended);
    });
    const intended = rows.filter((row) => row.intended !== null);
    expect(rows.length).toBeGreaterThan(20);
    expect(suggested).toEqual(intended);
  });
});
