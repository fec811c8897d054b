import type { JsonSchema } from "../../../tool.ts";
import { pointerParts } from "../../pointer.ts";
import { type Adapted, adaptPart, adaptSchema } from "../adapt/adapt.ts";
import { moved, valueAt } from "../adapt/referred.ts";
import type { Moves } from "../adapt/walk.ts";
import {
  type CompileOptions,
  type Dialect,
  isRecord,
  isSchema,
  SchemaError,
  type SchemaObject,
} from "../contract.ts";
import { subschemas } from "../places.ts";
import { readMetaSchema } from "./meta-schemas.ts";

/** A part of a document that has a URI of its own. */
export interface Resource {
  /** Absolute, without a fragment. */
  readonly uri: string;
  readonly root: JsonSchema;
  /** `$anchor`s and `$dynamicAnchor`s. */
  readonly anchors: Map<string, JsonSchema>;
  readonly dynamicAnchors: Map<string, JsonSchema>;
  readonly moves: WeakMap<SchemaObject, Moves>;
  /** `undefined`: it said none. */
  readonly dialect: Dialect | undefined;
}

/** A schema that a reference names, and the resource that it stands in. */
export interface Target {
  readonly schema: JsonSchema;
  readonly resource: Resource;
}

/** Finds what references name: in the document, in those that were given, and in the meta-schemas. Fetches nothing. */
export interface Linker {
  readonly root: Resource;
  /** The resource that a schema stands in, if it is known that it stands in another than `around`. */
  readonly resourceOf: (schema: SchemaObject, around: Resource) => Resource;
  /** `undefined` when there is no such schema. @throws SchemaError when what it names is none */
  readonly resolve: (ref: string, from: Resource) => Target | undefined;
}

/** The URI of documents that have none: relative ones are resolved against it. */
const NOWHERE = "schema:///";

interface Index {
  readonly resources: Map<string, Resource>;
  /** The resource of each schema that is the root of one. */
  readonly roots: Map<SchemaObject, Resource>;
  readonly indexed: Set<SchemaObject>;
}

/** A linker for one adapted schema. */
export function createLinker(adapted: Adapted, options: CompileOptions): Linker {
  const index: Index = { resources: new Map(), roots: new Map(), indexed: new Set() };
  const root = addDocument(index, adapted, NOWHERE);
  const given = new Map(
    Object.entries(options.schemas ?? {}).map(([uri, schema]) => [absolute(uri, NOWHERE), schema]),
  );
  const load = (uri: string): Resource | undefined => {
    const known = index.resources.get(uri);
    if (known !== undefined) return known;
    const schema = given.get(uri) ?? readMetaSchema(uri);
    if (schema !== undefined) {
      given.delete(uri);
      return addDocument(
        index,
        adaptSchema(schema, adapted.said ? { dialect: adapted.dialect } : {}),
        uri,
      );
    }
    // A document may call itself something else than it was given as.
    const [next] = given.keys();
    if (next === undefined) return undefined;
    load(next);
    return load(uri);
  };
  return {
    root,
    resourceOf: (schema, around) => index.roots.get(schema) ?? around,
    resolve(ref, from) {
      const [uri = "", fragment = ""] = absolute(ref, from.uri).split("#");
      const resource = load(uri);
      return resource === undefined ? undefined : findIn(index, resource, decode(fragment));
    },
  };
}

/** A URI that cannot be resolved stands for itself: then only what is called the same fits it. */
function absolute(uri: string, base: string): string {
  return (URL.parse(uri, base)?.href ?? uri).replace(/#$/, "");
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function addDocument(index: Index, adapted: Adapted, uri: string): Resource {
  const { schema, walk, said } = adapted;
  if (walk.faults.length > 0) throw new SchemaError(walk.faults);
  const id = isRecord(schema) ? schema["$id"] : undefined;
  const dialect = said ? adapted.dialect : undefined;
  const document = resource(typeof id === "string" ? absolute(id, uri) : uri, schema, {
    moves: walk.moves,
    dialect,
  });
  index.resources.set(uri, document);
  addName(index.resources, document.uri, document);
  if (isRecord(schema)) index.roots.set(schema, document);
  addSchemas(index, schema, document);
  return document;
}

function resource(
  uri: string,
  root: JsonSchema,
  { moves, dialect }: Pick<Resource, "moves" | "dialect">,
): Resource {
  return { uri, root, anchors: new Map(), dynamicAnchors: new Map(), moves, dialect };
}

/** Notes the ids and anchors of a schema and of all below it. */
function addSchemas(index: Index, schema: JsonSchema, around: Resource): void {
  if (!isRecord(schema) || index.indexed.has(schema)) return;
  index.indexed.add(schema);
  const own = addResource(index, schema, around);
  const { $anchor, $dynamicAnchor } = schema;
  if (typeof $anchor === "string") addName(own.anchors, $anchor, schema);
  if (typeof $dynamicAnchor === "string") {
    addName(own.anchors, $dynamicAnchor, schema);
    addName(own.dynamicAnchors, $dynamicAnchor, schema);
  }
  for (const each of subschemas(schema)) addSchemas(index, each, own);
}

function addResource(index: Index, schema: SchemaObject, around: Resource): Resource {
  const known = index.roots.get(schema);
  if (known !== undefined) return known;
  const { $id } = schema;
  if (typeof $id !== "string") return around;
  const own = resource(absolute($id, around.uri), schema, around);
  addName(index.resources, own.uri, own);
  index.roots.set(schema, own);
  return own;
}

/** The first of a name stays: a document does not take the place of another. */
function addName<T>(names: Map<string, T>, name: string, value: T): void {
  if (!names.has(name)) names.set(name, value);
}

function findIn(index: Index, resource: Resource, fragment: string): Target | undefined {
  if (fragment === "") return { schema: resource.root, resource };
  if (!fragment.startsWith("/")) {
    const schema = resource.anchors.get(fragment);
    return schema === undefined ? undefined : { schema, resource };
  }
  const parts = moved(resource.root, pointerParts(fragment), resource.moves);
  const schema = valueAt(resource.root, parts);
  if (!isSchema(schema)) return undefined;
  const around = parts.reduce<Resource>((around, _, at) => {
    const passed = valueAt(resource.root, parts.slice(0, at));
    return (isRecord(passed) ? index.roots.get(passed) : undefined) ?? around;
  }, resource);
  return adopt(index, schema, around);
}

/** A place that is no place for schemas was not read as one yet. */
function adopt(index: Index, schema: JsonSchema, around: Resource): Target {
  if (!isRecord(schema)) return { schema, resource: around };
  if (index.indexed.has(schema)) return { schema, resource: index.roots.get(schema) ?? around };
  const known = adopted.get(schema);
  const made = known ?? adaptPart(schema, around.dialect);
  if (known === undefined) adopted.set(schema, made);
  if (made.walk.faults.length > 0) throw new SchemaError(made.walk.faults);
  addSchemas(index, made.schema, around);
  const own = isRecord(made.schema) ? index.roots.get(made.schema) : undefined;
  return { schema: made.schema, resource: own ?? around };
}

/** Twice read must be the same schema twice. */
const adopted = new WeakMap<SchemaObject, Adapted>();
