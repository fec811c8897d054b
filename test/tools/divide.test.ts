import { describe, expect, it } from "vitest";
import { divide } from "../../tools/divide.ts";
import { compileInput, itIsAReadyMadeTool } from "../support/tool-conformance.ts";
import { createToolContext } from "../support/tool-context.ts";

const run = (dividend: number, divisor: number): unknown =>
  divide.execute({ dividend, divisor }, createToolContext().context);

describe("the divide tool", () => {
  itIsAReadyMadeTool(divide, "divide");

  it("returns the quotient", () => {
    expect(run(7, 2)).toBe(3.5);
    expect(run(-1, 4)).toBe(-0.25);
  });

  it.each([0, -0])("refuses to divide by %s and tells what would be right", (divisor) => {
    expect(() => run(7, divisor)).toThrow(
      expect.objectContaining({
        message: "Cannot divide 7 by 0. Give a divisor other than 0.",
        code: "division_by_zero",
        retryable: false,
      }),
    );
  });

  it("fails rather than return Infinity, which JSON does not have", () => {
    expect(() => run(1e308, 1e-10)).toThrow(expect.objectContaining({ code: "out_of_range" }));
  });

  it("accepts two numbers and nothing else", () => {
    const accepts = compileInput(divide);
    expect(accepts({ dividend: 1, divisor: 2 })).toBe(true);
    expect(accepts({ dividend: 1 })).toBe(false);
    expect(accepts({ dividend: 1, divisor: "2" })).toBe(false);
    expect(accepts({ dividend: 1, divisor: 2, precision: 3 })).toBe(false);
  });
});
