import { defineTool, type JsonSchema, type Tool, ToolError } from "../src/tool.ts";

interface DivideArguments {
  readonly dividend: number;
  readonly divisor: number;
}

/**
 * Divides two numbers (IEEE 754 doubles) and returns the quotient.
 *
 * Fails with code `division_by_zero`, or `out_of_range` when the quotient is too large for a double: JSON has no Infinity.
 */
export const divide: Tool<JsonSchema, number> = defineTool<JsonSchema, number>({
  name: "divide",
  description:
    "Divides one number by another and returns the quotient as a decimal number. The divisor must not be 0.",
  inputSchema: {
    type: "object",
    properties: {
      dividend: { type: "number", description: "The number to divide." },
      divisor: { type: "number", description: "The number to divide by. Not 0." },
    },
    required: ["dividend", "divisor"],
    additionalProperties: false,
  },
  outputSchema: { type: "number" },
  annotations: {
    title: "Divide",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  execute({ dividend, divisor }: DivideArguments) {
    if (divisor === 0) {
      throw new ToolError(`Cannot divide ${dividend} by 0. Give a divisor other than 0.`, {
        code: "division_by_zero",
      });
    }
    const quotient = dividend / divisor;
    if (!Number.isFinite(quotient)) {
      throw new ToolError(
        `${dividend} / ${divisor} is larger than ${Number.MAX_VALUE}. Give a smaller dividend or a larger divisor.`,
        { code: "out_of_range" },
      );
    }
    return quotient;
  },
});
