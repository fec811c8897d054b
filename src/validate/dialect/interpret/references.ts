import { isRecord } from "../contract.ts";
import type { Resource, Target } from "../link/linker.ts";
import type { Check, Keyword, Make, Through, Tools } from "./contract.ts";

/** Checks by schemas that stand elsewhere. */
export const REFERENCE_KEYWORDS: readonly (readonly [string, Make])[] = [
  ["$ref", reference],
  ["$dynamicRef", dynamicReference],
  ["$recursiveRef", recursiveReference],
];

function reference(keyword: Keyword, { resolve, follow }: Tools): Check | undefined {
  const ref = String(keyword.value);
  const target = resolve(ref, keyword.resource);
  return target === undefined ? undefined : follow(target, ref);
}

/**
 * Starts as `$ref`; if that leads to a `$dynamicAnchor`, the outermost resource on the way that has one of that name is
 * meant. https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3.2
 */
function dynamicReference(keyword: Keyword, { resolve, follow }: Tools): Check | undefined {
  const ref = String(keyword.value);
  const first = resolve(ref, keyword.resource);
  if (first === undefined) return undefined;
  const name = ref.split("#")[1] ?? "";
  if (first.resource.dynamicAnchors.get(name) !== first.schema) return follow(first, ref);
  return (given) => {
    const meant = outermost(given.through, (resource) => {
      const schema = resource.dynamicAnchors.get(name);
      return schema === undefined ? undefined : { schema, resource };
    });
    return follow(meant ?? first, ref)(given);
  };
}

/** The same of 2019-09: https://json-schema.org/draft/2019-09/json-schema-core#section-8.2.4.2.1 */
function recursiveReference(keyword: Keyword, { resolve, follow }: Tools): Check | undefined {
  const ref = String(keyword.value);
  const first = resolve(ref, keyword.resource);
  if (first === undefined) return undefined;
  if (!isRecursive(first.resource)) return follow(first, ref);
  return (given) => {
    const meant = outermost(given.through, (resource) =>
      isRecursive(resource) ? { schema: resource.root, resource } : undefined,
    );
    return follow(meant ?? first, ref)(given);
  };
}

function isRecursive({ root }: Resource): boolean {
  return isRecord(root) && root["$recursiveAnchor"] === true;
}

function outermost(
  through: Through,
  targetIn: (resource: Resource) => Target | undefined,
): Target | undefined {
  let found: Target | undefined;
  for (let at: Through | undefined = through; at !== undefined; at = at.outer) {
    found = targetIn(at.resource) ?? found;
  }
  return found;
}
