import { Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import type { Json } from "../../machines/index.ts";

/** Checks plain data against one compiled schema: ajv's errors, `[]` when it is valid. Total. */
export type CompiledSchema = (data: Json) => readonly ErrorObject[];

// ajv-formats is CommonJS: under Node's resolution its function stands in `default`.
const addFormats = addFormatsModule.default;

const OPTIONS = {
  // Schemas in the wild carry unknown keywords and formats: they are ignored, as the specification asks.
  strict: false,
  allErrors: true,
  // `toString` and `constructor` are not properties that a model gave.
  ownProperties: true,
  verbose: true,
  logger: false,
  validateFormats: true,
} as const;

type Dialect = "draft-07" | "2019-09" | "2020-12";

/** The dialect that a schema names in `$schema`; 2020-12 when it names none, or one that is not known. */
export function dialectOf(schema: unknown): Dialect {
  const named =
    typeof schema === "object" && schema !== null && "$schema" in schema
      ? String(schema.$schema)
      : "";
  if (/draft-0[4-7]/.test(named)) return "draft-07";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

function createAjv(dialect: Dialect): Ajv {
  const ajv =
    dialect === "draft-07"
      ? new Ajv(OPTIONS)
      : dialect === "2019-09"
        ? new Ajv2019(OPTIONS)
        : new Ajv2020(OPTIONS);
  addFormats(ajv);
  return ajv;
}

/**
 * Compilers are shared, since making one costs some ten milliseconds. A schema with its own `$id` gets a compiler of its
 * own: two tools may carry the same `$id` and mean different things.
 */
const shared = new Map<Dialect, Ajv>();

function ajvFor(schema: AnySchema, dialect: Dialect): Ajv {
  if (JSON.stringify(schema).includes('"$id"')) return createAjv(dialect);
  const known = shared.get(dialect);
  if (known !== undefined) return known;
  const ajv = createAjv(dialect);
  shared.set(dialect, ajv);
  return ajv;
}

/**
 * Compiles a JSON Schema once. Remote `$ref`s are never fetched.
 *
 * @throws Error with ajv's reason when it cannot be compiled (also a RangeError of a schema that is too deep).
 */
export function compileSchema(schema: AnySchema): CompiledSchema {
  const dialect = dialectOf(schema);
  const ajv = ajvFor(schema, dialect);
  const { $schema: _, ...bare } = typeof schema === "object" ? schema : { $schema: undefined };
  const validate: ValidateFunction = ajv.compile(typeof schema === "object" ? bare : schema);
  // The compiled function lives in its closure; ajv's cache would keep every schema for ever.
  ajv.removeSchema(typeof schema === "object" ? bare : schema);
  return (data) => {
    try {
      return validate(data) ? [] : (validate.errors ?? []);
    } catch (thrown) {
      return [tooDeep(thrown)];
    }
  };
}

/** Very deep data overflows the stack of a recursive schema's function. */
function tooDeep(thrown: unknown): ErrorObject {
  return {
    keyword: "depth",
    instancePath: "",
    schemaPath: "",
    params: {},
    message: `cannot be checked: ${thrown instanceof Error ? thrown.message : "it is too deep"}`,
  };
}
