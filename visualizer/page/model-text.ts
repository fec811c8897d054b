import type { ToolResult } from "../../machines/contract.ts";

/** The text that the model was given for a result. A test holds it equal to the package's `forModel`. */
export function modelText({ success, output = "", error, metadata }: ToolResult): string {
  const { tool = {}, shown = [], approval } = metadata;
  const body = success
    ? [output === "" ? "(The output is an empty text.)" : output]
    : [error ?? "The call failed.", ...(output === "" ? [] : [`Output:\n${output}`])];
  const fields = shown
    .filter((name) => Object.hasOwn(tool, name))
    .map((name) => `${name}: ${JSON.stringify(tool[name])}`);
  const note = approval?.edited
    ? ["(The arguments were changed by the person who approved the call.)"]
    : [];
  return [...body, ...fields, ...note].join("\n");
}
