import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";

/** A JSON Schema draft that schemas are compiled by. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** `first` stops at the first error; `all` finds each, for explanations. */
export type Errors = "first" | "all";

// ajv-formats is CommonJS: under Node's resolution its function stands in `default`.
const addFormats = addFormatsModule.default;

const OPTIONS: Options = {
  // Schemas in the wild carry unknown keywords and formats: they are ignored, as the specification asks.
  strict: false,
  // What strict mode would refuse as a number.
  strictNumbers: true,
  // `toString` and `constructor` are not properties that a model gave.
  ownProperties: true,
  // Errors carry the schema that they broke: explanations are made of it.
  verbose: true,
  logger: false,
  // Half of the time of a compilation, for code that V8 optimizes itself.
  code: { optimize: false },
};

/**
 * The dialect that a schema names in `$schema`; 2020-12 when it names none, or one that is not known. Schemas of draft-04
 * and draft-06 are compiled by draft-07, which refuses what it has another meaning for.
 */
export function dialectOf(schema: unknown): Dialect {
  const named =
    typeof schema === "object" && schema !== null && "$schema" in schema
      ? String(schema.$schema)
      : "";
  if (/draft-0[4-7]/.test(named)) return "draft-07";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

function createAjv(dialect: Dialect, options: Options): Ajv {
  const all: Options = { ...OPTIONS, ...options };
  const ajv =
    dialect === "draft-07"
      ? new Ajv(all)
      : dialect === "2019-09"
        ? new Ajv2019(all)
        : new Ajv2020(all);
  addFormats(ajv);
  return ajv;
}

/** A compiler keeps a trace of all that it compiled: it is replaced after that many. */
const MAX_COMPILED = 200;

const compilers = new Map<string, { readonly ajv: Ajv; compiled: number }>();

/** A compiler costs a millisecond without the meta-schemas, and is shared where schemas cannot collide in it. */
function compilerFor(dialect: Dialect, errors: Errors, schema: AnySchema): Ajv {
  const options: Options = { allErrors: errors === "all", validateSchema: false };
  const text = JSON.stringify(schema);
  const refersToMeta = text.includes("json-schema.org/");
  // Two tools may carry the same `$id` and mean different things.
  if (refersToMeta || /"\$(?:id|anchor|dynamicAnchor)"/.test(text)) {
    return createAjv(dialect, { ...options, meta: refersToMeta });
  }
  const key = `${dialect} ${errors}`;
  const shared = compilers.get(key);
  if (shared !== undefined && shared.compiled < MAX_COMPILED) {
    shared.compiled += 1;
    return shared.ajv;
  }
  const ajv = createAjv(dialect, { ...options, meta: false });
  compilers.set(key, { ajv, compiled: 1 });
  return ajv;
}

/** Compiles a schema that carries no `$schema`. Nothing is fetched. @throws Error when it cannot be compiled */
export function compileBy(dialect: Dialect, errors: Errors, schema: AnySchema): ValidateFunction {
  const ajv = compilerFor(dialect, errors, schema);
  try {
    return ajv.compile(schema);
  } finally {
    // The function lives in its closure; the compiler's cache would keep each schema, also a broken one.
    if (typeof schema === "object") ajv.removeSchema(schema);
  }
}

const metas = new Map<Dialect, Ajv>();

/** Where a schema breaks the rules of its dialect: ajv's errors, `[]` when it is one. May throw a RangeError. */
export function breachesOf(dialect: Dialect, schema: AnySchema): readonly ErrorObject[] {
  const known = metas.get(dialect);
  const ajv = known ?? createAjv(dialect, {});
  if (known === undefined) metas.set(dialect, ajv);
  // In ajv the answer is a promise only for schemas with `$async`, and no meta-schema is one.
  return ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? []);
}
