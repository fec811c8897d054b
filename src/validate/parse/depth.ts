const QUOTE = 34;
const BACKSLASH = 92;

/** Is a text nested deeper than `levels`? Brackets in strings do not count. By character codes: texts may be large. */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else depth += stepOf(code);
    if (depth > levels) return true;
  }
  return false;
}

/** `[` and `{` open a level, `]` and `}` close one: their codes differ in one bit from each other. */
function stepOf(code: number): number {
  const folded = code | 32;
  return folded === 123 ? 1 : folded === 125 ? -1 : 0;
}
