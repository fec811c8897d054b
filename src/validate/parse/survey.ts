import type { Json } from "../../../machines/index.ts";
import { isList } from "../../plain.ts";

/** What reading must look at twice. */
export interface Survey {
  /** The keys of all objects together. */
  keys: number;
  /** A number is beyond 2^53, or infinite: it may have been rounded. */
  hasLarge: boolean;
  /** A number is 0: it may have been 1e-400. */
  hasZero: boolean;
}

/** Looks at plain data in one walk. `undefined`: it is nested deeper than `levels`. */
export function survey(value: Json, levels: number): Survey | undefined {
  const found: Survey = { keys: 0, hasLarge: false, hasZero: false };
  return look(value, levels, found) ? found : undefined;
}

function look(value: Json, levels: number, found: Survey): boolean {
  if (typeof value === "number") lookAtNumber(value, found);
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return isList(value)
    ? lookAtItems(value, levels - 1, found)
    : lookAtMembers(value, levels - 1, found);
}

/** Every call of a tool pays for this walk: closures would double its cost. */
function lookAtItems(list: readonly Json[], levels: number, found: Survey): boolean {
  for (let at = 0; at < list.length; at += 1) {
    if (!look(list[at] ?? null, levels, found)) return false;
  }
  return true;
}

function lookAtMembers(
  object: { readonly [key: string]: Json },
  levels: number,
  found: Survey,
): boolean {
  // Object.values would be slower: engines remember the keys of objects of one shape.
  const keys = Object.keys(object);
  found.keys += keys.length;
  for (const key of keys) {
    if (!look(object[key] ?? null, levels, found)) return false;
  }
  return true;
}

function lookAtNumber(value: number, found: Survey): void {
  if (value === 0) found.hasZero = true;
  else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) found.hasLarge = true;
}
