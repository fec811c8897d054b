import { describe, expect, it } from "vitest";
import { callchartMatchers, createTestExecutor, recordStages } from "../../src/testing/index.ts";
import "../../src/testing/vitest.ts";

const { executor } = createTestExecutor([
  { name: "echo", inputSchema: { type: "object" }, execute: (args: unknown) => args },
]);
const good = await executor.execute({ id: "1", name: "echo", arguments: {} });
const bad = await executor.execute({ id: "2", name: "ecoh", arguments: {} });

/** What a matcher says when it fails. */
function complaint(assertion: () => void): string {
  try {
    assertion();
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  throw new Error("the matcher was content");
}

describe("toHavePassed", () => {
  it("takes a result or a list of stages", () => {
    expect(bad).toHavePassed(["validating", "normalizing", "tracing", "failed"]);
    expect(bad.metadata.stages).toHavePassed(["validating", "normalizing", "tracing", "failed"]);
    expect(good).not.toHavePassed(["validating"]);
  });

  it("shows both lists side by side, and what happened", () => {
    const said = complaint(() => expect(bad).toHavePassed(["validating", "authorizing"]));
    expect(said).toContain("    validating\n");
    expect(said).toContain("✗ normalizing   expected: authorizing");
    expect(said).toContain("✗ tracing   expected: (nothing more)");
    expect(said).toContain("validating → normalizing: the call cannot be used as it is");
  });

  it("asks for the await that was forgotten", () => {
    const pending = executor.execute({ id: "3", name: "echo", arguments: {} });
    expect(complaint(() => expect(pending).toHavePassed([]))).toContain(
      "Was an `await` forgotten?",
    );
  });
});

describe("toHaveFailedAt", () => {
  it("compares the stage, and what else is asked", () => {
    expect(bad).toHaveFailedAt("validate");
    expect(bad).toHaveFailedAt("validate", {
      code: "unknown_tool",
      executed: "no",
      message: /echo/,
    });
    expect(bad).not.toHaveFailedAt("execute");
  });

  it("says what is otherwise", () => {
    const said = complaint(() =>
      expect(bad).toHaveFailedAt("execute", { code: "tool_error", message: "nothing like it" }),
    );
    expect(said).toContain("✗ stage: validate   expected: execute");
    expect(said).toContain("✗ code: unknown_tool   expected: tool_error");
    expect(said).toContain("expected: nothing like it");
  });

  it("says when the call succeeded", () => {
    expect(complaint(() => expect(good).toHaveFailedAt("execute"))).toContain("it succeeded: {}");
  });

  it("works without vitest, as jest calls it", () => {
    expect(callchartMatchers.toHaveFailedAt(bad, "validate").pass).toBe(true);
    expect(callchartMatchers.toHaveFailedAt(null, "validate").pass).toBe(false);
  });
});

describe("recordStages", () => {
  it("names the calls when it cannot tell which is meant", async () => {
    const recorder = recordStages();
    expect(() => recorder.stages()).toThrow("No call was recorded");
    const { executor: other } = createTestExecutor([], { inspect: recorder.inspect });
    await other.executeAll([
      { id: "a", name: "x", arguments: {} },
      { id: "b", name: "x", arguments: {} },
    ]);
    expect(recorder.calls()).toEqual(["a", "b"]);
    expect(() => recorder.stages()).toThrow('name one of "a", "b"');
    expect(() => recorder.stages("c")).toThrow('No call "c"');
    expect(recorder.stages("b").at(-1)).toBe("failed");
  });
});
