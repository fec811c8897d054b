import { createRequire } from "node:module";
import { keyOf } from "../dialect/equal.ts";

/** UTF-16 code units. On some longer texts the library takes the square of the time. */
const MAX_CHARS = 50_000;

/** Ten milliseconds to load, which calls with JSON never need. */
const require = createRequire(import.meta.url);

/**
 * Does `jsonrepair` read a damaged text as something else than `json`? Then it may mean either, and is not mended. Where the
 * library does not read it at all (brackets in single quotes, raw control characters) nothing is said against `json`.
 *
 * @param text the damaged object, and nothing around it
 * @param json what the scanner read
 */
export function isReadOtherwise(text: string, json: string): boolean {
  // The library takes a no-break space behind a number for a part of a text.
  if (text.length > MAX_CHARS || text.includes("\u00a0")) return false;
  try {
    const { jsonrepair }: typeof import("jsonrepair") = require("jsonrepair");
    return keyOf(JSON.parse(jsonrepair(text))) !== keyOf(JSON.parse(json));
  } catch {
    return false;
  }
}
