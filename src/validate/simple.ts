/** What a keyword may hold. */
type Holds = (value: unknown, depth: number) => boolean;

const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

const isText: Holds = (value) => typeof value === "string";
const isNumber: Holds = (value) => typeof value === "number";
const isFlag: Holds = (value) => typeof value === "boolean";
const isCount: Holds = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAnything: Holds = () => true;
const isList: Holds = (value) => Array.isArray(value);
const isSetOfTexts: Holds = (value) =>
  Array.isArray(value) &&
  value.every((text) => typeof text === "string") &&
  new Set(value).size === value.length;
/** Structures would have to be compared with each other. */
const isEnum: Holds = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each !== "object" || each === null) &&
  new Set(value).size === value.length;
const isType: Holds = (value) =>
  TYPES.has(value) ||
  (Array.isArray(value) &&
    value.length > 0 &&
    value.every((type) => TYPES.has(type)) &&
    new Set(value).size === value.length);
const isSchema: Holds = (value, depth) => isSimpleSchema(value, depth + 1);
const isSchemas: Holds = (value, depth) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => isSchema(each, depth));
const isSchemaMap: Holds = (value, depth) =>
  isRecord(value) && Object.values(value).every((each) => isSchema(each, depth));

/** Keywords that mean the same in draft-07, 2019-09 and 2020-12, and what their meta-schemas ask of each. */
const KEYWORDS: ReadonlyMap<string, Holds> = new Map([
  ["additionalProperties", isSchema],
  ["allOf", isSchemas],
  ["anyOf", isSchemas],
  ["const", isAnything],
  ["default", isAnything],
  ["description", isText],
  ["enum", isEnum],
  ["examples", isList],
  ["exclusiveMaximum", isNumber],
  ["exclusiveMinimum", isNumber],
  ["format", isText],
  ["items", isSchema],
  ["maxItems", isCount],
  ["maxLength", isCount],
  ["maximum", isNumber],
  ["minItems", isCount],
  ["minLength", isCount],
  ["minimum", isNumber],
  ["oneOf", isSchemas],
  ["properties", isSchemaMap],
  ["required", isSetOfTexts],
  ["title", isText],
  ["type", isType],
  ["uniqueItems", isFlag],
]);

/** Deeper schemas are left to the meta-schema, whose check may fail for their depth. */
const MAX_DEPTH = 30;

/**
 * Is this a schema of nothing but everyday keywords, rightly used? Then it keeps to its meta-schema, whose compilation
 * (some 60 ms, once) is spared. `false` says nothing: the meta-schema decides.
 */
export function isSimpleSchema(schema: unknown, depth = 0): boolean {
  if (typeof schema === "boolean") return true;
  if (!isRecord(schema) || depth > MAX_DEPTH) return false;
  return Object.entries(schema).every(
    ([keyword, value]) => KEYWORDS.get(keyword)?.(value, depth) === true,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
