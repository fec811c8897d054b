import stringWidth from "string-width";

/*
 * What could move the cursor, colour, hide or reorder other text: control characters (C0, DEL, C1), the marks of
 * bidirectional text, invisible joiners that are no part of an emoji, line separators, and tag characters.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const SHORT = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\u001b", "\\e"],
]);

/**
 * `text` with everything a terminal would obey rather than show made visible (`ESC` as `\e`, others as `\u{…}`), and
 * lone surrogates replaced: safe to print, whoever wrote it. Total.
 */
export function toPrintable(text: string): string {
  return text.toWellFormed().replace(HIDDEN, visible);
}

/** Like {@link toPrintable}, but line breaks and tabs become one space: for a cell or a line of its own. */
export function toOneLine(text: string): string {
  return toPrintable(text.replace(/[\r\n\t ]+/g, " ").trim());
}

/** `text` (already printable) cut to `width` columns with an ellipsis; never inside a character. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  if (text.length <= width * 8 && stringWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, width * 8))) {
    const wide = stringWidth(segment);
    if (used + wide > width - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept}…`;
}

/** `text` (already printable) cut or padded with spaces to exactly `width` columns. */
export function pad(text: string, width: number): string {
  const short = cut(text, width);
  return short + " ".repeat(Math.max(0, width - stringWidth(short)));
}

/** `text` (already printable) padded to `width` columns; a longer one keeps its whole up to 60. */
export function padName(text: string, width: number): string {
  return pad(text, Math.max(width, Math.min(stringWidth(text.slice(0, 500)), 60)));
}

/** A duration for people: `0.42 ms`, `12 ms`, `1.25 s`, `2 min 5 s`, `24 h 0 min`. */
export function toDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "?";
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds >= 3600)
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 call`, `2 calls`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return SHORT.get(character) ?? `\\u{${code.toString(16)}}`;
}
