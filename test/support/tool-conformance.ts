import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import type { AnyTool } from "../../src/tool.ts";

/** Compiles a tool's input schema as strictly as ajv can. @throws when the schema is not sound. */
export function compileInput(tool: AnyTool): ValidateFunction {
  return new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
    tool.inputSchema,
  );
}

/** Tests that hold for every ready-made tool. */
export function itIsAReadyMadeTool(tool: AnyTool, name: string): void {
  it(`is named ${name} and tells a model in whole sentences what it does`, () => {
    expect(tool.name).toBe(name);
    expect(tool.description).toMatch(/^[A-Z].{40,}\.$/s);
  });

  it("has an input schema that compiles strictly and describes each property", () => {
    const validate = compileInput(tool);
    expect(validate("not an object")).toBe(false);
    for (const property of Object.values(tool.inputSchema.properties)) {
      expect(property).toHaveProperty("description");
    }
  });

  it("says with annotations what it may change and whom it may reach", () => {
    const { title, ...hints } = tool.annotations ?? {};
    expect(title).toEqual(expect.any(String));
    expect(Object.keys(hints).sort()).toEqual([
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
  });
}
