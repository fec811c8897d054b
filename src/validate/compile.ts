import type { AnySchema, ErrorObject, ValidateFunction } from "ajv";
import type { ArgumentFault, Json } from "../../machines/index.ts";
import type { JsonSchema } from "../tool.ts";
import { canDefer } from "./defer.ts";
import { breachesOf, compileBy, type Dialect, dialectOf, type Errors } from "./dialect.ts";
import { toFaults } from "./explain.ts";
import { isSimpleSchema } from "./simple.ts";

/** Every fault of plain data, in words; `[]` when it is valid. Total. */
export type Check = (data: Json) => readonly ArgumentFault[];

const NONE: readonly ArgumentFault[] = [];

/** Data with more values than these gets its first fault told: finding all of them may take as many errors as values. */
const MAX_NODES_FOR_ALL = 5_000;

/**
 * Compiles a JSON Schema (a plain copy that nobody changes), once. Remote `$ref`s are never fetched. Where compiling cannot
 * fail any more it waits until it is needed. `root` is what the data is called in messages.
 *
 * @throws TypeError with the place in the schema and the reason when it cannot be compiled
 */
export function compileSchema(jsonSchema: JsonSchema, root: string): Check {
  const dialect = dialectOf(jsonSchema);
  const schema = withoutDialect(jsonSchema);
  if (!isSimpleSchema(schema)) throwBreaches(dialect, schema);
  const compile = (errors: Errors): (() => ValidateFunction) =>
    once(() => compileBy(dialect, errors, schema));
  const [first, all] = [compile("first"), compile("all")];
  if (!canDefer(schema)) compileNow(first);
  return (data) => {
    const errors = run(first, data);
    if (errors.length === 0) return NONE;
    return toFaults(isLarge(data) ? errors : allErrors(all, data, errors), data, { root, schema });
  };
}

/** The compiler is chosen by it; left in, it would be looked up in a compiler that may not know it. */
function withoutDialect(schema: JsonSchema): AnySchema {
  if (typeof schema === "boolean") return schema;
  const { $schema: _, ...bare } = schema;
  return bare;
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function throwBreaches(dialect: Dialect, schema: AnySchema): void {
  let breaches: readonly ErrorObject[];
  try {
    breaches = breachesOf(dialect, schema);
  } catch (thrown) {
    throw new TypeError(reasonOf(thrown));
  }
  if (breaches.length === 0) return;
  // Plain JSON by the contract of compileSchema.
  const faults = toFaults(breaches, schema as Json, { root: "the schema", schema: undefined });
  throw new TypeError(
    faults
      .map(({ path, message }) => `${message} (at #${path})`)
      .slice(0, 3)
      .join("; "),
  );
}

function compileNow(compile: () => ValidateFunction): void {
  try {
    compile();
  } catch (thrown) {
    throw new TypeError(reasonOf(thrown));
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof RangeError) return "it is nested too deep, or too large, to be compiled";
  return thrown instanceof Error ? thrown.message : String(thrown);
}

const NO_ERRORS: readonly ErrorObject[] = [];

/** Very deep data overflows the stack of a recursive schema's function, as a very deep schema does the compiler's. */
function run(compiled: () => ValidateFunction, data: Json): readonly ErrorObject[] {
  try {
    const validate = compiled();
    return validate(data) ? NO_ERRORS : (validate.errors ?? NO_ERRORS);
  } catch (thrown) {
    const why = thrown instanceof RangeError ? "it is nested too deep" : reasonOf(thrown);
    return [
      {
        keyword: "depth",
        instancePath: "",
        schemaPath: "",
        params: {},
        message: `cannot be checked: ${why}`,
      },
    ];
  }
}

/** All errors; the first one where finding all of them fails. */
function allErrors(
  all: () => ValidateFunction,
  data: Json,
  errors: readonly ErrorObject[],
): readonly ErrorObject[] {
  const found = run(all, data);
  return found.length === 0 || found[0]?.keyword === "depth" ? errors : found;
}

function isLarge(data: Json): boolean {
  const open: Json[] = [data];
  let nodes = 0;
  while (open.length > 0) {
    const value = open.pop();
    nodes += 1;
    if (typeof value !== "object" || value === null) continue;
    const items: readonly Json[] = Object.values(value);
    if (nodes + open.length + items.length > MAX_NODES_FOR_ALL) return true;
    open.push(...items);
  }
  return false;
}
