/** A text that may have been cut. */
export interface Cut {
  readonly text: string;
  /** Set when it was cut; UTF-16 code units. */
  readonly truncated?: { readonly totalChars: number; readonly keptChars: number };
}

/** The share of a text that is cut which stays of its beginning; the end often says how it went. */
const HEAD_SHARE = 0.7;

const DIGEST_LINES = 5;
const DIGEST_CHARS = 1_000;

/**
 * Cuts the middle out of a text of more than `limit` UTF-16 code units, never inside a surrogate pair, and says so. The
 * note on what was left out comes on top of the limit. What is returned is well-formed.
 */
export function cut(text: string, limit: number): Cut {
  if (text.length <= limit) return { text: text.toWellFormed() };
  const head = text.slice(0, beforePair(text, Math.floor(limit * HEAD_SHARE)));
  const tail = text.slice(afterPair(text, text.length - (limit - head.length)));
  const keptChars = head.length + tail.length;
  const left = text.length - keptChars;
  const note = `… [${left} of ${text.length} characters left out] …`;
  return {
    text: `${head}\n${note}\n${tail}`.toWellFormed(),
    truncated: { totalChars: text.length, keptChars },
  };
}

/** The last lines of a text that are not blank, well-formed, at most 5 and 1 000 characters; empty when all is blank. */
export function lastLines(text: string): string {
  const whole = text.trimEnd();
  // Only the end is looked at: stderr may be large.
  const from = Math.max(0, whole.length - DIGEST_CHARS);
  const end = whole.slice(afterPair(whole, from));
  const lines = end.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(-DIGEST_LINES).join("\n");
  return (from > 0 && lines.length <= DIGEST_LINES ? `…${shown}` : shown).toWellFormed();
}

function beforePair(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at;
}

function afterPair(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at;
}

function splitsPair(text: string, at: number): boolean {
  return isIn(text.charCodeAt(at - 1), 0xd800) && isIn(text.charCodeAt(at), 0xdc00);
}

/** Is it one of the 1,024 surrogates from `first` on? */
function isIn(code: number, first: number): boolean {
  return code >= first && code < first + 0x400;
}
