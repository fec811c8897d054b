import type { ErrorObject } from "ajv";
import type { Json } from "../../../machines/index.ts";
import type { JsonSchema } from "../../tool.ts";
import { readablePath } from "../pointer.ts";

/** A version of JSON Schema. https://json-schema.org/specification-links */
export type Dialect = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

/** A change that was made to be able to compile a schema. */
export interface SchemaChange {
  /** JSON Pointer in the schema as it was given. */
  readonly path: string;
  readonly message: string;
}

/** A place in a schema that has no safe meaning. */
export interface SchemaFault {
  /** JSON Pointer in the schema as it was given. */
  readonly path: string;
  readonly reason: string;
}

/** Faults that a message tells. */
const MAX_TOLD = 3;

/** A schema that cannot be compiled. Its message tells the first faults, each with its place. */
export class SchemaError extends TypeError {
  override readonly name = "SchemaError";
  readonly faults: readonly SchemaFault[];

  constructor(faults: readonly SchemaFault[]) {
    const told = faults
      .slice(0, MAX_TOLD)
      .map(({ path, reason }) => `${readablePath(path, "the schema")} ${reason} (at #${path})`);
    super(told.join("; "));
    this.faults = faults;
  }
}

/** How a schema is compiled. */
export interface CompileOptions {
  /** For schemas that name none that is known in `$schema`. Default `"2020-12"`. */
  readonly dialect?: Dialect;
  /** Is data refused that breaks a known `format`? Default `"assert"`: yes. */
  readonly formats?: "assert" | "annotate";
  /** Other documents that `$ref`s may name, by absolute URI. Nothing is ever fetched. Default none. */
  readonly schemas?: { readonly [uri: string]: JsonSchema };
}

/** A compiled schema. Both checks are total. */
export interface SchemaValidator {
  /** The dialect that the schema was read by. */
  readonly dialect: Dialect;
  /** What was changed in the schema, in the order of the schema. */
  readonly changes: readonly SchemaChange[];
  /** The schema that the errors speak of: as it was given, or with the changes, in terms of 2020-12. */
  readonly schema: JsonSchema;
  /** `[]` when valid; else errors up to the first fault. */
  readonly first: (data: Json) => readonly ErrorObject[];
  /** `[]` when valid; else all errors (those up to the first fault for very large data). */
  readonly all: (data: Json) => readonly ErrorObject[];
}

/** A schema that is an object. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** Is it an object of JSON (and no array)? */
export function isRecord(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Is it something that may stand where a schema stands? */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}
