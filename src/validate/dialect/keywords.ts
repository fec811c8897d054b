import type { FuncKeywordDefinition } from "ajv";
import { duplicate } from "./equal.ts";
import { isMultiple } from "./multiple.ts";

/** Keywords that ajv's own code is replaced for. They only say whether: errors are not made of ajv's answers. */
export const OWN_KEYWORDS: readonly FuncKeywordDefinition[] = [
  {
    // ajv compares every item with every other.
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || duplicate(items) === undefined,
  },
  {
    // ajv divides doubles, and finds that 4.35 is no multiple of 0.01.
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    validate: (factor: number, data: number) => isMultiple(data, factor),
  },
];
