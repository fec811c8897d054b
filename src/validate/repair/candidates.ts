import type { ErrorObject } from "ajv";
import type { Json } from "../../../machines/index.ts";
import { isList } from "../../plain.ts";
import { describeAt } from "../explain/describe-value.ts";
import { parseArguments } from "../parse/index.ts";
import { propertyOf, readablePath, toPointer, valueAt } from "../pointer.ts";
import { foldName } from "../resolve/fold.ts";
import { removeAt, renameAt, replaceAt } from "./edit.ts";
import type { RepairRuleName } from "./rules.ts";

/** One way to mend a fault. */
export interface Candidate {
  readonly rule: RepairRuleName;
  /** JSON Pointer of what is mended. */
  readonly path: string;
  /** What was done, in words. */
  readonly message: string;
  /** The whole data, mended. */
  readonly data: Json;
}

/** A fault of the data, and the name that the data has in messages. */
interface Fault {
  readonly error: ErrorObject;
  readonly data: Json;
  readonly root: string;
}

/** What a rule makes of a faulty value. `undefined`: it does not apply. */
type Proposal = Pick<Candidate, "rule" | "message" | "data"> & { readonly path?: string };

/** Every way in which the rules would mend what one error complains of. They are proposals: nothing is checked yet. */
export function candidatesFor(fault: Fault): readonly Candidate[] {
  const { error, data } = fault;
  const path = error.instancePath;
  const value = valueAt(data, path);
  if (value === undefined) return [];
  const proposals =
    error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties"
      ? renamed(fault)
      : [...left(fault, value), ...converted(fault, value)];
  return proposals.map((proposal) => ({ path, ...proposal }));
}

/** An optional key that is given without a value. Whether it may go is seen when it is gone. */
function left({ error, data, root }: Fault, value: Json): readonly Proposal[] {
  const path = error.instancePath;
  const name = readablePath(path, root);
  const declared = keywordOf(error.parentSchema, "default");
  const isDefault = declared !== undefined && JSON.stringify(declared) === JSON.stringify(value);
  if (path === "" || !(isDefault || value === null)) return [];
  const [rule, why] = isDefault
    ? (["echoed-default", "its declared default, which its schema refuses"] as const)
    : (["optional-null", "null, and is optional"] as const);
  return [{ rule, message: `${name} was ${why}: left out`, data: removeAt(data, path) }];
}

/** A keyword of a schema, which may also be a boolean. */
export function keywordOf(schema: unknown, keyword: string): unknown {
  return typeof schema === "object" && schema !== null && Object.hasOwn(schema, keyword)
    ? (schema as { readonly [keyword: string]: unknown })[keyword]
    : undefined;
}

function converted(fault: Fault, value: Json): readonly Proposal[] {
  const { error } = fault;
  switch (error.keyword) {
    case "type":
      return toType(fault, value, typesOf(error.params["type"]));
    case "enum":
      return toAllowed(fault, value, listOf(error.params["allowedValues"]));
    case "const":
      return toAllowed(fault, value, [error.params["allowedValue"]]);
    default:
      return [];
  }
}

function typesOf(type: unknown): ReadonlySet<unknown> {
  const types: readonly unknown[] = Array.isArray(type) ? type : String(type).split(",");
  return new Set(types);
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function toType(fault: Fault, value: Json, types: ReadonlySet<unknown>): readonly Proposal[] {
  const text = typeof value === "string" && !types.has("string") ? fromText(value, types) : [];
  const item = types.has("array") && isOneItem(value, fault.error.parentSchema);
  const plain =
    types.has("string") && (typeof value === "number" || typeof value === "boolean")
      ? [{ rule: "plain-text", value: JSON.stringify(value) } as const]
      : [];
  const made: readonly Made[] = [
    ...text,
    ...plain,
    // Text that is a list already is not put into another one.
    ...(item && text.length === 0 ? [{ rule: "single-item", value: [value] } as const] : []),
  ];
  return made.map((each) => readAs(fault, each));
}

interface Made {
  readonly rule: RepairRuleName;
  readonly value: Json;
}

function readAs({ error, data, root }: Fault, { rule, value }: Made): Proposal {
  const path = error.instancePath;
  const mended = replaceAt(data, path, value);
  const message = `${readablePath(path, root)} was ${describeAt(data, path)}, read as ${describeAt(mended, path)}`;
  return { rule, message, data: mended };
}

function fromText(text: string, types: ReadonlySet<unknown>): readonly Made[] {
  const isNumber = types.has("number") || types.has("integer");
  return [
    ...(types.has("object") || types.has("array") ? structureFrom(text, types) : []),
    ...(isNumber ? numberFrom(text) : []),
    ...(types.has("boolean") ? booleanFrom(text) : []),
  ];
}

function structureFrom(text: string, types: ReadonlySet<unknown>): readonly Made[] {
  if (!/^\s*[[{]/.test(text)) return [];
  // The text of a value is not mended itself: two guesses are one too many.
  const parsed = parseArguments(text, { repair: "none" });
  if (parsed.kind !== "value") return [];
  const type = isList(parsed.value) ? "array" : "object";
  return types.has(type) ? [{ rule: "json-text", value: parsed.value }] : [];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function numberFrom(text: string): readonly Made[] {
  const value = Number(text);
  if (NUMBER.test(text) && String(value) === text) return [{ rule: "number-text", value }];
  const trimmed = text.trim();
  // As in arguments: digits that a number would lose are refused.
  const parsed = NUMBER.test(trimmed) ? parseArguments(trimmed, { repair: "none" }) : undefined;
  return parsed?.kind === "value" ? [{ rule: "loose-number", value: parsed.value }] : [];
}

function booleanFrom(text: string): readonly Made[] {
  if (text === "true" || text === "false")
    return [{ rule: "boolean-text", value: text === "true" }];
  const folded = text.trim().toLowerCase();
  if (folded !== "true" && folded !== "false") return [];
  return [{ rule: "loose-boolean", value: folded === "true" }];
}

/** Is this one item of the list that is wanted? Not where it may be several, or where anything is an item. */
function isOneItem(value: Json, parentSchema: unknown): boolean {
  if (value === null || isList(value)) return false;
  if (typeof value === "string" && /[,;\n]|^\s*\[/.test(value)) return false;
  const items = keywordOf(parentSchema, "items");
  if (typeof items !== "object" || items === null) return false;
  const says = (keywords: readonly string[]): boolean => keywords.some((key) => key in items);
  if (typeof value !== "object") return says([...SAYS_WHAT, "type"]);
  // Any object is of type object: which one is meant its keys say.
  const properties = keywordOf(items, "properties");
  return typeof properties === "object" && properties !== null
    ? Object.keys(value).some((key) => Object.hasOwn(properties, key))
    : says(SAYS_WHAT);
}

/** Keywords of which at least one says what an item is. */
const SAYS_WHAT = ["enum", "const", "$ref", "anyOf", "oneOf", "allOf", "required"];

function toAllowed(fault: Fault, value: Json, allowed: readonly unknown[]): readonly Proposal[] {
  if (typeof value !== "string") return [];
  const folded = value.toLowerCase();
  const meant = allowed.filter(
    (each): each is string => typeof each === "string" && each.toLowerCase() === folded,
  );
  const made: readonly Made[] = [
    ...(meant.length === 1
      ? meant.map((each) => ({ rule: "enum-case", value: each }) as const)
      : []),
    ...[...numberFrom(value), ...booleanFrom(value)].filter((each) => allowed.includes(each.value)),
  ];
  return made.map((each) => readAs(fault, each));
}

/** An unknown key that is a known one in another case or with other separators. */
function renamed({ error, data, root }: Fault): readonly Proposal[] {
  const key = String(error.params["additionalProperty"] ?? error.params["unevaluatedProperty"]);
  const holder = valueAt(data, error.instancePath) ?? null;
  const properties = keywordOf(error.parentSchema, "properties");
  const known =
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const folded = foldName(key);
  const [meant, ...others] = known.filter((each) => foldName(each) === folded);
  if (meant === undefined || others.length > 0 || propertyOf(holder, meant) !== undefined)
    return [];
  const path = `${error.instancePath}${toPointer([key])}`;
  const message = `${readablePath(path, root)} was read as ${readablePath(`${error.instancePath}${toPointer([meant])}`, root)}`;
  return [{ rule: "key-case", path, message, data: renameAt(data, path, meant) }];
}
