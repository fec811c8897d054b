import { pointerParts, resolvePointer } from "./pointer.ts";

/** Deeper schemas are compiled at once: compilation is recursive and may not succeed. */
const MAX_DEPTH = 60;

/** Keywords with a part in how schemas are found, or that a compiler may refuse although the meta-schema has it. */
const UNSURE: ReadonlySet<string> = new Set([
  "$anchor",
  "$async",
  "$data",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$recursiveAnchor",
  "$recursiveRef",
  "$vocabulary",
  "discriminator",
  "id",
  "nullable",
]);

/**
 * May the compilation of a schema wait for its first use? Only if it cannot fail: it keeps to its meta-schema (checked
 * before), refers to nothing but what it holds, and its patterns are regular expressions. Compiling a thousand tools takes
 * seconds, most of them are never called, and a broken one must still be known when it is registered.
 */
export function canDefer(schema: unknown): boolean {
  return isSure(schema, schema, 0);
}

function isSure(value: unknown, root: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isSure(item, root, depth + 1));
  return Object.entries(value).every(
    ([key, item]) => isSureEntry(key, item, root) && isSure(item, root, depth + 1),
  );
}

/** Names of properties are taken for keywords here: then a schema is compiled at once, which is never wrong. */
function isSureEntry(key: string, item: unknown, root: unknown): boolean {
  // `properties: { id: {…} }` is no keyword; `id: "…"` is one.
  if (UNSURE.has(key)) return typeof item === "object" && item !== null && key === "id";
  switch (key) {
    case "$ref":
      return typeof item === "object" || isInnerRef(item, root);
    case "pattern":
      return typeof item !== "string" || isPattern(item);
    case "patternProperties":
      return typeof item !== "object" || item === null || Object.keys(item).every(isPattern);
    case "enum":
      return !Array.isArray(item) || item.length > 0;
    default:
      return true;
  }
}

/** Keywords that hold schemas by name or index, and those that hold one. There the meta-schema has looked. */
const MANY =
  /^(?:\$defs|definitions|properties|patternProperties|dependentSchemas|anyOf|oneOf|allOf|prefixItems)$/;
const ONE =
  /^(?:items|additionalItems|additionalProperties|unevaluatedItems|unevaluatedProperties|contains|propertyNames|not|if|then|else)$/;

/** Does a `$ref` point to a schema of the same document? Elsewhere in it may stand anything. */
function isInnerRef(ref: unknown, root: unknown): boolean {
  if (typeof ref !== "string" || (ref !== "#" && !ref.startsWith("#/"))) return false;
  const parts = pointerParts(ref.slice(1));
  for (let at = 0; at < parts.length; at += 1) {
    const keyword = parts[at] ?? "";
    if (MANY.test(keyword)) at += 1;
    else if (!ONE.test(keyword)) return false;
    if (at >= parts.length) return false;
  }
  const target = resolvePointer(root, ref);
  return (
    typeof target === "boolean" ||
    (typeof target === "object" && target !== null && !Array.isArray(target))
  );
}

function isPattern(pattern: string): boolean {
  try {
    // ajv compiles patterns with this flag.
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
