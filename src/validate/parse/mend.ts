import type { ArgumentRepair } from "../../../machines/index.ts";
import type { RepairRuleName } from "../repair/rules.ts";
import { readAfter, readBefore } from "./frame.ts";
import { afterEnd, findJsonFault, type JsonFault } from "./json-fault.ts";
import { isReadOtherwise } from "./library-reading.ts";
import { type ScanFault, scan } from "./scan.ts";

/** UTF-16 code units. Longer texts are rarely written by hand, and must be JSON as they are. */
const MAX_MENDED_CHARS = 1_000_000;

/** A text that is not JSON, read as the one object that it holds; or why it is not understood. */
export type Mended =
  | { readonly kind: "json"; readonly json: string; readonly repairs: readonly ArgumentRepair[] }
  | { readonly kind: "fault"; readonly fault: JsonFault }
  | { readonly kind: "tooDeep" };

/**
 * Reads a text that is not JSON: as JSON when all that is wrong with it is of the kinds that `REPAIR_RULES` lists, else
 * not at all. Nothing is completed or added. A scanner that passes over just those kinds writes down what it reads; where
 * the library `jsonrepair` reads the same text as something else, it may mean either, and is not mended.
 */
export function mendText(text: string, maxDepth: number): Mended {
  const start = text.search(/[[\]{}]/);
  const before =
    text.length <= MAX_MENDED_CHARS && text.charAt(start) === "{"
      ? readBefore(text.slice(0, start))
      : undefined;
  if (before === undefined) return readStrictly(text, maxDepth);
  const scanned = scan(text, start, { tolerant: true, maxDepth });
  if (scanned.kind === "tooDeep") return scanned;
  if (scanned.kind === "fault") return { kind: "fault", fault: cutOffInFence(text, scanned) };
  const after = readAfter(text.slice(scanned.end), before);
  if (after === undefined) {
    // Nothing stands there, but a code span is not closed.
    if (scanned.end === text.length) return readStrictly(text, maxDepth);
    return { kind: "fault", fault: afterEnd(text, scanned.end) };
  }
  if (scanned.rules.size > 0 && isReadOtherwise(text.slice(start, scanned.end), scanned.json)) {
    return readStrictly(text, maxDepth);
  }
  const rules: readonly RepairRuleName[] = [
    ...(before.fence === "" && after.fence === "" ? [] : ["code-fence" as const]),
    ...(before.hasWords || after.hasWords ? ["prose" as const] : []),
    ...scanned.rules,
  ];
  return { kind: "json", json: scanned.json, repairs: rules.map(toRepair) };
}

/** A fence may be closed around an object that was cut off. */
function cutOffInFence(text: string, fault: ScanFault): ScanFault {
  const isLast = /^(?:`{3,}|~{3,})$/.test(text.slice(fault.at, fault.at + 10).trim());
  if (!isLast || fault.open === "") return fault;
  return { ...fault, at: text.length, wanted: `${fault.open} is missing at the end` };
}

/** Where a text stops being JSON, without any mending. */
export function readStrictly(text: string, maxDepth: number): Mended {
  const fault = findJsonFault(text, maxDepth);
  return fault === undefined ? { kind: "tooDeep" } : { kind: "fault", fault };
}

const MESSAGES: ReadonlyMap<RepairRuleName, string> = new Map([
  ["code-fence", "the code fence around the object was left out"],
  ["prose", "the words around the object were left out"],
  ["trailing-comma", "a comma before a closing bracket was left out"],
  ["quotes", "strings in single or typographic quotes were read as strings in double quotes"],
  ["python-words", "True, False and None were read as true, false and null"],
  ["comments", "comments were left out"],
  [
    "control-characters",
    "control characters in strings were read as if they were escaped, no-break spaces as spaces",
  ],
]);

/** One entry a rule, whatever number of places it was applied at. */
function toRepair(rule: RepairRuleName): ArgumentRepair {
  return { path: "", rule, message: MESSAGES.get(rule) ?? rule };
}
