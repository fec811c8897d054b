import type { SchemaObject } from "../contract.ts";
import { reshapeBounds } from "./reshape-bounds.ts";
import { reshapeIds } from "./reshape-ids.ts";
import { ignoreBesideRef } from "./reshape-ref.ts";
import { hoistRequired } from "./reshape-required.ts";
import { reshapeTuple } from "./reshape-tuple.ts";
import type { Place, Scope } from "./walk.ts";

/** Rewrites one schema, not those in it; `moved` takes where keys of it went. */
export type Reshape = (
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
  moved: Map<string, readonly string[]>,
) => SchemaObject;

const STEPS: readonly Reshape[] = [
  ignoreBesideRef,
  reshapeIds,
  reshapeTuple,
  reshapeBounds,
  hoistRequired,
];

/** A schema of any dialect in the forms of 2020-12, as far as one schema is concerned. The same object if it is so already. */
export function reshape(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
): { readonly shaped: SchemaObject; readonly moved: Map<string, readonly string[]> } {
  const moved = new Map<string, readonly string[]>();
  let shaped = schema;
  for (const step of STEPS) shaped = step(shaped, place, scope, moved);
  return { shaped, moved };
}
