import type { ToolResult } from "../machines/index.ts";

/** What the model reads where a tool's output is an empty text: providers refuse results without any. */
const EMPTY_OUTPUT = "(The output is an empty text.)";
const EDITED = "(The arguments were changed by the person who approved the call.)";

/**
 * The text of a result for the model: the output on success; on failure the error and what output there was. Fields of
 * `metadata.tool` that the tool names are added, and a note when an approver changed the arguments. Never empty.
 */
export function forModel(result: ToolResult): string {
  const texts = result.success ? [toOutput(result)] : toError(result);
  return [...texts, ...toShownFields(result), ...toEditNote(result)].join("\n");
}

function toOutput({ output = "" }: ToolResult): string {
  return output.trim() === "" ? EMPTY_OUTPUT : output;
}

function toError({ error = "", output = "", failure }: ToolResult): string[] {
  const why = error.trim() === "" ? (failure?.message ?? "") : error;
  return [
    why.trim() === "" ? "The call failed." : why,
    ...(output.trim() === "" ? [] : [`Output:\n${output}`]),
  ];
}

function toShownFields({ metadata: { tool = {}, shown = [] } }: ToolResult): string[] {
  return shown
    .filter((name) => Object.hasOwn(tool, name))
    .map((name) => `${name}: ${JSON.stringify(tool[name])}`);
}

function toEditNote({ metadata }: ToolResult): string[] {
  return metadata.approval?.decision === "approved" && metadata.approval.edited ? [EDITED] : [];
}
