import type { Json } from "../../machines/index.ts";

/** The longest text of arguments that is parsed, in UTF-16 code units. */
export const MAX_TEXT_CHARS = 10_000_000;

/** The deepest nesting of arguments that is accepted. */
export const MAX_DEPTH = 100;

/** Arguments as data, or why they are none. `missing`: there was nothing, which means `{}` if the tool needs nothing. */
export type Parsed =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "missing" }
  | { readonly kind: "fault"; readonly message: string };

/** Reads arguments as a model gives them: data as it is, text as JSON. Total, and bounded in size and depth. */
export function parseArguments(given: Json): Parsed {
  if (given === null) return { kind: "missing" };
  if (typeof given !== "string") return checkDepth(given);
  const text = given.trim();
  if (text === "" || text === "null") return { kind: "missing" };
  if (text.length > MAX_TEXT_CHARS) {
    return fault(`the text has ${text.length} characters; at most ${MAX_TEXT_CHARS} are read`);
  }
  if (depthOfText(text) > MAX_DEPTH) {
    return fault(`the text is nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return { kind: "value", value: JSON.parse(text) as Json };
  } catch {
    return fault(explainText(text));
  }
}

function fault(message: string): Parsed {
  return { kind: "fault", message };
}

function checkDepth(value: Json): Parsed {
  return isDeeper(value, MAX_DEPTH)
    ? fault(`the arguments are nested more than ${MAX_DEPTH} levels deep`)
    : { kind: "value", value };
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** The nesting of brackets outside of strings: told before parsing, which is recursive. */
function depthOfText(text: string): number {
  let depth = 0;
  let deepest = 0;
  scan(text, (char) => {
    if (char === "{" || char === "[") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === "}" || char === "]") depth -= 1;
  });
  return deepest;
}

/** Visits each character outside of strings. Returns whether the text ends inside a string. */
function scan(text: string, visit: (char: string, at: number) => void): boolean {
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (!inString) visit(char, at);
    if (char === "\\" && inString) at += 1;
    else if (char === '"') inString = !inString;
  }
  return inString;
}

/** Why a text is not JSON, in words a model can act on. */
function explainText(text: string): string {
  let open = 0;
  const cutInString = scan(text, (char) => {
    if (char === "{" || char === "[") open += 1;
    else if (char === "}" || char === "]") open -= 1;
  });
  if (cutInString || open > 0) {
    const inside = cutInString ? "inside a text" : `with ${open} bracket${open > 1 ? "s" : ""} open`;
    return `the text ends early (${inside}), so it was probably cut off: send the whole JSON object again, shorter if need be`;
  }
  const at = faultPosition(text);
  const before = text.slice(Math.max(0, at - 20), at);
  const after = text.slice(at, at + 20);
  const line = text.slice(0, at).split("\n").length;
  const column = at - text.lastIndexOf("\n", at - 1);
  const where = JSON.stringify(`${before}▸${after}`);
  return `the text is not JSON (line ${line}, column ${column}, at the mark in ${where}): send one JSON object, with double quotes and no text around it`;
}

/** Where JSON.parse stumbles; V8 says it in its message. */
function faultPosition(text: string): number {
  try {
    JSON.parse(text);
    return 0;
  } catch (thrown) {
    const position = /position (\d+)/.exec(thrown instanceof Error ? thrown.message : "")?.[1];
    return position === undefined ? 0 : Number(position);
  }
}
