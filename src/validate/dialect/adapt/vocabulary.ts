import { type CompileOptions, type Dialect, isRecord } from "../contract.ts";
import { dialectNamed } from "../dialect-of.ts";

/** https://json-schema.org/draft/2020-12/json-schema-validation */
const VALIDATION: ReadonlySet<string> = new Set([
  "const",
  "dependentRequired",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "required",
  "type",
  "uniqueItems",
]);

const NONE: ReadonlySet<string> = new Set();

/** What a meta-schema of one's own says: its dialect, and the keywords that have no meaning in its schemas. */
export interface OwnMetaSchema {
  readonly dialect: Dialect;
  readonly ignored: ReadonlySet<string>;
}

/** The meta-schema that `$schema` names among the given documents; `undefined` when it is none of them. */
export function ownMetaSchema(
  $schema: unknown,
  { schemas = {} }: Pick<CompileOptions, "schemas">,
): OwnMetaSchema | undefined {
  if (typeof $schema !== "string" || !Object.hasOwn(schemas, $schema)) return undefined;
  const meta = schemas[$schema];
  if (!isRecord(meta)) return undefined;
  const dialect = dialectNamed(meta["$schema"]);
  if (dialect === undefined) return undefined;
  const vocabulary = meta["$vocabulary"];
  const isAsked =
    !isRecord(vocabulary) || Object.keys(vocabulary).some((uri) => uri.endsWith("/validation"));
  return { dialect, ignored: isAsked ? NONE : VALIDATION };
}
