import type { SchemaObject } from "../contract.ts";
import { without } from "./keys.ts";
import { asFlag } from "./values.ts";
import { change, type Place, type Scope, step } from "./walk.ts";

const PAIRS = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** In draft-04 (and OpenAPI 3.0) `exclusiveMinimum: true` says that `minimum` itself is not allowed. */
export function reshapeBounds(
  schema: SchemaObject,
  place: Place | undefined,
  scope: Scope,
): SchemaObject {
  let shaped = schema;
  for (const [exclusive, bound] of PAIRS) {
    const flag = asFlag(shaped[exclusive]);
    if (flag === undefined) continue;
    const limit = shaped[bound];
    const at = step(place, exclusive);
    const bare = without(shaped, exclusive);
    if (!flag || limit === undefined || limit === null) {
      if (flag) change(scope, at, `is left out: there is no ${bound} that it could exclude`);
      shaped = bare;
      continue;
    }
    if (scope.dialect !== "draft-04") change(scope, at, `is ${bound}, as draft-04 wrote it`);
    shaped = { ...without(bare, bound), [exclusive]: limit };
  }
  return shaped;
}
