import type { Json } from "../../../machines/index.ts";
import { isList, putOwn } from "../../plain.ts";

/** A copy of plain data, or `undefined` when it is nested deeper than `levels`. The whole costs one walk. */
export function copyWithin(value: Json, levels: number): Json | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return undefined;
  return isList(value) ? copyList(value, levels - 1) : copyObject(value, levels - 1);
}

function copyList(list: readonly Json[], levels: number): Json | undefined {
  const result: Json[] = [];
  for (const item of list) {
    const copied = copyWithin(item, levels);
    if (copied === undefined) return undefined;
    result.push(copied);
  }
  return result;
}

function copyObject(object: { readonly [key: string]: Json }, levels: number): Json | undefined {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(object)) {
    const copied = copyWithin(object[key] ?? null, levels);
    if (copied === undefined) return undefined;
    putOwn(result, key, copied);
  }
  return result;
}
