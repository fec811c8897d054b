import { isSecretKey } from "../../secret-keys.ts";
import { type ScanFault, scan } from "./scan.ts";

/** A place in a text, and what should stand there. */
export type JsonFault = Pick<ScanFault, "at" | "wanted" | "keys">;

/**
 * Why a text is not JSON, read strictly. `undefined`: it is nested deeper than `maxDepth` before it goes wrong.
 * Not recursive, and linear in the text.
 */
export function findJsonFault(text: string, maxDepth: number): JsonFault | undefined {
  const start = text.length - text.trimStart().length;
  const scanned = scan(text, start, { tolerant: false, maxDepth });
  if (scanned.kind === "tooDeep") return undefined;
  return scanned.kind === "fault" ? scanned : afterEnd(text, scanned.end);
}

/** The fault of a text that goes on behind its value. */
export function afterEnd(text: string, end: number): JsonFault {
  const at = end + (/\S/.exec(text.slice(end))?.index ?? 0);
  const wanted = /[[{]/.test(text.charAt(at))
    ? "this stands after the end of the JSON value (of several calls, each is sent by itself)"
    : "this stands after the end of the JSON value";
  return { at, wanted, keys: [] };
}

/**
 * A fault in words for a model: where (line, column, an excerpt with the place marked), what should stand there, and
 * whether the text seems to be cut off. Own words, since those of engines differ, and often name no place. Less than 600
 * characters.
 *
 * @param text without white space at its end
 */
export function explainJsonFault(text: string, fault: JsonFault): string {
  if (fault.at >= text.length) return truncated(text, fault);
  const column = fault.at - text.lastIndexOf("\n", fault.at - 1);
  const where = `line ${lineOf(text, fault.at)}, column ${column}${excerpt(text, fault)}`;
  const words = `the text is not JSON (${where}): ${fault.wanted}`;
  return `${words.toWellFormed()}. Send one JSON object and nothing around it`;
}

function truncated(text: string, { wanted }: JsonFault): string {
  return (
    `the text ends too early, after ${text.length} characters, so it was probably cut off (${wanted}): ` +
    "send the whole JSON object again, and a shorter one if it was long"
  );
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let found = text.indexOf("\n"); found !== -1 && found < at; line += 1) {
    found = text.indexOf("\n", found + 1);
  }
  return line;
}

const EXCERPT_CHARS = 20;
/** A key that far before the fault may belong to the value that stands there. */
const SECRET_REACH_CHARS = 200;

function excerpt(text: string, { at, keys }: JsonFault): string {
  const reach = text.slice(Math.max(0, at - SECRET_REACH_CHARS), at + EXCERPT_CHARS);
  const words = reach.match(/[\p{L}\p{N}_-]{1,100}/gu) ?? [];
  if ([...words, ...keys].some(isSecretKey)) return "";
  const before = text.slice(Math.max(0, at - EXCERPT_CHARS), at);
  const after = text.slice(at, at + EXCERPT_CHARS);
  return `, at the mark in ${JSON.stringify(`${before.toWellFormed()}▸${after.toWellFormed()}`)}`;
}
