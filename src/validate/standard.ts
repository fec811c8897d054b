import type { ArgumentFault, Json } from "../../machines/index.ts";
import { clonePlain } from "../plain.ts";
import type { StandardSchema } from "../tool.ts";
import { isSecretPath } from "./explain/describe-value.ts";
import { toFault } from "./explain/explain.ts";
import { propertyOf, quote, toPointer, valueAt } from "./pointer.ts";

/** What a Standard Schema makes of data: its output, or why there is none. */
export type StandardOutcome =
  | { readonly value: unknown }
  | { readonly faults: readonly ArgumentFault[] };

/** Does a value validate by Standard Schema? Safe for any value. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) return false;
  const standard = readProperty(schema, "~standard");
  return typeof readProperty(standard, "validate") === "function";
}

/**
 * The JSON Schema that a Standard Schema's library gives, for listings: by https://standardschema.dev/json-schema, or by the
 * library's own method (zod `toJSONSchema`, ArkType `toJsonSchema`). What has no JSON Schema (a Date, a transform) is left
 * open in it. `undefined`: the library gives none.
 */
export function standardJsonSchema(schema: StandardSchema): unknown {
  const standard = readProperty(schema["~standard"], "jsonSchema");
  // Options of zod and of ArkType; each leaves those of the other alone.
  const options = { unrepresentable: "any", io: "input", fallback: openBase };
  const target = "draft-2020-12";
  return (
    callMethod(standard, "input", { target }) ??
    callMethod(standard, "input", { target, libraryOptions: options }) ??
    callMethod(schema, "toJSONSchema", options) ??
    callMethod(schema, "toJsonSchema", options)
  );
}

/** ArkType asks what to put where it has no JSON Schema; `base` is what it has so far. */
function openBase(context: unknown): unknown {
  return readProperty(context, "base") ?? {};
}

/** A method that is missing or throws gives nothing: the next way is tried. */
function callMethod(target: unknown, name: string, options: object): unknown {
  const method = readProperty(target, name);
  if (typeof method !== "function") return undefined;
  try {
    return method.call(target, options);
  } catch {
    return undefined;
  }
}

function readProperty(target: unknown, name: string): unknown {
  if (target === null || (typeof target !== "object" && typeof target !== "function"))
    return undefined;
  try {
    return (target as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Runs a Standard Schema on a copy of plain data. Total. `root` is what the data is called in messages. */
export function runStandard(schema: StandardSchema, data: Json, root: string): StandardOutcome {
  const refuse = (words: string): StandardOutcome => ({
    faults: [toFault("", "schema", `cannot be checked: ${words}`, root)],
  });
  try {
    const outcome: unknown = schema["~standard"].validate(clonePlain(data));
    if (typeof outcome !== "object" || outcome === null)
      return refuse("the tool's schema gave no answer");
    if (typeof readProperty(outcome, "then") === "function") {
      // Nobody waits for it, and it must not become an unhandled rejection.
      Promise.resolve(outcome).catch(() => {});
      return refuse("the tool's schema is asynchronous, and such schemas are not supported");
    }
    const issues = readProperty(outcome, "issues");
    if (!Array.isArray(issues)) return { value: readProperty(outcome, "value") };
    if (issues.length === 0) return refuse("the tool's schema gave no reason");
    return { faults: issues.slice(0, MAX_ISSUES).map((issue) => toIssueFault(issue, data, root)) };
  } catch (thrown) {
    return refuse(
      `the tool's schema threw ${thrown instanceof Error ? thrown.message : "something"}`,
    );
  }
}

const MAX_ISSUES = 50;

/** The paths of libraries name a missing key itself; a fault stands at the object that lacks it, as in JSON Schema. */
function toIssueFault(issue: unknown, data: Json, root: string): ArgumentFault {
  const parts = pathOf(issue);
  const path = toPointer(parts);
  const message = readProperty(issue, "message");
  const words = typeof message === "string" && message !== "" ? message : "it is not valid";
  const key = parts.at(-1);
  const parent = toPointer(parts.slice(0, -1));
  if (typeof key === "string" && isMissing(valueAt(data, parent), key)) {
    return toFault(
      parent,
      "required",
      `must have the key ${quote(key)}, which is missing (${words})`,
      root,
    );
  }
  // Libraries quote what was given.
  return toFault(
    path,
    "schema",
    isSecretPath(path) ? "is not valid" : `is not valid: ${words}`,
    root,
  );
}

function isMissing(holder: Json | undefined, key: string): boolean {
  const isObject = typeof holder === "object" && holder !== null && !Array.isArray(holder);
  return isObject && propertyOf(holder, key) === undefined;
}

function pathOf(issue: unknown): readonly unknown[] {
  const path = readProperty(issue, "path");
  if (!Array.isArray(path)) return [];
  // A plain list: ArkType's own kind of list cannot be sliced.
  return Array.from(path, (part: unknown) => {
    const key = typeof part === "object" && part !== null ? readProperty(part, "key") : part;
    return typeof key === "number" ? key : String(key);
  });
}
