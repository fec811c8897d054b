import type { JsonSchema } from "../../../tool.ts";
import { type CompileOptions, type Dialect, isRecord, type SchemaObject } from "../contract.ts";
import { dialectNamed } from "../dialect-of.ts";
import { adaptReferred } from "./referred.ts";
import { reshape } from "./reshape.ts";
import { allowNull } from "./reshape-nullable.ts";
import { RULES } from "./rules.ts";
import { typeMeant } from "./type-words.ts";
import { asFlag, DROP, dropped, show } from "./values.ts";
import { ownMetaSchema } from "./vocabulary.ts";
import {
  change,
  createWalk,
  fault,
  type Moves,
  type Place,
  type Scope,
  step,
  type Walk,
} from "./walk.ts";

/** A schema in terms of 2020-12, and what was found on the way. */
export interface Adapted {
  /** Parts that needed no change are those that were given. */
  readonly schema: JsonSchema;
  readonly dialect: Dialect;
  /** Did the schema, or who gave it, say that it is of this dialect? */
  readonly said: boolean;
  readonly walk: Walk;
}

/** Deeper schemas are refused: whatever walks them is recursive. */
const MAX_DEPTH = 500;

/**
 * Reads a schema of any dialect, on an own copy where something has to be changed: never so that other data fits it than its
 * author plainly meant. What has no safe meaning is a fault in `walk.faults`. Total for plain JSON.
 */
export function adaptSchema(
  given: unknown,
  options: Pick<CompileOptions, "dialect" | "schemas"> = {},
): Adapted {
  const walk = createWalk(options.dialect ?? "2020-12");
  const scope = rootScope(given, walk, options);
  if (given === null || given === undefined) {
    change(scope, undefined, "is missing: the tool takes no arguments");
    return { ...scope, schema: { type: "object" } };
  }
  return { ...scope, schema: adaptReferred(read(given, undefined, scope), scope) };
}

/** The same for a part of a document: what it refers to is elsewhere in that. */
export function adaptPart(given: SchemaObject, dialect: Dialect | undefined): Adapted {
  const walk = createWalk(dialect ?? "2020-12");
  const scope = rootScope(given, walk, dialect === undefined ? {} : { dialect });
  return { ...scope, schema: read(given, undefined, scope) };
}

function rootScope(
  given: unknown,
  walk: Walk,
  options: Pick<CompileOptions, "dialect" | "schemas">,
): Scope {
  const $schema = isRecord(given) ? given["$schema"] : undefined;
  const own = ownMetaSchema($schema, options);
  const named = dialectNamed($schema) ?? own?.dialect;
  const scope: Scope = {
    walk,
    dialect: named ?? walk.fallback,
    said: named !== undefined || options.dialect !== undefined,
    ignored: own?.ignored ?? NOTHING,
    resource: undefined,
    depth: 0,
    read,
  };
  if ($schema !== undefined && named === undefined) {
    change(scope, step(undefined, "$schema"), `is not known: read as ${walk.fallback}`);
  }
  return scope;
}

const NOTHING: ReadonlySet<string> = new Set();

function read(value: unknown, place: Place | undefined, outer: Scope): JsonSchema {
  if (typeof value === "boolean") return value;
  if (!isRecord(value)) return readOdd(value, place, outer);
  if (outer.depth > MAX_DEPTH) {
    // Once: each of many would be told with a very long path.
    if (outer.walk.faults.length === 0)
      fault(outer, undefined, "is nested too deep to be compiled");
    return true;
  }
  const scope = innerScope(value, place, outer);
  const { shaped, moved } = reshape(value, place, scope);
  const made = allowNull(readKeywords(shaped, moved, place, scope), place, scope, moved);
  if (moved.size > 0) scope.walk.moves.set(made, moved);
  return made;
}

/** A schema in a schema may name a dialect of its own, and may be a document of its own. */
function innerScope(schema: SchemaObject, place: Place | undefined, outer: Scope): Scope {
  const named = place === undefined ? undefined : dialectNamed(schema["$schema"]);
  const dialect = named ?? outer.dialect;
  const isResource =
    place !== undefined &&
    (isUri(schema["$id"]) || (dialect === "draft-04" && isUri(schema["id"])));
  if (isResource) outer.walk.traits.resources = true;
  return {
    ...outer,
    dialect,
    said: outer.said || named !== undefined,
    resource: isResource ? place : outer.resource,
    depth: outer.depth + 1,
  };
}

/** A fragment alone is no document. */
function isUri(id: unknown): boolean {
  return typeof id === "string" && id !== "" && !id.startsWith("#");
}

function readKeywords(
  schema: SchemaObject,
  moved: Moves,
  place: Place | undefined,
  scope: Scope,
): SchemaObject {
  let edits: Map<string, unknown> | undefined;
  for (const keyword of Object.keys(schema)) {
    const rule = RULES.get(keyword);
    if (rule === undefined) continue;
    const value = schema[keyword];
    const at = step(place, givenKey(keyword, moved));
    const made = scope.ignored.has(keyword)
      ? dropped(scope, at, "its meta-schema does not have it")
      : rule(value, at, scope);
    if (made === value) continue;
    edits ??= new Map();
    edits.set(keyword, made);
  }
  return edits === undefined ? schema : edited(schema, edits);
}

/** What a keyword was called in the schema as it was given. */
function givenKey(keyword: string, moved: Moves): string {
  for (const [given, [now]] of moved) if (now === keyword) return given;
  return keyword;
}

function edited(schema: SchemaObject, edits: ReadonlyMap<string, unknown>): SchemaObject {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => [
    key,
    edits.has(key) ? edits.get(key) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== DROP));
}

/** What stands where a schema stands, and is none: only what can mean one thing is taken for it. */
function readOdd(value: unknown, place: Place | undefined, scope: Scope): JsonSchema {
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    change(scope, place, `is an open schema, given as ${show(value)}`);
    return true;
  }
  const flag = asFlag(value);
  if (flag !== undefined) {
    change(scope, place, `is ${flag}, given as text`);
    return flag;
  }
  const type = typeof value === "string" && value !== "" ? typeMeant(value) : undefined;
  if (type !== undefined) {
    change(scope, place, `is the type alone, given as ${show(value)}`);
    return type === "any" ? true : { type };
  }
  fault(scope, place, `must be a JSON Schema (an object, true or false), not ${show(value)}`);
  return true;
}
