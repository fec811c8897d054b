import type { SchemaObject } from "../contract.ts";
import { isOldDraft } from "../dialect-of.ts";
import { without } from "./keys.ts";
import { change, type Place, type Scope, step } from "./walk.ts";

/** `$id` (draft-04: `id`) names a document; in old drafts its fragment is what `$anchor` is now. */
export function reshapeIds(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
): SchemaObject {
  const key = scope.dialect === "draft-04" && typeof schema["id"] === "string" ? "id" : "$id";
  if (!Object.hasOwn(schema, key)) return schema;
  const id = schema[key];
  const bare = without(schema, key);
  if (typeof id !== "string") {
    change(scope, step(place, key), "is left out: it is no text, and nothing can refer to it");
    return bare;
  }
  const [uri = "", fragment = ""] = id.split("#");
  // A fragment that is a pointer, as generators write it, names what it stands at anyway.
  const isAnchor = isOldDraft(scope.dialect) && fragment !== "" && !fragment.startsWith("/");
  const anchor = isAnchor ? { $anchor: fragment } : {};
  if (key === "$id" && id === uri) return schema;
  if (key === "id") change(scope, step(place, key), "is $id, as draft-04 wrote it");
  return { ...bare, ...anchor, ...(uri === "" ? {} : { $id: uri }) };
}
