import type { AnySchema, ValidateFunction } from "ajv";
import type { Json } from "../../../machines/index.ts";
import type { Adapted } from "./adapt/adapt.ts";
import { compileByAjv } from "./ajv.ts";
import { isRecord } from "./contract.ts";
import { isForAjv } from "./for-ajv.ts";

/** Says quickly that data is valid. Where it does not say so, nothing is said. Total. */
export type SaysValid = (data: Json) => boolean;

const NEVER: SaysValid = () => false;

/** ajv's function for a schema, where ajv judges rightly by it. Making it takes some ms. Total. */
export function compileFast(adapted: Adapted, formats: boolean): SaysValid {
  const validate = tryAjv(adapted, formats);
  if (validate === undefined) return NEVER;
  return (data) => {
    try {
      return validate(data);
    } catch {
      // A text that takes too long, or data too deep.
      return false;
    }
  };
}

function tryAjv(adapted: Adapted, formats: boolean): ValidateFunction | undefined {
  if (!isForAjv(adapted)) return undefined;
  try {
    return compileByAjv(bare(adapted), formats);
  } catch {
    return undefined;
  }
}

/** Without its name and its dialect: ajv would look for them among its own schemas. */
function bare({ schema }: Adapted): AnySchema {
  if (!isRecord(schema)) return schema;
  const { $schema: _, $id: __, ...rest } = schema;
  return rest;
}
