import type { JsonSchema } from "../../../tool.ts";
import { pointerParts } from "../../pointer.ts";
import { isRecord, isSchema, type SchemaObject } from "../contract.ts";
import { isSchemaPlace } from "../places.ts";
import { fault, type Moves, type Place, type RefUse, type Scope, step } from "./walk.ts";

/**
 * `$ref`s by JSON Pointer may name any place of their document, such as OpenAPI's `components/schemas`: what stands there is
 * read as a schema too. Those that name nothing are faults.
 */
export function adaptReferred(schema: JsonSchema, scope: Scope): JsonSchema {
  const seen = new Set<string>();
  let root = schema;
  // Reading a place may find further references.
  for (let at = 0; at < scope.walk.refs.length; at += 1) {
    const use = scope.walk.refs[at];
    const inner = use === undefined ? undefined : innerParts(use.ref);
    if (use === undefined || inner === undefined) continue;
    const parts = [...partsOf(use.resource), ...inner];
    if (inner.length === 0 || seen.has(parts.join("\n"))) continue;
    seen.add(parts.join("\n"));
    root = adaptAt(root, parts, use, scope);
  }
  return root;
}

/** The keys that a `$ref` into its own document names; `undefined` for any other. */
export function innerParts(ref: string): readonly string[] | undefined {
  if (ref !== "#" && ref !== "" && !ref.startsWith("#/")) return undefined;
  try {
    return pointerParts(decodeURIComponent(ref.slice(1)));
  } catch {
    return pointerParts(ref.slice(1));
  }
}

function partsOf(place: Place | undefined): readonly string[] {
  const parts: string[] = [];
  for (let at = place; at !== undefined; at = at.up) parts.push(String(at.key));
  return parts.reverse();
}

function adaptAt(
  root: JsonSchema,
  parts: readonly string[],
  use: RefUse,
  scope: Scope,
): JsonSchema {
  const path = moved(root, parts, scope.walk.moves);
  const found = valueAt(root, path);
  if (!isSchema(found)) {
    fault(scope, use.place, `can't resolve reference ${use.ref}: there is no schema`);
    return root;
  }
  if (isSchemaPlace(path)) return root;
  const place = parts.reduce<Place | undefined>((up, key) => step(up, key), undefined);
  const made = scope.read(found, place, { ...scope, depth: 1, resource: use.resource });
  return made === found ? root : (replaceAt(root, path, made, scope.walk.moves) as JsonSchema);
}

/** Where a place of the given schema is in the adapted one. */
export function moved(
  root: unknown,
  parts: readonly string[],
  moves: WeakMap<SchemaObject, Moves>,
): readonly string[] {
  let value = root;
  return parts.flatMap((part) => {
    const steps = (isRecord(value) ? moves.get(value)?.get(part) : undefined) ?? [part];
    value = valueAt(value, steps);
    return steps;
  });
}

/** The value at these keys; `undefined` when there is none. */
export function valueAt(root: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((value, part) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    return Reflect.get(value, part);
  }, root);
}

function replaceAt(
  value: unknown,
  parts: readonly string[],
  made: unknown,
  moves: WeakMap<SchemaObject, Moves>,
): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return made;
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      String(at) === part ? replaceAt(item, rest, made, moves) : item,
    );
  }
  if (!isRecord(value)) return value;
  const copy: SchemaObject = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === part ? replaceAt(item, rest, made, moves) : item,
    ]),
  );
  const known = moves.get(value);
  if (known !== undefined) moves.set(copy, known);
  return copy;
}
