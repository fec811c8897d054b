import type { ToolResult } from "../machines/index.ts";

/**
 * The text of a result for the model: the output on success; on failure the error and what output there was. Fields of
 * `metadata.tool` that the tool names are added, and a note when an approver changed the arguments. Never empty.
 */
export function forModel(result: ToolResult): string {
  const parts = result.success
    ? [result.output === undefined || result.output === "" ? "(The output is an empty text.)" : result.output]
    : [
        result.error ?? "The call failed.",
        ...(result.output === undefined || result.output === "" ? [] : [`Output:\n${result.output}`]),
      ];
  return [...parts, ...shownFields(result), ...editNote(result)].join("\n");
}

function shownFields({ metadata }: ToolResult): string[] {
  const { tool = {}, shown = [] } = metadata;
  return shown
    .filter((name) => Object.hasOwn(tool, name))
    .map((name) => `${name}: ${JSON.stringify(tool[name])}`);
}

function editNote({ metadata }: ToolResult): string[] {
  return metadata.approval?.edited === true
    ? ["(The arguments were changed by the person who approved the call.)"]
    : [];
}
