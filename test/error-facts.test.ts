import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorFacts } from "../machines/index.ts";
import { toErrorFacts } from "../src/error-facts.ts";
import { ToolError } from "../src/tool.ts";
import { anything, ODD_VALUES } from "./support/odd-values.ts";

function depth(facts: ErrorFacts): number {
  return facts.cause === undefined ? 1 : 1 + depth(facts.cause);
}

describe("The facts of what was thrown", () => {
  it("are name, message, code, stack and causes of an error", () => {
    const facts = toErrorFacts(ODD_VALUES["Error"]?.());
    expect(facts).toMatchObject({
      name: "Error",
      message: "outer",
      code: "E1",
      cause: { message: "inner" },
    });
    expect(facts.stack).toContain("outer");
  });

  it("are what a ToolError says besides its message", () => {
    const data = { at: new Date(0) } as unknown as { at: string };
    const error = new ToolError("later", { code: "busy", executed: "no", retryAfterMs: 20, data });
    expect(toErrorFacts(error)).toMatchObject({
      name: "ToolError",
      code: "busy",
      retryable: true,
      executed: "no",
      retryAfterMs: 20,
      data: { at: "1970-01-01T00:00:00.000Z" },
    });
  });

  it.each<[thrown: unknown, message: string]>([
    ["plain text", "plain text"],
    ["", "an empty text was thrown"],
    [undefined, "something that is no Error was thrown: undefined"],
    [null, "something that is no Error was thrown: null"],
    [42, "something that is no Error was thrown: 42"],
    [10n, "something that is no Error was thrown: 10"],
    [Symbol("s"), "something that is no Error was thrown: Symbol(s)"],
    [() => 1, "something that is no Error was thrown: a function"],
    [{ detail: "disk full" }, 'something that is no Error was thrown: {"detail":"disk full"}'],
    [new TypeError(""), "TypeError without a message"],
    [
      new AggregateError([new Error("a"), "b", null, 4], "many"),
      "many (a; b; something that is no Error was thrown: null; and 1 more)",
    ],
  ])("of %o have a message that says it", (thrown, message) => {
    expect(toErrorFacts(thrown).message).toBe(message);
  });

  it("of a thrown object keep its code", () => {
    expect(toErrorFacts({ code: 7, detail: "disk full", retryable: true })).toMatchObject({
      code: "7",
      retryable: true,
    });
  });

  it("end after five causes, also in a cycle", () => {
    expect(depth(toErrorFacts(ODD_VALUES["errors in a cycle"]?.()))).toBe(6);
  });

  it("are bounded", () => {
    expect(JSON.stringify(toErrorFacts(ODD_VALUES["error of 5 MB"]?.())).length).toBeLessThan(
      25_000,
    );
  });

  it("take nothing of the wrong type for what a thrower says", () => {
    const facts = toErrorFacts(
      Object.assign(new Error("x"), {
        retryable: 1,
        executed: "maybe",
        retryAfterMs: -1,
        code: {},
      }),
    );
    expect(Object.keys(facts).sort()).toEqual(["message", "name", "stack"]);
  });

  it.each(Object.keys(ODD_VALUES))(
    "are there without throwing, with a message, and survive JSON: %s",
    (what) => {
      const facts = toErrorFacts(ODD_VALUES[what]?.());
      expect(facts.message).not.toBe("");
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    },
  );

  it("are there for anything", () => {
    fc.assert(
      fc.property(anything(), (make) => {
        const facts = toErrorFacts(make());
        expect(facts.message).not.toBe("");
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
      }),
      { numRuns: 300 },
    );
  });
});
