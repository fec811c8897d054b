import type { Json } from "../../machines/index.ts";

/** What the model reads when a tool succeeded and returned nothing. */
export const NOTHING_RETURNED = "Done. The tool returned nothing.";

/** The text for the model of a plain value: texts as they are, everything else as compact JSON. Total. */
export function toText(value: Json | undefined): string {
  if (value === undefined) return NOTHING_RETURNED;
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // JSON of more than 512 MB is no text any more, and a stack has its end.
    return "[The value is too large or too deep to be shown.]";
  }
}

/** A clause as a sentence: ends with a full stop unless it ends like a sentence already. */
export function toSentence(clause: string): string {
  const trimmed = clause.trimEnd();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
