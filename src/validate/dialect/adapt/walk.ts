import type { JsonSchema } from "../../../tool.ts";
import { toPointer } from "../../pointer.ts";
import type { Dialect, SchemaChange, SchemaFault, SchemaObject } from "../contract.ts";

/** A place in the schema as it was given. A list of steps back to the root: pointers are made only of those that are told. */
export interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
}

/** The place one step further. */
export function step(up: Place | undefined, key: string | number): Place {
  return { up, key };
}

/** The JSON Pointer of a place. */
export function pointerOf(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.up) keys.push(at.key);
  return toPointer(keys.reverse());
}

/** Where keys of a schema went: `items` of a tuple is at `prefixItems` now. */
export type Moves = ReadonlyMap<string, readonly string[]>;

/** A `$ref`, and the root of the resource that it stands in. */
export interface RefUse {
  readonly ref: string;
  readonly place: Place;
  readonly resource: Place | undefined;
}

/** What a schema makes use of: it decides which engine judges by it. */
export interface Traits {
  /** `$id` below the root, `$anchor`, `$dynamicRef` and their like. */
  resources: boolean;
  /** Something that ajv judges wrong, or is slow to compile. */
  special: boolean;
  unevaluatedProperties: boolean;
  /** What must not meet `unevaluatedProperties` in ajv. */
  conditions: boolean;
}

/** What a walk through a schema collects. */
export interface Walk {
  /** For schemas that name none. */
  readonly fallback: Dialect;
  readonly changes: SchemaChange[];
  readonly faults: SchemaFault[];
  readonly refs: RefUse[];
  readonly moves: WeakMap<SchemaObject, Moves>;
  readonly traits: Traits;
}

/** What holds for the schema at hand and those below it. */
export interface Scope {
  readonly walk: Walk;
  readonly dialect: Dialect;
  /** Did the schema itself say that it is of this dialect? */
  readonly said: boolean;
  /** Keywords without a meaning in this dialect. */
  readonly ignored: ReadonlySet<string>;
  readonly resource: Place | undefined;
  readonly depth: number;
  /** Reads what stands where a schema stands. Total: what is wrong is told in `walk`. */
  readonly read: (value: unknown, place: Place | undefined, scope: Scope) => JsonSchema;
}

/** A new walk, in which nothing was found yet. */
export function createWalk(fallback: Dialect): Walk {
  return {
    fallback,
    changes: [],
    faults: [],
    refs: [],
    moves: new WeakMap(),
    traits: {
      resources: false,
      special: false,
      unevaluatedProperties: false,
      conditions: false,
    },
  };
}

/** Notes a change. */
export function change(scope: Scope, place: Place | undefined, message: string): void {
  scope.walk.changes.push({ path: pointerOf(place), message });
}

/** Notes a fault. */
export function fault(scope: Scope, place: Place | undefined, reason: string): void {
  scope.walk.faults.push({ path: pointerOf(place), reason });
}
