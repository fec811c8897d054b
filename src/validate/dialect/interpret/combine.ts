import { isRecord } from "../contract.ts";
import type { Check, Given, Keyword, Make, Tools } from "./contract.ts";
import { apart, every, fail, mark, report } from "./fail.ts";

/** Checks that combine schemas for the same value. */
export const COMBINING_KEYWORDS: readonly (readonly [string, Make])[] = [
  ["not", not],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["allOf", allOf],
  ["if", ifThenElse],
];

function branches(keyword: Keyword, { compile }: Tools): readonly Check[] {
  const schemas: readonly unknown[] = Array.isArray(keyword.value) ? keyword.value : [];
  return schemas.map((schema, at) => compile(schema, `${keyword.keyword}/${at}`, keyword));
}

function not(keyword: Keyword, { compile }: Tools): Check {
  const check = compile(keyword.value, "not", keyword);
  return (given) => !check(apart(given)) || fail(given, keyword, {}, "must NOT be valid");
}

function anyOf(keyword: Keyword, tools: Tools): Check {
  const checks = branches(keyword, tools);
  return (given) => {
    const tried: Given[] = [];
    let valid = false;
    for (const check of checks) {
      const inner = apart(given);
      tried.push(inner);
      if (!check(inner)) continue;
      valid = true;
      mark(given.marks, inner.marks);
      // Other branches may have looked at more.
      if (given.marks === undefined) return true;
    }
    if (valid) return true;
    for (const inner of tried) report(given, inner);
    return fail(given, keyword, {}, "must match a schema in anyOf");
  };
}

function oneOf(keyword: Keyword, tools: Tools): Check {
  const checks = branches(keyword, tools);
  return (given) => {
    const tried: Given[] = [];
    const passing: number[] = [];
    for (const [at, check] of checks.entries()) {
      const inner = apart(given);
      tried.push(inner);
      if (check(inner)) passing.push(at);
      // A third one would change nothing.
      if (passing.length > 1) break;
    }
    const [only, second] = passing;
    if (only !== undefined && second === undefined) {
      mark(given.marks, tried[only]?.marks);
      return true;
    }
    for (const inner of tried) report(given, inner);
    const passingSchemas = only === undefined ? null : passing;
    return fail(given, keyword, { passingSchemas }, "must match exactly one schema in oneOf");
  };
}

function allOf(keyword: Keyword, tools: Tools): Check {
  const checks = branches(keyword, tools);
  return (given) => every(given, checks, (check) => check(given));
}

function ifThenElse(keyword: Keyword, { compile }: Tools): Check {
  const { parent } = keyword;
  const check = compile(keyword.value, "if", keyword);
  const branch = (name: string): Check | undefined =>
    Object.hasOwn(parent, name) && (typeof parent[name] === "boolean" || isRecord(parent[name]))
      ? compile(parent[name], name, keyword)
      : undefined;
  const [then, otherwise] = [branch("then"), branch("else")];
  return (given) => {
    const inner = apart(given);
    const fits = check(inner);
    if (fits) mark(given.marks, inner.marks);
    const chosen = fits ? then : otherwise;
    if (chosen === undefined || chosen(given)) return true;
    const failingKeyword = fits ? "then" : "else";
    return fail(given, keyword, { failingKeyword }, `must match "${failingKeyword}" schema`);
  };
}
