import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../../../tool.ts";
import { isRecord, type SchemaObject } from "../contract.ts";
import type { Linker, Resource } from "../link/linker.ts";
import { COMBINING_KEYWORDS } from "./combine.ts";
import type { Check, Given, Keyword, Make, Run, Tools } from "./contract.ts";
import { CannotCheck, every, mark, noMarks, pathOf } from "./fail.ts";
import { ITEM_KEYWORDS, UNEVALUATED_ITEMS } from "./items.ts";
import { KEY_KEYWORDS, UNEVALUATED_PROPERTIES } from "./keys.ts";
import { REFERENCE_KEYWORDS } from "./references.ts";
import { VALUE_KEYWORDS } from "./values.ts";

/** In the order in which they are checked: what is left over is known when all others have looked. */
const KEYWORDS: ReadonlyMap<string, Make> = new Map([
  ...REFERENCE_KEYWORDS,
  ...VALUE_KEYWORDS,
  ...COMBINING_KEYWORDS,
  ...ITEM_KEYWORDS,
  ...KEY_KEYWORDS,
  UNEVALUATED_ITEMS,
  UNEVALUATED_PROPERTIES,
]);

/** Schemas can refer to each other so that a small value is checked billions of times: a run ends after a second or two. */
const MAX_CHECKS = 5_000_000;

/** How schemas are interpreted. */
export interface InterpretOptions {
  /** Are known formats checked? */
  readonly formats: boolean;
  readonly containsMarks: boolean;
}

/** What an interpreter found. */
export interface Verdict {
  /** In ajv's form; `[]` when the data is valid. */
  readonly errors: readonly ErrorObject[];
  /** How often a value was checked by a schema. */
  readonly checked: number;
  /** Had it to end because that was too often? */
  readonly exhausted: boolean;
}

/** Judges data. @throws RangeError when it is nested too deep */
export type Interpreter = (data: unknown, errors: "first" | "all") => Verdict;

/**
 * Judges by adapted schemas without making code of them: ready at once, and right where ajv is not (dynamic references,
 * "unevaluated" keywords, several documents, thousands of properties). For small data it is as fast, for large data some
 * ten times slower than ajv. Its errors are like ajv's.
 */
export function createInterpreter(linker: Linker, options: InterpretOptions): Interpreter {
  const checks = new Map<Resource, Map<SchemaObject, Check>>();
  const checkOf = (schema: JsonSchema, around: Resource, location: string): Check => {
    if (!isRecord(schema)) return schema ? pass : refuse(location);
    const resource = linker.resourceOf(schema, around);
    const known = checks.get(resource)?.get(schema);
    if (known !== undefined) return known;
    // Its own schema may refer to it: what is noted is there before it is made.
    let made: Check | undefined;
    const check: Check = (given) => {
      made ??= makeCheck(schema, resource, location, tools);
      return made(given);
    };
    const ofResource = checks.get(resource) ?? new Map<SchemaObject, Check>();
    checks.set(resource, ofResource.set(schema, check));
    return check;
  };
  const tools: Tools = {
    ...options,
    resolve: linker.resolve,
    compile: (schema, path, { resource, location }) =>
      checkOf(isRecord(schema) ? schema : schema !== false, resource, `${location}/${path}`),
    follow: ({ schema, resource }, location) => checkOf(schema, resource, location),
  };
  const root = checkOf(linker.root.root, linker.root, "#");
  return (data, errors) => {
    const run: Run = { errors: [], first: errors === "first", count: { checked: 0 } };
    const through = { resource: linker.root, outer: undefined };
    try {
      root({ data, at: undefined, run, through, marks: undefined });
      return verdict(run.errors, run);
    } catch (thrown) {
      if (!(thrown instanceof CannotCheck)) throw thrown;
      return verdict([thrown.error], run);
    }
  };
}

function verdict(errors: Verdict["errors"], { count: { checked } }: Run): Verdict {
  return { errors, checked, exhausted: checked > MAX_CHECKS };
}

const pass: Check = () => true;

/** ajv calls it so, and gives `false` for all schemas. */
function refuse(location: string): Check {
  return (given) => {
    const { at, data } = given;
    given.run.errors.push({
      keyword: "false schema",
      instancePath: pathOf(at),
      schemaPath: `${location}/false schema`,
      params: {},
      message: "boolean schema is false",
      schema: false,
      data,
    });
    return false;
  };
}

function makeCheck(
  schema: SchemaObject,
  resource: Resource,
  location: string,
  tools: Tools,
): Check {
  const checks: Check[] = [];
  for (const [keyword, make] of KEYWORDS) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const given: Keyword = { keyword, value: schema[keyword], parent: schema, location, resource };
    const check = make(given, tools);
    if (check !== undefined) checks.push(check);
  }
  const asks =
    Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems");
  return (given) => {
    const { count } = given.run;
    count.checked += 1;
    if (count.checked > MAX_CHECKS) throw new CannotCheck(given, "its schema takes too long");
    const inner = enter(given, resource, asks);
    const valid = every(inner, checks, (check) => check(inner));
    if (valid && inner.marks !== given.marks) mark(given.marks, inner.marks);
    return valid;
  };
}

/** What was looked at counts only when the whole schema fits: it is noted apart where somebody asks. */
function enter(given: Given, resource: Resource, asks: boolean): Given {
  const { through, marks } = given;
  const isNew = resource !== through.resource;
  if (!isNew && marks === undefined && !asks) return given;
  return {
    ...given,
    through: isNew ? { resource, outer: through } : through,
    marks: asks || marks !== undefined ? noMarks() : undefined,
  };
}
