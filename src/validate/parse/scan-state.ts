import type { RepairRuleName } from "../repair/rules.ts";

/** What is expected next. `item` stands after a comma in a list, `key` after one in an object. */
export type Expect =
  | "value"
  | "item"
  | "itemOrEnd"
  | "key"
  | "keyOrEnd"
  | "colon"
  | "commaOrEnd"
  | "done";

/** How a text is walked. */
export interface ScanOptions {
  /** Deviations of the listed kinds are passed over, and noted. */
  readonly tolerant: boolean;
  /** Levels of nested objects and lists. */
  readonly maxDepth: number;
}

/** A walk over a text. Only the scanner itself changes it. */
export interface Scan extends ScanOptions {
  readonly text: string;
  at: number;
  expect: Expect;
  /** Closing brackets still to come, the innermost last. */
  readonly open: string[];
  /** The last key of each open level, cut to a length that names have; of a list `""`. */
  readonly keys: string[];
  /** What was read, as JSON text, in pieces. Only of a tolerant walk. */
  readonly pieces: string[];
  /** The rules by which deviations were tolerated. */
  readonly rules: Set<RepairRuleName>;
  tooDeep: boolean;
}

/** The closing brackets that are missing where the walk is, at most 10. */
export function missing({ open }: Scan): string {
  return open.slice(-10).reverse().join("");
}

/** What a text lacks that ends where the walk is. */
export function wantedAtEnd(state: Scan): string {
  const closing = missing(state);
  return closing === "" ? "a value is missing" : `${closing} is missing at the end`;
}

/** Takes `length` characters, which read as `json`. */
export function take(state: Scan, length: number, json: string, expect: Expect): undefined {
  state.at += length;
  state.expect = expect;
  if (state.tolerant && json !== "") state.pieces.push(json);
}

/** What is wanted where a backslash stands between tokens. */
export const ESCAPED_QUOTE = "the quotes around keys and strings have no backslash before them";

/** What is expected behind a value. */
export function afterValue({ open: { length } }: Scan): Expect {
  return length === 0 ? "done" : "commaOrEnd";
}
