import type { JsonSchema } from "../../../tool.ts";
import { toPointer } from "../../pointer.ts";
import { innerParts } from "../adapt/referred.ts";
import { isRecord, type SchemaFault, type SchemaObject } from "../contract.ts";
import { HOLDS } from "../places.ts";
import type { Linker, Resource } from "./linker.ts";

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** Keywords whose schemas judge the same value. */
const SAME_VALUE: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "anyOf",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

interface Visit {
  readonly schema: JsonSchema;
  readonly resource: Resource;
  /** Where it stands; for what is not in the document, where the reference stands that led to it. */
  readonly path: readonly string[];
  /** Where the reference stands that led to it, or itself. */
  readonly via: readonly string[];
  readonly sameValue: boolean;
}

/**
 * References of a schema, and of all that it refers to, that name nothing; and those that lead back to themselves without
 * going into the value, which no value would ever satisfy or break. @throws SchemaError for a document that is no schema
 */
export function faultyReferences(linker: Linker): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  const seen = new Set<SchemaObject>();
  const visit = ({ schema, resource: around, path, via }: Visit, chain: Set<SchemaObject>) => {
    if (!isRecord(schema)) return;
    if (chain.has(schema)) {
      faults.push({ path: toPointer(via), reason: "refers to itself without an end" });
    }
    if (seen.has(schema)) return;
    seen.add(schema);
    chain.add(schema);
    const resource = linker.resourceOf(schema, around);
    for (const next of [...referred(schema, resource, path), ...held(schema, resource, path)]) {
      visit(next, next.sameValue ? chain : new Set());
    }
    chain.delete(schema);
  };
  const referred = (schema: SchemaObject, resource: Resource, path: readonly string[]): Visit[] =>
    REFERENCES.flatMap((keyword) => {
      const ref = schema[keyword];
      if (typeof ref !== "string") return [];
      const target = linker.resolve(ref, resource);
      if (target !== undefined) {
        const within = resource === linker.root ? innerParts(ref) : undefined;
        const via = [...path, keyword];
        return [{ ...target, path: within ?? via, via, sameValue: keyword === "$ref" }];
      }
      const reason = `can't resolve reference ${ref}: there is no such schema, and none is fetched`;
      faults.push({ path: toPointer([...path, keyword]), reason });
      return [];
    });
  visit(
    { schema: linker.root.root, resource: linker.root, path: [], via: [], sameValue: false },
    new Set(),
  );
  return faults;
}

/** The schemas that stand in a schema. */
function held(schema: SchemaObject, resource: Resource, path: readonly string[]): readonly Visit[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const holds = HOLDS.get(keyword);
    if (holds === undefined) return [];
    const entries: readonly (readonly [readonly string[], unknown])[] =
      holds === "one"
        ? [[[keyword], value]]
        : Object.entries(value ?? {}).map(([key, each]) => [[keyword, key], each]);
    return entries.flatMap(([keys, each]) =>
      isRecord(each)
        ? [
            {
              schema: each,
              resource,
              path: [...path, ...keys],
              via: [...path, ...keys],
              sameValue: SAME_VALUE.has(keyword),
            },
          ]
        : [],
    );
  });
}
