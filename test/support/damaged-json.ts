import type { Json } from "../../machines/index.ts";
import { isList } from "../../src/plain.ts";

/** Ways in which models write JSON that is none, and that mean the same. */
export const damages = [
  "single-quotes",
  "typographic-quotes",
  "trailing-commas",
  "python-words",
  "comments",
  "raw-controls",
  "no-break-spaces",
] as const;

/** How a value is written. */
export interface Style {
  readonly damages: readonly (typeof damages)[number][];
  /** Where each damage is done: the same for the same number. */
  readonly seed: number;
}

/** A JSON value as text with damages, in about every second place that has room for one. */
export function write(value: Json, { damages, seed }: Style): string {
  let count = seed;
  const has = (damage: Style["damages"][number]): boolean => {
    count += 1;
    return damages.includes(damage) && Math.imul(count, 2_654_435_761) >>> 31 === 1;
  };
  const gap = (): string =>
    (has("no-break-spaces") ? "\u00a0" : "") +
    (has("comments") ? '/* "x": 1, */' : "") +
    (has("comments") ? "// it's }\n" : "");
  const list = (parts: readonly string[]): string =>
    parts.join(",") + (parts.length > 0 && has("trailing-commas") ? `${gap()},` : "");
  const text = (string: string): string => {
    const json = JSON.stringify(string).slice(1, -1);
    const inner = has("raw-controls") ? withRawControls(json) : json;
    if (has("single-quotes")) return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    const isCalm = !/[“”‟]/.test(string);
    return isCalm && has("typographic-quotes") ? `“${inner.replaceAll('\\"', '"')}”` : `"${inner}"`;
  };
  const any = (item: Json): string => `${gap()}${bare(item)}${gap()}`;
  const scalar = (item: string | number | boolean | null): string => {
    if (typeof item === "string") return text(item);
    if (typeof item === "number" || !has("python-words")) return JSON.stringify(item);
    return item === null ? "None" : item ? "True" : "False";
  };
  const member = ([key, item]: readonly [string, Json]): string =>
    `${gap()}${text(key)}${gap()}:${any(item)}`;
  const bare = (item: Json): string => {
    if (typeof item !== "object" || item === null) return scalar(item);
    return isList(item)
      ? `[${list(item.map(any))}${gap()}]`
      : `{${list(Object.entries(item).map(member))}${gap()}}`;
  };
  return bare(value);
}

/** Escaped control characters as they are. */
function withRawControls(json: string): string {
  return json.replaceAll(/\\(?:u00[01][\da-f]|.)/g, (found) =>
    /^\\(?:u|[bfnrt])/.test(found) ? String(JSON.parse(`"${found}"`)) : found,
  );
}
