import type { Json, JsonObject } from "../../../machines/index.ts";
import { isList, putOwn } from "../../plain.ts";
import { pointerParts } from "../pointer.ts";

/** A copy of plain data with another value at a JSON Pointer. What is not on the way is shared. */
export function replaceAt(data: Json, pointer: string, value: Json): Json {
  return editAt(data, pointerParts(pointer), () => value);
}

/** A copy of plain data without the key at a JSON Pointer. Items of a list cannot be left out. */
export function removeAt(data: Json, pointer: string): Json {
  const parts = pointerParts(pointer);
  const key = parts.at(-1);
  if (key === undefined) return data;
  return editAt(data, parts.slice(0, -1), (holder) =>
    isObject(holder) ? copyWith(holder, (name) => (name === key ? [] : [name])) : holder,
  );
}

/** A copy of plain data with the key at a JSON Pointer under another name, at the same place. */
export function renameAt(data: Json, pointer: string, name: string): Json {
  const parts = pointerParts(pointer);
  const key = parts.at(-1);
  if (key === undefined) return data;
  return editAt(data, parts.slice(0, -1), (holder) =>
    isObject(holder) ? copyWith(holder, (each) => [each === key ? name : each]) : holder,
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

function copyWith(object: JsonObject, rename: (key: string) => readonly string[]): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    for (const name of rename(key)) putOwn(result, name, value);
  }
  return result;
}

function editAt(data: Json, parts: readonly string[], edit: (value: Json) => Json): Json {
  const [part, ...rest] = parts;
  if (part === undefined) return edit(data);
  if (isList(data)) {
    return data.map((item, index) => (String(index) === part ? editAt(item, rest, edit) : item));
  }
  if (!isObject(data)) return data;
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(data)) {
    putOwn(result, key, key === part ? editAt(value, rest, edit) : value);
  }
  return result;
}
