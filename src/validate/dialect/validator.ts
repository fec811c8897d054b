import type { ErrorObject } from "ajv";
import type { Json } from "../../../machines/index.ts";
import type { JsonSchema } from "../../tool.ts";
import { countNodes } from "../count-nodes.ts";
import type { CompileOptions, SchemaValidator } from "./contract.ts";
import { compileFast } from "./fast.ts";
import { createInterpreter } from "./interpret/interpreter.ts";
import { createLinker } from "./link/linker.ts";
import { resetGuard } from "./patterns/guarded.ts";
import { readSchema } from "./read-schema.ts";

/** Data with more values than these gets its first fault told: finding all of them may take as many errors as values. */
const MAX_NODES_FOR_ALL = 5_000;

/** Checks of values, interpreted, that take as long as making ajv's function does: some 2 ms. */
const CHECKS_BEFORE_AJV = 5_000;

const NONE: readonly ErrorObject[] = [];

/**
 * Compiles a JSON Schema of any dialect (plain JSON that nobody changes; `null` or none at all: no arguments). Reads all of it
 * at once, and nothing can fail any more. Nothing is ever fetched.
 *
 * Data is judged by an interpreter, which is ready at once; when that has worked as long as ajv takes to compile, valid data
 * is passed by ajv's function. What ajv does not pass the interpreter judges: the errors are always its own.
 *
 * @throws SchemaError with each place that has no safe meaning, and the reason
 */
export function compileValidator(
  given: JsonSchema | null,
  options: CompileOptions = {},
): SchemaValidator {
  const adapted = readSchema(given, options);
  const fast = once(() => compileFast(adapted, options.formats !== "annotate"));
  const interpreter = once(() =>
    createInterpreter(createLinker(adapted, options), {
      formats: options.formats !== "annotate",
      containsMarks: adapted.dialect !== "2019-09",
    }),
  );
  let checked = 0;
  const judge = (data: Json, errors: "first" | "all"): readonly ErrorObject[] => {
    resetGuard();
    if (checked >= CHECKS_BEFORE_AJV && fast()(data)) return NONE;
    try {
      const verdict = interpreter()(data, errors);
      // ajv's function has no end where the interpreter had to make one: it must not be made.
      checked = verdict.exhausted ? Number.NEGATIVE_INFINITY : checked + verdict.checked;
      return verdict.errors;
    } catch (thrown) {
      // Data this deep overflows its stack; ajv's function takes less of it.
      return fast()(data) ? NONE : [cannotCheck(thrown)];
    }
  };
  return {
    dialect: adapted.dialect,
    changes: adapted.walk.changes,
    schema: adapted.schema,
    first: (data) => judge(data, "first"),
    all: (data) =>
      judge(data, countNodes(data, MAX_NODES_FOR_ALL) > MAX_NODES_FOR_ALL ? "first" : "all"),
  };
}

function cannotCheck(thrown: unknown): ErrorObject {
  const told = thrown instanceof Error ? thrown.message : String(thrown);
  const why = thrown instanceof RangeError ? "it is nested too deep" : told;
  const message = `cannot be checked: ${why}`;
  return { keyword: "depth", instancePath: "", schemaPath: "", params: {}, message };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
