import { createRequire } from "node:module";
import type { JsonSchema } from "../../../tool.ts";

const require = createRequire(import.meta.url);

/** The files of ajv's own copies, by a part of their URI. */
const FILES: readonly (readonly [RegExp, (match: string) => string])[] = [
  [/^https?:\/\/json-schema\.org\/draft-(0[67])\/schema$/, (of) => `json-schema-draft-${of}`],
  [
    /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/schema$/,
    (of) => `json-schema-${of}/schema`,
  ],
  [
    /^https:\/\/json-schema\.org\/draft\/((?:2019-09|2020-12)\/meta\/[a-z-]+)$/,
    (of) => `json-schema-${of}`,
  ],
];

/** The meta-schema of a URI (without a fragment), which schemas for schemas refer to; `undefined` for any other URI. */
export function readMetaSchema(uri: string): JsonSchema | undefined {
  for (const [pattern, file] of FILES) {
    const match = pattern.exec(uri);
    if (match?.[1] !== undefined) return requireJson(`ajv/dist/refs/${file(match[1])}.json`);
  }
  return undefined;
}

function requireJson(path: string): JsonSchema | undefined {
  try {
    const schema: JsonSchema = require(path);
    return schema;
  } catch {
    // One that this version of ajv does not bring along.
    return undefined;
  }
}
