import type { ErrorObject } from "ajv";
import type { ArgumentFault, Json } from "../../machines/index.ts";
import { describeType, describeValue, lastKey, listValues, readablePath, valueAt } from "./describe.ts";
import { nearest } from "./nearest.ts";

type Say = (error: ErrorObject, given: string) => string;

/** What each keyword wants, in words. `params` are ajv's: https://ajv.js.org/api.html#error-parameters */
const WANTED: ReadonlyMap<string, Say> = new Map<string, Say>([
  ["type", ({ params }, given) => `must be ${describeType(params["type"])}, not ${given}`],
  ["enum", ({ params }, given) => `must be one of ${listValues(asList(params["allowedValues"]))}, not ${given}`],
  ["const", ({ params }, given) => `must be ${JSON.stringify(params["allowedValue"])}, not ${given}`],
  ["required", ({ params }) => `lacks ${JSON.stringify(params["missingProperty"])}, which is required`],
  ["dependentRequired", ({ params }) => `lacks ${JSON.stringify(params["missingProperty"])}, which goes with ${JSON.stringify(params["property"])}`],
  ["dependencies", ({ params }) => `lacks ${JSON.stringify(params["missingProperty"])}, which goes with ${JSON.stringify(params["property"])}`],
  ["additionalProperties", unknownKey("additionalProperty")],
  ["unevaluatedProperties", unknownKey("unevaluatedProperty")],
  ["minLength", ({ params }, given) => `must have at least ${params["limit"]} characters, not ${given}`],
  ["maxLength", ({ params }, given) => `must have at most ${params["limit"]} characters, not ${given}`],
  ["pattern", ({ params }, given) => `must fit the pattern ${params["pattern"]}, not ${given}`],
  ["format", ({ params }, given) => `must be ${formatInWords(params["format"])}, not ${given}`],
  ["minimum", limit],
  ["maximum", limit],
  ["exclusiveMinimum", limit],
  ["exclusiveMaximum", limit],
  ["multipleOf", ({ params }, given) => `must be a multiple of ${params["multipleOf"]}, not ${given}`],
  ["minItems", ({ params }, given) => `must have at least ${params["limit"]} items, not ${given}`],
  ["maxItems", ({ params }, given) => `must have at most ${params["limit"]} items, not ${given}`],
  ["uniqueItems", ({ params }) => `must have no item twice (items ${params["j"]} and ${params["i"]} are the same)`],
  ["minProperties", ({ params }) => `must have at least ${params["limit"]} properties`],
  ["maxProperties", ({ params }) => `must have at most ${params["limit"]} properties`],
  ["contains", () => "must contain a fitting item"],
  ["not", (_, given) => `must not be what its schema excludes (${given})`],
  ["false schema", () => "must not be there"],
  ["anyOf", alternatives],
  ["oneOf", alternatives],
]);

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function limit({ params }: ErrorObject, given: string): string {
  const comparisons: Readonly<Record<string, string>> = {
    ">=": "at least",
    "<=": "at most",
    ">": "more than",
    "<": "less than",
  };
  return `must be ${comparisons[String(params["comparison"])] ?? params["comparison"]} ${params["limit"]}, not ${given}`;
}

function unknownKey(param: string): Say {
  return ({ params, parentSchema }) => {
    const key = String(params[param]);
    const properties = (parentSchema as { properties?: unknown } | undefined)?.properties;
    const allowed = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
    const [near] = nearest(key, allowed, 1);
    const hint =
      near === undefined
        ? allowed.length === 0
          ? "none is allowed"
          : `allowed are ${listValues(allowed)}`
        : `did you mean ${JSON.stringify(near)}?`;
    return `has the unknown key ${JSON.stringify(key)}: ${hint}`;
  };
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
  duration: "a duration such as PT1H30M",
  email: "an e-mail address",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  time: "a time such as 12:00:00Z",
  uri: "a URI such as https://example.org/path",
  uuid: "a UUID",
};

function formatInWords(format: unknown): string {
  return FORMATS[String(format)] ?? `of the format ${String(format)}`;
}

function alternatives({ keyword, params, schema }: ErrorObject, given: string): string {
  if (keyword === "oneOf" && params["passingSchemas"] !== null && params["passingSchemas"] !== undefined) {
    return `must fit exactly one of its alternatives, but fits several (${given})`;
  }
  const types = asList(schema).map((branch) => (branch as { type?: unknown } | null)?.type);
  const wanted = types.every((type) => type !== undefined)
    ? `must be ${[...new Set(types.map(describeType))].join(" or ")}`
    : "must fit one of its alternatives";
  return `${wanted}, not ${given}`;
}

/** ajv's errors as faults in words. Errors inside of alternatives are left out when the alternative itself is told. */
export function toFaults(errors: readonly ErrorObject[], data: Json): readonly ArgumentFault[] {
  return condense(errors).map((error) => {
    const given = describeValue(valueAt(data, error.instancePath), lastKey(error.instancePath));
    const wanted = WANTED.get(error.keyword)?.(error, given) ?? error.message ?? "is not right";
    return {
      path: error.instancePath,
      keyword: error.keyword,
      message: `${readablePath(error.instancePath)} ${wanted}`,
    };
  });
}

/**
 * A failed anyOf or oneOf brings the errors of all its branches along. Those of the branch that was meant are kept: the
 * one whose errors lie deepest, or that fails for nothing but a value; the others would only confuse.
 */
function condense(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors.filter(({ keyword }) => keyword !== "if");
  for (const choice of errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")) {
    const inside = kept.filter((error) => error !== choice && isInside(error, choice));
    if (inside.length === 0) continue;
    const meant = meantBranch(inside, choice);
    const dropped = new Set(inside.filter((error) => !meant.includes(error)));
    if (meant.length > 0) dropped.add(choice);
    kept = kept.filter((error) => !dropped.has(error));
  }
  return kept;
}

function isInside(error: ErrorObject, choice: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
    error.instancePath.startsWith(choice.instancePath)
  );
}

function meantBranch(inside: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const branches = Map.groupBy(inside, ({ schemaPath }) =>
    schemaPath.slice(choice.schemaPath.length + 1).split("/", 1)[0],
  );
  // A branch that fails at the very value, for its type or constant, was not the one that was meant.
  const plausible = [...branches.values()].filter(
    (branch) =>
      !branch.some(
        ({ instancePath, keyword }) =>
          (instancePath === choice.instancePath && keyword === "type") || keyword === "const",
      ),
  );
  return plausible.length === 1 ? (plausible[0] ?? []) : [];
}
