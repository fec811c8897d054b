import type { Json } from "../../machines/index.ts";
import { clonePlain, toPlain } from "../plain.ts";
import type { JsonSchema, StandardSchema, ToolSchema } from "../tool.ts";
import { type CompileOptions, compileValidator, type SchemaChange } from "./dialect/index.ts";
import { type Check, type Repair, type RepairedData, toSchemaCheck } from "./schema-check.ts";
import { isStandardSchema, runStandard, standardJsonSchema } from "./standard.ts";

/** A schema of any kind, compiled: what programs, models and tools need of it. */
export interface CompiledToolSchema {
  /** As JSON Schema, for listings. `{ type: "object" }` when its library gives none. */
  readonly jsonSchema: JsonSchema;
  /** Every fault of plain data (at most 50), `[]` when it is valid. Total. */
  readonly check: Check;
  /** Mends faulty data, and tells the faults that are left. Total. */
  readonly repair: Repair;
  /** What was changed in the schema to be able to compile it. */
  readonly changes: readonly SchemaChange[];
  /**
   * What the tool gets for valid data: an own copy, or the schema's output (defaults, transforms). Throws a TypeError for
   * data that a Standard Schema finds faulty.
   */
  readonly toValue: (data: Json) => unknown;
}

/** What the checked data is called in messages: `arguments.city`, `output.city`. */
export type Root = "arguments" | "output";

/** Deeper schemas are broken: whatever walks them is recursive. */
const MAX_SCHEMA_DEPTH = 500;

/** Compiles a JSON Schema or a Standard Schema. @throws TypeError that says why it cannot be compiled */
export function compileToolSchema(
  schema: ToolSchema | null,
  root: Root = "arguments",
  options: CompileOptions = {},
): CompiledToolSchema {
  if (isStandardSchema(schema)) return compileStandard(schema, root, options);
  // Models' APIs write null for a function without parameters: read as the schema of no arguments, and noted.
  const jsonSchema = schema === null ? { type: "object" } : toJsonSchema(schema);
  const validator = compileValidator(schema === null ? null : jsonSchema, options);
  if (root === "arguments") requireObject(validator.schema);
  return {
    jsonSchema,
    changes: validator.changes,
    ...toSchemaCheck(validator, root),
    toValue: clonePlain,
  };
}

/** An own plain copy: TypeBox schemas carry symbols, and nobody may change a schema after it was compiled. */
function toJsonSchema(schema: unknown): JsonSchema {
  const { value, losses } = toPlain(schema, { maxDepth: MAX_SCHEMA_DEPTH });
  if (losses.length > 0) throw new TypeError(`it is not plain JSON (${losses[0]})`);
  if (typeof value === "boolean") return value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return toRecord(value);
  throw new TypeError("it is neither a JSON Schema (an object) nor a Standard Schema");
}

function toRecord(value: Json): { readonly [keyword: string]: unknown } {
  return value as { readonly [keyword: string]: unknown };
}

/** Arguments are an object: a schema that accepts none can never be met, and is a mistake. */
function requireObject(schema: JsonSchema): void {
  const type = typeof schema === "object" ? schema["type"] : schema ? undefined : "nothing";
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  // Words that are no types are told by the meta-schema.
  const known = ["array", "boolean", "integer", "null", "number", "string", "nothing"];
  if (types.length > 0 && types.every((each) => known.includes(String(each)))) {
    throw new TypeError(`it accepts ${types.join(" or ")}, but arguments are always an object`);
  }
}

/** https://standardschema.dev: the library itself decides, since refinements and transforms are not in its JSON Schema. */
function compileStandard(
  schema: StandardSchema,
  root: Root,
  options: CompileOptions,
): CompiledToolSchema {
  const given = standardJsonSchema(schema);
  const jsonSchema = given === undefined ? { type: "object" } : toJsonSchema(given);
  const check: Check = (data) => {
    const outcome = runStandard(schema, data, root);
    return "faults" in outcome ? outcome.faults : [];
  };
  const guide = once(() => guideOf(jsonSchema, root, options));
  return {
    jsonSchema,
    changes: [],
    check,
    repair(given, how) {
      // Its JSON Schema says where to mend; whether it is mended the library says.
      const mended = guide()?.(given, how) ?? unmended(given);
      return { ...mended, faults: check(mended.data) };
    },
    toValue(data) {
      const outcome = runStandard(schema, data, root);
      if ("value" in outcome) return outcome.value;
      throw new TypeError(outcome.faults.map(({ message }) => message).join("; "));
    },
  };
}

function unmended(data: Json): RepairedData {
  return { data, repairs: [], faults: [] };
}

function guideOf(jsonSchema: JsonSchema, root: Root, options: CompileOptions): Repair | undefined {
  try {
    return toSchemaCheck(compileValidator(jsonSchema, options), root).repair;
  } catch {
    // A library may give a JSON Schema that is none: then nothing is mended.
    return undefined;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
