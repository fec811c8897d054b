import type { Scan } from "./scan-state.ts";

const SPACE = /[ \t\n\r]*/y;
/** Every other space of Unicode (category Zs), and the byte order mark. */
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]+/y;

/** Skips what may stand between tokens. Returns what is wrong with it. */
export function skipSpace(state: Scan): string | undefined {
  if (isToken(state.text.charCodeAt(state.at))) return undefined;
  state.at += lengthAt(SPACE, state);
  if (!state.tolerant) return undefined;
  for (;;) {
    const odd = lengthAt(ODD_SPACE, state);
    if (odd > 0) state.rules.add("control-characters");
    state.at += odd;
    const start = state.at;
    const wanted = skipComment(state);
    if (wanted !== undefined || (odd === 0 && state.at === start)) return wanted;
    state.at += lengthAt(SPACE, state);
  }
}

const SLASH = 47;

/** Most tokens follow each other without anything between them. */
function isToken(code: number): boolean {
  return code > 32 && code < 128 && code !== SLASH;
}

/** How much of the text a sticky pattern takes here. */
function lengthAt(pattern: RegExp, { text, at }: Scan): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

function skipComment(state: Scan): string | undefined {
  const { text, at } = state;
  if (text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return pass(state, end === -1 ? text.length : end);
  }
  if (!text.startsWith("/*", at)) return undefined;
  const end = text.indexOf("*/", at + 2);
  if (end !== -1) return pass(state, end + 2);
  state.at = text.length;
  return "a comment has no end";
}

function pass(state: Scan, end: number): string | undefined {
  // "// … the rest as before" stands for values that are not there.
  if (/\.\.\.|…/.test(state.text.slice(state.at, end))) {
    return "a comment with an ellipsis may stand for values that were left out: write them all";
  }
  state.rules.add("comments");
  state.at = end;
  return undefined;
}
