/** Third-party calls through the whole pipeline, with the mock tool behind every schema. */
import { describe, expect, it } from "vitest";
import type { ArgumentFault } from "../../machines/index.ts";
import { type AnyTool, createExecutor, createRegistry, type Executor } from "../../src/index.ts";
import { createMockTool } from "../../tools/index.ts";
import { CASES, readCases } from "../support/cases.ts";

interface Tool {
  readonly tool_id: string;
  readonly parameters_jsonschema: AnyTool["inputSchema"];
}
interface Case {
  readonly id: string;
  readonly tool_id: string;
  readonly arguments: unknown;
  readonly expect_error_path: string;
}

function createMocks(): { readonly executor: Executor; readonly runs: () => number } {
  const tools = (readCases("bfcl/tools.jsonl") as readonly Tool[]).map((row) =>
    createMockTool({ name: row.tool_id, inputSchema: row.parameters_jsonschema }),
  );
  const executor = createExecutor({
    registry: createRegistry(tools, { strict: true }),
    // Many of the broken calls could be mended.
    repair: "none",
  });
  return { executor, runs: () => tools.reduce((sum, tool) => sum + tool.runs.length, 0) };
}

const toCall = (row: Case) => ({ id: row.id, name: row.tool_id, arguments: row.arguments });

describe(`Calls of the Berkeley Function Calling Leaderboard, executed (${CASES})`, () => {
  it("all succeed where they are valid, and the tool gets exactly their arguments", async () => {
    const cases = readCases("bfcl/cases-valid.jsonl") as readonly Case[];
    const { executor, runs } = createMocks();
    const results = await executor.executeAll(cases.map(toCall));
    expect(cases.length).toBeGreaterThan(200);
    expect(results.filter(({ success }) => !success)).toEqual([]);
    for (const [at, result] of results.entries()) {
      expect(result.metadata.structured).toEqual(cases[at]?.arguments);
    }
    expect(runs()).toBe(cases.length);
  });

  it("all fail as invalid_arguments where they were broken, name the path, and run nothing", async () => {
    const cases = readCases("bfcl/cases-derived-invalid.jsonl") as readonly Case[];
    const { executor, runs } = createMocks();
    const results = await executor.executeAll(cases.map(toCall));
    expect(cases.length).toBeGreaterThan(300);
    const wrong = results.filter(({ failure }, at) => {
      const faults: readonly ArgumentFault[] = failure?.faults ?? [];
      const named = faults.some(({ path }) => path === cases[at]?.expect_error_path);
      return failure?.code !== "invalid_arguments" || failure.executed !== "no" || !named;
    });
    expect(wrong).toEqual([]);
    expect(runs()).toBe(0);
  });
});
