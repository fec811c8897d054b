import type { Json } from "../../machines/index.ts";

/** What the model reads when a tool succeeded and returned nothing. */
export const NOTHING_RETURNED = "Done. The tool returned nothing.";

/** The text for the model of a plain value: texts as they are, everything else as compact JSON. */
export function toText(value: Json | undefined): string {
  if (value === undefined || value === null) return NOTHING_RETURNED;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A text that may have been cut. */
export interface Cut {
  readonly text: string;
  /** Set when it was cut; UTF-16 code units. */
  readonly truncated?: { readonly totalChars: number; readonly keptChars: number };
}

/** The share of a text that is cut which stays of its beginning; the end often says how it went. */
const HEAD_SHARE = 0.7;

/** Cuts the middle out of a text of more than `limit` UTF-16 code units, never inside a surrogate pair, and says so. */
export function cut(text: string, limit: number): Cut {
  if (text.length <= limit) return { text };
  const head = text.slice(0, lowEnd(text, Math.floor(limit * HEAD_SHARE)));
  const tail = text.slice(highStart(text, text.length - (limit - head.length)));
  const keptChars = head.length + tail.length;
  const left = text.length - keptChars;
  return {
    text: `${head}\n… [${left} of ${text.length} characters left out] …\n${tail}`,
    truncated: { totalChars: text.length, keptChars },
  };
}

function lowEnd(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at - 1 : at;
}

function highStart(text: string, at: number): number {
  return isHighSurrogate(text, at - 1) ? at + 1 : at;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}

/** The last lines of a text that are not blank, at most `lines` and 1 000 characters. */
export function lastLines(text: string, lines = 5): string {
  const kept = text.trimEnd().split("\n").slice(-lines).join("\n");
  return kept.length <= 1000 ? kept : `…${kept.slice(highStart(kept, kept.length - 1000))}`;
}
