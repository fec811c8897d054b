import type { Dialect } from "./contract.ts";

/** What `$schema` may say, by a part of its URI. Draft-05 is draft-04 as far as validation goes. */
const NAMED: readonly (readonly [RegExp, Dialect])[] = [
  [/json-schema\.org\/draft-0[45]\//, "draft-04"],
  [/json-schema\.org\/draft-06\//, "draft-06"],
  [/json-schema\.org\/draft-07\//, "draft-07"],
  [/json-schema\.org\/draft\/2019-09\//, "2019-09"],
  [/json-schema\.org\/draft\/2020-12\//, "2020-12"],
];

/** The dialect that a `$schema` names; `undefined` for any that is not known. */
export function dialectNamed($schema: unknown): Dialect | undefined {
  if (typeof $schema !== "string") return undefined;
  return NAMED.find(([pattern]) => pattern.test($schema))?.[1];
}

/** Draft-07 and older: `$ref` stands alone, and tuples are `items: [...]`. */
export function isOldDraft(dialect: Dialect): boolean {
  return dialect.startsWith("draft-");
}
