import type { AnySchema } from "ajv";
import type { ArgumentFault, Json } from "../../machines/index.ts";
import { clonePlain, toPlain } from "../plain.ts";
import type { JsonSchema, StandardSchema, ToolSchema } from "../tool.ts";
import { compileSchema } from "./compile.ts";
import { toFaults } from "./explain.ts";
import { readablePath } from "./describe.ts";

/** A schema of any kind, compiled: what programs, models and tools need of it. */
export interface CompiledToolSchema {
  /** As JSON Schema, for listings. */
  readonly jsonSchema: JsonSchema;
  /** Every fault of plain data, `[]` when it is valid. Total. */
  readonly check: (data: Json) => readonly ArgumentFault[];
  /** What the tool gets for valid data: an own copy, or the schema's output (defaults, transforms). */
  readonly toValue: (data: Json) => unknown;
}

/** The most faults that are told of one value. */
const MAX_FAULTS = 50;

/** Compiles a JSON Schema or a Standard Schema. @throws TypeError that says why it cannot be compiled. */
export function compileToolSchema(schema: ToolSchema): CompiledToolSchema {
  if (isStandardSchema(schema)) return compileStandard(schema);
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
    throw new TypeError(`it is ${typeof schema}, not a JSON Schema or a Standard Schema`);
  }
  const jsonSchema = toJsonSchema(schema);
  const check = compileJson(jsonSchema);
  return { jsonSchema, check, toValue: clonePlain };
}

/** An own plain copy: TypeBox schemas carry symbols, and nobody may change a schema after it was compiled. */
function toJsonSchema(schema: unknown): JsonSchema {
  const { value, losses } = toPlain(schema, { maxDepth: 500 });
  if (typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("it is not an object");
  }
  if (losses.length > 0) throw new TypeError(`it is not plain JSON (${losses[0]})`);
  return value as JsonSchema;
}

function compileJson(schema: JsonSchema): CompiledToolSchema["check"] {
  let compiled: ReturnType<typeof compileSchema>;
  try {
    compiled = compileSchema(schema as AnySchema);
  } catch (thrown) {
    throw new TypeError(thrown instanceof Error ? thrown.message : String(thrown));
  }
  return (data) => {
    const errors = compiled(data);
    return errors.length === 0 ? NO_FAULTS : toFaults(errors.slice(0, 500), data).slice(0, MAX_FAULTS);
  };
}

const NO_FAULTS: readonly ArgumentFault[] = [];

function isStandardSchema(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) return false;
  return "~standard" in schema && typeof schema["~standard"] === "object";
}

/** https://standardschema.dev: the library itself decides, since refinements and transforms are not in its JSON Schema. */
function compileStandard(schema: StandardSchema): CompiledToolSchema {
  const jsonSchema = standardJsonSchema(schema) ?? { type: "object" };
  return {
    jsonSchema,
    check(data) {
      const outcome = runStandard(schema, data);
      if ("value" in outcome) return NO_FAULTS;
      return outcome.faults.slice(0, MAX_FAULTS);
    },
    toValue(data) {
      const outcome = runStandard(schema, data);
      if ("value" in outcome) return outcome.value;
      throw new TypeError(outcome.faults.map(({ message }) => message).join("; "));
    },
  };
}

/** https://standardschema.dev/json-schema; zod 4.2 and ArkType 2.1.28 have it, valibot through its converter. */
function standardJsonSchema(schema: StandardSchema): JsonSchema | undefined {
  const standard: unknown = schema["~standard"];
  if (typeof standard !== "object" || standard === null || !("jsonSchema" in standard)) {
    return undefined;
  }
  const { jsonSchema } = standard as {
    jsonSchema: { input: (options: { target: string }) => unknown };
  };
  try {
    return toJsonSchema(jsonSchema.input({ target: "draft-2020-12" }));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TypeError(`its library cannot express it as JSON Schema: ${why}`);
  }
}

type StandardOutcome = { readonly value: unknown } | { readonly faults: readonly ArgumentFault[] };

function runStandard(schema: StandardSchema, data: Json): StandardOutcome {
  const failed = (message: string): StandardOutcome => ({
    faults: [{ path: "", keyword: "schema", message }],
  });
  try {
    const outcome: unknown = schema["~standard"].validate(clonePlain(data));
    if (typeof outcome !== "object" || outcome === null) return failed("its schema gave no answer");
    if (outcome instanceof Promise) {
      // Nobody waits for it, and it must not become an unhandled rejection.
      outcome.catch(() => {});
      return failed("its schema is checked asynchronously, which this version does not support");
    }
    if ("issues" in outcome && Array.isArray(outcome.issues)) {
      return { faults: outcome.issues.map(toFault) };
    }
    return { value: "value" in outcome ? outcome.value : undefined };
  } catch (thrown) {
    return failed(`its schema failed: ${thrown instanceof Error ? thrown.message : "it threw"}`);
  }
}

function toFault(issue: unknown): ArgumentFault {
  const { message, path } = (issue ?? {}) as { message?: unknown; path?: unknown };
  const pointer = (Array.isArray(path) ? path : [])
    .map((part: unknown) =>
      typeof part === "object" && part !== null && "key" in part ? part.key : part,
    )
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  return {
    path: pointer,
    keyword: "schema",
    message: `${readablePath(pointer)}: ${typeof message === "string" ? message : "is not right"}`,
  };
}
