import { describe, expect, it } from "vitest";
import type { Json } from "../../machines/index.ts";
import { readMcpResult } from "../../src/normalize/mcp.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("An MCP result", () => {
  it.each<[what: string, value: Json, output: string]>([
    ["texts, a line each", { content: [text("a"), text("b")] }, "a\nb"],
    [
      "the text of a resource",
      { content: [{ type: "resource", resource: { uri: "file:///a", text: "body" } }] },
      "body",
    ],
    [
      "kind and size of an image",
      { content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] },
      "[image image/png, 5 bytes]",
    ],
    [
      "kind and size of sound of unknown type",
      { content: [{ type: "audio", data: "aGk=" }] },
      "[audio of unknown type, 2 bytes]",
    ],
    [
      "name and size of a binary resource",
      { content: [{ type: "resource", resource: { uri: "x:/b", blob: "aaaa" } }] },
      "[resource x:/b, 3 bytes]",
    ],
    [
      "name and address of a link",
      { content: [{ type: "resource_link", name: "n", uri: "x:/y" }] },
      "[resource n x:/y]",
    ],
    ["an address alone", { content: [{ type: "resource_link", uri: "x:/y" }] }, "[resource x:/y]"],
    [
      "structured content that no text repeats",
      { content: [text("done")], structuredContent: { a: 1 } },
      'done\n{"a":1}',
    ],
    [
      "structured content once, when a text repeats it",
      { content: [text('{ "b": 2, "a": 1 }')], structuredContent: { a: 1, b: 2 } },
      '{ "b": 2, "a": 1 }',
    ],
    ["structured content alone", { structuredContent: { a: 1 } }, '{"a":1}'],
    ["nothing where there is none", { content: [] }, ""],
    [
      "JSON where a text is none",
      { content: [{ type: "text", text: { no: "text" } }] },
      '{"no":"text"}',
    ],
  ])("is told as %s", (_, value, output) => {
    expect(readMcpResult(value)?.output).toBe(output);
  });

  it("says whether it is an error, by isError alone", () => {
    expect(readMcpResult({ content: [text("Error: x")], isError: false })?.isError).toBe(false);
    expect(readMcpResult({ content: [text("fine")], isError: true })?.isError).toBe(true);
    expect(readMcpResult({ content: [], isError: "yes" })?.isError).toBe(false);
  });

  it("keeps structured content apart, and without any the whole", () => {
    expect(readMcpResult({ content: [], structuredContent: { a: 1 } })?.structured).toEqual({
      a: 1,
    });
    const value = {
      content: [{ type: "image", data: "aaaa", mimeType: "image/png" }],
      _meta: { k: 1 },
    };
    expect(readMcpResult(value)?.structured).toBe(value);
  });

  it.each<[what: string, value: Json | undefined]>([
    ["nothing", undefined],
    ["a text", "content"],
    ["a list", [{ type: "text", text: "a" }]],
    ["content that is a text", { content: "a string", title: "t" }],
    [
      "content with a part of another kind",
      { content: [{ type: "TextResultContent", content: "a" }] },
    ],
    ["content with a part that is no object", { content: ["a"] }],
    ["content among other fields", { content: [text("a")], title: "t" }],
    ["isError alone", { isError: true }],
    ["structured content that is no object", { structuredContent: 4 }],
    ["an empty object", {}],
  ])("is not seen in %s", (_, value) => {
    expect(readMcpResult(value)).toBeUndefined();
  });
});
