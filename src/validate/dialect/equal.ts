import { isRecord } from "./contract.ts";

/**
 * A text that is the same for equal JSON values, and for no others: keys in order, numbers by their value (1.0 is 1).
 *
 * @throws RangeError when it is nested too deep
 */
export function keyOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item)).join(",")}]`;
  if (!isRecord(value)) return "{}";
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${keyOf(value[key])}`);
  return `{${entries.join(",")}}`;
}

/** The first item that stood before, as ajv tells it: `i` is the later index, `j` the earlier. */
export function duplicate(
  items: readonly unknown[],
): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const key = keyOf(item);
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}
