import { toPointer } from "../pointer.ts";
import type { Adapted } from "./adapt/adapt.ts";
import { innerParts, moved } from "./adapt/referred.ts";
import { pointerOf } from "./adapt/walk.ts";
import { mayMultiply } from "./recursive.ts";

/**
 * Does ajv judge rightly by a schema? Not by all: it takes dynamic references for static ones, loses what `if` and references
 * have evaluated, refuses an empty `enum`, cannot see a key `__proto__`, and confuses documents in documents. (Found by
 * https://github.com/json-schema-org/JSON-Schema-Test-Suite.)
 */
export function isForAjv(adapted: Adapted): boolean {
  const { schema, walk } = adapted;
  const { resources, special, unevaluatedProperties, conditions } = walk.traits;
  if (resources || special || (unevaluatedProperties && conditions)) return false;
  // ajv's function has no end of its own; the interpreter has.
  if (mayMultiply(adapted)) return false;
  return walk.refs.every(({ ref, resource }) => {
    const parts = innerParts(ref);
    if (parts === undefined || ref.includes("%")) return false;
    // ajv goes where the text of the reference says.
    const whole = `${pointerOf(resource)}${toPointer(parts)}`;
    return whole === toPointer(moved(schema, parts, walk.moves));
  });
}
