import type { ErrorObject } from "ajv";
import { quote } from "../pointer.ts";
import { nearest } from "../resolve/nearest.ts";
import {
  describeBranches,
  describeFormat,
  describeSchema,
  describeType,
  listValues,
} from "./describe-schema.ts";

/** Says what is wrong and what would be right. `given` is what stands there, in words; `root` is the whole schema. */
type Say = (error: ErrorObject, given: string, root: unknown) => string;

const MAX_KEYS = 20;

/** What each keyword wants. `params` are ajv's: https://ajv.js.org/api.html#error-parameters */
const SAY: ReadonlyMap<string, Say> = new Map<string, Say>([
  ["type", wantedType],
  ["enum", notAllowed],
  ["const", ({ params }, given) => `must be ${listValues([params["allowedValue"]])}, not ${given}`],
  ["required", missing],
  ["dependentRequired", missingWith],
  ["dependencies", missingWith],
  ["additionalProperties", unknownKey("additionalProperty")],
  ["unevaluatedProperties", unknownKey("unevaluatedProperty")],
  [
    "propertyNames",
    ({ params }) =>
      `must not have the key ${quote(String(params["propertyName"]))}: its name is not allowed`,
  ],
  ["minLength", size("at least", "character")],
  ["maxLength", size("at most", "character")],
  ["minItems", size("at least", "item")],
  ["maxItems", size("at most", "item")],
  ["additionalItems", size("at most", "item")],
  ["items", size("at most", "item")],
  ["unevaluatedItems", size("at most", "item")],
  ["minProperties", size("at least", "key")],
  ["maxProperties", size("at most", "key")],
  [
    "pattern",
    ({ params }, given) =>
      `must fit the pattern ${String(params["pattern"]).slice(0, 300)}, not ${given}`,
  ],
  ["format", ({ params }, given) => `must be ${describeFormat(params["format"])}, not ${given}`],
  ["minimum", limit],
  ["maximum", limit],
  ["exclusiveMinimum", limit],
  ["exclusiveMaximum", limit],
  [
    "multipleOf",
    ({ params }, given) => `must be a multiple of ${params["multipleOf"]}, not ${given}`,
  ],
  [
    "uniqueItems",
    ({ params }) =>
      `must not hold an item twice (items ${params["j"]} and ${params["i"]} are the same)`,
  ],
  ["contains", contains],
  [
    "not",
    ({ schema }, given, root) => `must not be ${describeSchema(schema, root)}, which ${given} is`,
  ],
  ["false schema", (_, given) => `must not be given, but is ${given}`],
  ["anyOf", alternatives],
  ["oneOf", alternatives],
  ["depth", ({ message }) => message ?? "is nested too deep"],
]);

/** One error of ajv in words, without its path. Keywords that are not known get ajv's own words. */
export function sayError(error: ErrorObject, given: string, root: unknown): string {
  return (
    SAY.get(error.keyword)?.(error, given, root) ??
    `${error.message ?? "is not valid"}, given is ${given}`
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function notAllowed({ params, data }: ErrorObject, given: string): string {
  const allowed = asList(params["allowedValues"]);
  const texts = allowed.filter((value) => typeof value === "string");
  const [near] = typeof data === "string" ? nearest(data, texts, 1) : [];
  const hint = near === undefined ? "" : `; did you mean ${listValues([near])}?`;
  return `must be one of ${listValues(allowed)}, not ${given}${hint}`;
}

/** More than the type is told at once: else the next call breaks the next keyword. */
function wantedType({ params, parentSchema }: ErrorObject, given: string, root: unknown): string {
  const { anyOf: _, oneOf: __, $ref: ___, ...own } = parentSchema ?? {};
  const words = describeSchema(own, root);
  const wanted = words === "a value" ? describeType(params["type"]) : words;
  return `must be ${wanted}, not ${given}`;
}

function propertiesOf(parentSchema: unknown): ReadonlyMap<string, unknown> {
  const properties: unknown =
    typeof parentSchema === "object" && parentSchema !== null && "properties" in parentSchema
      ? parentSchema.properties
      : undefined;
  return new Map(
    typeof properties === "object" && properties !== null ? Object.entries(properties) : [],
  );
}

function missing({ params, parentSchema }: ErrorObject, _: string, root: unknown): string {
  const key = String(params["missingProperty"]);
  const wanted = describeSchema(propertiesOf(parentSchema).get(key), root);
  return `must have the key ${quote(key)}${wanted === "a value" ? "" : ` (${wanted})`}, which is missing`;
}

function missingWith({ params }: ErrorObject): string {
  const [key, other] = [params["missingProperty"], params["property"]].map((name) =>
    quote(String(name)),
  );
  return `must have the key ${key}, which is missing and needed together with ${other}`;
}

function unknownKey(param: string): Say {
  return ({ params, parentSchema }) => {
    const key = String(params[param]);
    const allowed = [...propertiesOf(parentSchema).keys()];
    const [near] = nearest(key, allowed, 1);
    const hint = near === undefined ? allowedKeys(allowed) : `did you mean ${quote(near)}?`;
    return `must not have the unknown key ${quote(key)}: ${hint}`;
  };
}

function allowedKeys(allowed: readonly string[]): string {
  if (allowed.length === 0) return "no keys are allowed here";
  const more = allowed.length > MAX_KEYS ? " …" : "";
  return `allowed are ${allowed.slice(0, MAX_KEYS).map(quote).join(", ")}${more}`;
}

function size(comparison: string, what: string): Say {
  return ({ params }, given) => {
    const limit: unknown = params["limit"] ?? params["len"];
    return `must have ${comparison} ${limit} ${what}${limit === 1 ? "" : "s"}, not ${given}`;
  };
}

const COMPARISONS: ReadonlyMap<unknown, string> = new Map([
  [">=", "at least"],
  ["<=", "at most"],
  [">", "more than"],
  ["<", "less than"],
]);

function limit({ params }: ErrorObject, given: string): string {
  return `must be ${COMPARISONS.get(params["comparison"])} ${params["limit"]}, not ${given}`;
}

function contains({ params, schema }: ErrorObject, _: string, root: unknown): string {
  const most: unknown = params["maxContains"];
  const upTo = most === undefined ? "" : ` and at most ${most}`;
  return `must contain at least ${params["minContains"]}${upTo} of: ${describeSchema(schema, root)}`;
}

function alternatives({ params, schema }: ErrorObject, given: string, root: unknown): string {
  if (Array.isArray(params["passingSchemas"])) {
    return `must fit exactly one alternative of its schema, but ${given} fits several`;
  }
  return `must be ${describeBranches(asList(schema), root)}, not ${given}`;
}
