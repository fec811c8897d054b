import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../machines/index.ts";
import { isList, isObject } from "./json.ts";

/** An MCP `CallToolResult` (https://modelcontextprotocol.io/specification/2025-06-18/server/tools) as callchart's channels. */
export interface McpResult {
  /** The parts in their order, a line each; empty when there are none. */
  readonly output: string;
  /** `structuredContent`; without one the whole value, so that media and annotations are kept. */
  readonly structured: Json;
  readonly isError: boolean;
  /** How many texts `output` is made of. */
  readonly parts: number;
}

const KEYS: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "_meta"]);
const TYPES: ReadonlySet<string> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** Reads a value as an MCP `CallToolResult`; `undefined` when it is none. Any further key makes it other data. */
export function readMcpResult(value: Json | undefined): McpResult | undefined {
  if (!isObject(value) || !Object.keys(value).every((key) => KEYS.has(key))) return undefined;
  const { content, structuredContent } = value;
  if (content === undefined && !isObject(structuredContent)) return undefined;
  const parts = content ?? [];
  if (!isList(parts) || !parts.every(isContentPart)) return undefined;
  const texts = [...parts.map(toPartText), ...toUntold(parts, structuredContent)];
  return {
    output: texts.join("\n"),
    parts: texts.length,
    structured: structuredContent ?? value,
    isError: value["isError"] === true,
  };
}

function isContentPart(part: Json): part is JsonObject {
  return isObject(part) && typeof part["type"] === "string" && TYPES.has(part["type"]);
}

/** Servers should repeat structured content as JSON text. Where one did not, the model would see a mere summary. */
function toUntold(parts: readonly JsonObject[], structured: Json | undefined): string[] {
  if (structured === undefined || parts.some((part) => tells(part, structured))) return [];
  return [JSON.stringify(structured)];
}

function tells({ type, text }: JsonObject, structured: Json): boolean {
  if (type !== "text" || typeof text !== "string") return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), structured);
  } catch {
    return false;
  }
}

/** Media never become text: their kind and size do. */
function toPartText({ type, text, data, mimeType, uri, name, resource }: JsonObject): string {
  if (type === "text") return toWords(text);
  if (type === "resource_link") return `[resource ${[name, uri].map(toWords).join(" ").trim()}]`;
  if (type === "resource" && isObject(resource)) {
    return typeof resource["text"] === "string"
      ? resource["text"]
      : `[resource ${toWords(resource["uri"])}, ${toBytes(resource["blob"])} bytes]`;
  }
  return `[${toWords(type)} ${toWords(mimeType) || "of unknown type"}, ${toBytes(data)} bytes]`;
}

function toWords(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How many bytes a base64 text stands for. */
function toBytes(data: Json | undefined): number {
  if (typeof data !== "string") return 0;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
