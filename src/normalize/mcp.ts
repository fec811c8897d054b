import type { Json, JsonObject } from "../../machines/index.ts";

/** An MCP `CallToolResult` (https://modelcontextprotocol.io/specification) as callchart's channels. */
export interface McpResult {
  readonly output: string;
  readonly structured: Json;
  readonly isError: boolean;
}

/** Reads a value as an MCP `CallToolResult`; `undefined` when it is none. */
export function readMcpResult(value: Json | undefined): McpResult | undefined {
  if (!isObject(value) || !isList(value["content"])) return undefined;
  const parts = value["content"];
  const others = Object.keys(value).filter((key) => !KEYS.has(key));
  if (others.length > 0 || !parts.every(isContentPart)) return undefined;
  if (parts.length === 0 && !("structuredContent" in value || "isError" in value)) return undefined;
  const structured = value["structuredContent"];
  const texts = parts.map(partText);
  if (texts.length === 0 && structured !== undefined) texts.push(JSON.stringify(structured));
  return {
    output: texts.join("\n"),
    structured: structured ?? value,
    isError: value["isError"] === true,
  };
}

const KEYS = new Set(["content", "structuredContent", "isError", "_meta"]);
const TYPES = new Set(["text", "image", "audio", "resource", "resource_link"]);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isContentPart(part: Json): part is JsonObject {
  return isObject(part) && TYPES.has(String(part["type"]));
}

/** Media never become text: their kind and size do. */
function partText(part: Json): string {
  if (!isObject(part)) return "";
  const { type, text, data, mimeType, uri, name, resource } = part;
  if (type === "text") return String(text ?? "");
  if (type === "resource_link") return `[resource ${String(name ?? "")} ${String(uri ?? "")}]`;
  if (type === "resource" && isObject(resource)) {
    return typeof resource["text"] === "string"
      ? resource["text"]
      : `[resource ${String(resource["uri"] ?? "")}, ${base64Bytes(resource["blob"])} bytes]`;
  }
  return `[${String(type)} ${String(mimeType ?? "of unknown type")}, ${base64Bytes(data)} bytes]`;
}

function base64Bytes(data: Json | undefined): number {
  return typeof data === "string" ? Math.floor((data.replace(/=+$/, "").length * 3) / 4) : 0;
}
