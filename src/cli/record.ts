/** An object of unknown content. */
export type UnknownRecord = { readonly [key: string]: unknown };

/** Is it an object that is no array? For values that came out of `JSON.parse` or a module. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own property `key`, or undefined: what an object inherits is not data. */
export function own(record: UnknownRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** What kind of JSON a value is, with its article: `an array`, `a number`, `null`. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value === undefined) return "nothing";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
