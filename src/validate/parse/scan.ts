import type { RepairRuleName } from "../repair/rules.ts";
import { skipSpace } from "./scan-space.ts";
import {
  afterValue,
  ESCAPED_QUOTE,
  type Expect,
  missing,
  type Scan,
  type ScanOptions,
  take,
  wantedAtEnd,
} from "./scan-state.ts";
import { stepLiteral, stepString } from "./scan-token.ts";

/** Where a text stops being JSON, and what should stand there. At the length of the text: it ends too early. */
export interface ScanFault {
  readonly kind: "fault";
  readonly at: number;
  readonly wanted: string;
  /** The closing brackets that are missing there, at most 10. */
  readonly open: string;
  /** The keys around the place, the outermost first. */
  readonly keys: readonly string[];
}

/** One value, up to its end. */
export interface ScanEnd {
  readonly kind: "end";
  /** The index behind the value. */
  readonly end: number;
  /** The value as JSON text; of a strict walk `""`. */
  readonly json: string;
  /** What was tolerated. */
  readonly rules: ReadonlySet<RepairRuleName>;
}

/** How a walk ended. */
export type Scanned = ScanEnd | ScanFault | { readonly kind: "tooDeep" };

/**
 * Walks one JSON value that begins at `start`, up to its end or to the first place at which it goes wrong. Nothing is
 * ever added to the text: what it lacks is a fault. Not recursive, and linear in the text.
 */
export function scan(text: string, start: number, options: ScanOptions): Scanned {
  const state: Scan = {
    ...options,
    text,
    at: start,
    expect: "value",
    open: [],
    keys: [],
    pieces: [],
    rules: new Set(),
    tooDeep: false,
  };
  while (state.expect !== "done") {
    const wanted = skipSpace(state) ?? (isAtEnd(state) ? wantedAtEnd(state) : step(state));
    if (state.tooDeep) return { kind: "tooDeep" };
    if (wanted !== undefined) {
      return { kind: "fault", at: state.at, wanted, open: missing(state), keys: state.keys };
    }
  }
  return { kind: "end", end: state.at, json: state.pieces.join(""), rules: state.rules };
}

function isAtEnd({ at, text }: Scan): boolean {
  return at >= text.length;
}

/** Takes one token. Returns what is wanted when it is not a right one. */
function step(state: Scan): string | undefined {
  const char = state.text.charAt(state.at);
  switch (state.expect) {
    case "colon":
      if (char === ":") return take(state, 1, ":", "value");
      return "a colon must stand between key and value";
    case "commaOrEnd":
      return stepAfterValue(state, char);
    case "key":
    case "keyOrEnd":
      return stepKey(state, char);
    default:
      return stepValue(state, char);
  }
}

function stepAfterValue(state: Scan, char: string): string | undefined {
  const end = state.open.at(-1);
  if (char === end) return close(state, char);
  // The comma is written with what follows: there may be nothing.
  if (char === ",") return take(state, 1, "", end === "}" ? "key" : "item");
  return `a comma or ${end} must stand here (a double quote inside of a string is written \\")`;
}

function stepKey(state: Scan, char: string): string | undefined {
  if (char === "}")
    return state.expect === "keyOrEnd" ? close(state, char) : afterComma(state, char);
  const start = state.at;
  const wanted = stepString(state, char, state.expect === "key" ? "," : "", "colon");
  if (wanted === "none")
    return char === "\\" ? ESCAPED_QUOTE : "a key in double quotes must stand here";
  if (wanted === undefined) {
    state.keys[state.open.length - 1] = state.text.slice(start + 1, state.at - 1).slice(0, 200);
  }
  return wanted;
}

function stepValue(state: Scan, char: string): string | undefined {
  const comma = state.expect === "item" ? "," : "";
  if (char === "{") return open(state, `${comma}{`, "}", "keyOrEnd");
  if (char === "[") return open(state, `${comma}[`, "]", "itemOrEnd");
  if (char === "]" && state.expect === "itemOrEnd") return close(state, char);
  if (char === "]" && state.expect === "item") return afterComma(state, char);
  const wanted = stepString(state, char, comma, afterValue(state));
  return wanted === "none" ? stepLiteral(state, char, comma) : wanted;
}

function open(state: Scan, json: string, closing: string, expect: Expect): undefined {
  state.tooDeep = state.open.length >= state.maxDepth;
  state.open.push(closing);
  state.keys.push("");
  take(state, 1, json, expect);
}

function close(state: Scan, char: string): undefined {
  state.open.pop();
  state.keys.pop();
  take(state, 1, char, afterValue(state));
}

function afterComma(state: Scan, char: string): string | undefined {
  if (!state.tolerant) return `no comma may stand before ${char}`;
  state.rules.add("trailing-comma");
  return close(state, char);
}
