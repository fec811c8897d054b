import type { Adapted } from "./adapt/adapt.ts";
import { innerParts, moved, valueAt } from "./adapt/referred.ts";
import { isRecord, type SchemaObject } from "./contract.ts";
import { subschemas } from "./places.ts";

/**
 * Can a schema judge one value by several of its own references, each of which comes back to it? Then the checks may double
 * with every level of the data. With one reference there is one way down.
 */
export function mayMultiply({ schema, walk }: Adapted): boolean {
  if (walk.refs.length < 2 || !isRecord(schema)) return false;
  const settled = new Set<SchemaObject>();
  const onWay = new Set<SchemaObject>();
  const comesBack = (each: SchemaObject): boolean => {
    if (onWay.has(each)) return true;
    if (settled.has(each)) return false;
    onWay.add(each);
    const back = [...subschemas(each), ...referred(each, schema, walk)].some(comesBack);
    onWay.delete(each);
    settled.add(each);
    return back;
  };
  return comesBack(schema);
}

function referred(
  each: SchemaObject,
  root: SchemaObject,
  walk: Adapted["walk"],
): readonly SchemaObject[] {
  const { $ref } = each;
  const parts = typeof $ref === "string" ? innerParts($ref) : undefined;
  const target = parts === undefined ? undefined : valueAt(root, moved(root, parts, walk.moves));
  return isRecord(target) ? [target] : [];
}
