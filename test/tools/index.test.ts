import { describe, expect, it } from "vitest";
import * as tools from "../../tools/index.ts";

describe("the ready-made tools", () => {
  it("are six, each of its own name", () => {
    const made = [
      tools.createMockTool(),
      tools.divide,
      tools.clock,
      tools.createHttpFetchTool(),
      tools.createReadFileTool({ root: "." }),
      tools.createRunCommandTool(),
    ];
    expect(made.map(({ name }) => name)).toEqual([
      "mock",
      "divide",
      "clock",
      "http_fetch",
      "read_file",
      "run_command",
    ]);
  });
});
