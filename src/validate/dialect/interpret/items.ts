import { duplicate } from "../equal.ts";
import type { Check, Given, Keyword, Make, Tools } from "./contract.ts";
import { apart, every, fail, report, within } from "./fail.ts";

/** Checks of arrays. */
export const ITEM_KEYWORDS: readonly (readonly [string, Make])[] = [
  ["maxItems", count((items, most) => items <= most, "more")],
  ["minItems", count((items, least) => items >= least, "fewer")],
  ["uniqueItems", uniqueItems],
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
];

/** What is left when all else has looked at the items. */
export const UNEVALUATED_ITEMS: readonly [string, Make] = ["unevaluatedItems", unevaluatedItems];

function isList(data: unknown): data is readonly unknown[] {
  return Array.isArray(data);
}

function count(isWithin: (items: number, limit: number) => boolean, words: string): Make {
  return (keyword) => {
    const limit = Number(keyword.value);
    const message = `must NOT have ${words} than ${limit} items`;
    return (given) =>
      !isList(given.data) ||
      isWithin(given.data.length, limit) ||
      fail(given, keyword, { limit }, message);
  };
}

function uniqueItems(keyword: Keyword): Check | undefined {
  if (keyword.value !== true) return undefined;
  return (given) => {
    const twice = isList(given.data) ? duplicate(given.data) : undefined;
    if (twice === undefined) return true;
    const message = `must NOT have duplicate items (items ## ${twice.j} and ${twice.i} are identical)`;
    return fail(given, keyword, { ...twice }, message);
  };
}

/** Checks the items from `from` on, and marks them. */
function itemsFrom(given: Given, from: number, to: number, check: (at: number) => Check): boolean {
  const data = isList(given.data) ? given.data : [];
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return every(given, indexes, (at) => {
    given.marks?.items.add(at);
    return check(at)(within(given, at, data[at]));
  });
}

function prefixItems(keyword: Keyword, { compile }: Tools): Check {
  const schemas: readonly unknown[] = Array.isArray(keyword.value) ? keyword.value : [];
  const checks = schemas.map((schema, at) => compile(schema, `prefixItems/${at}`, keyword));
  return (given) =>
    !isList(given.data) ||
    itemsFrom(given, 0, Math.min(checks.length, given.data.length), (at) => checks[at] ?? pass);
}

const pass: Check = () => true;

function items(keyword: Keyword, { compile }: Tools): Check {
  const { prefixItems } = keyword.parent;
  const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
  const check = compile(keyword.value, "items", keyword);
  return (given) => {
    if (!isList(given.data) || given.data.length <= from) return true;
    if (keyword.value === false && from > 0) {
      return fail(given, keyword, { limit: from }, `must NOT have more than ${from} items`);
    }
    return itemsFrom(given, from, given.data.length, () => check);
  };
}

function contains(keyword: Keyword, { compile, containsMarks }: Tools): Check {
  const check = compile(keyword.value, "contains", keyword);
  const { minContains: least, maxContains: most } = keyword.parent;
  const minContains = typeof least === "number" ? least : 1;
  const maxContains = typeof most === "number" ? most : undefined;
  const params = { minContains, ...(maxContains === undefined ? {} : { maxContains }) };
  return (given) => {
    if (!isList(given.data)) return true;
    const tried = apart(given);
    const fitting = given.data.flatMap((item, at) => {
      const inner = {
        ...apart(given),
        data: item,
        at: { up: given.at, key: at },
        marks: undefined,
      };
      if (check(inner)) return [at];
      report(tried, inner);
      return [];
    });
    if (containsMarks) for (const at of fitting) given.marks?.items.add(at);
    if (fitting.length >= minContains && fitting.length <= (maxContains ?? fitting.length)) {
      return true;
    }
    report(given, tried);
    const range =
      maxContains === undefined
        ? `at least ${minContains}`
        : `at least ${minContains} and no more than ${maxContains}`;
    return fail(given, keyword, params, `must contain ${range} valid item(s)`);
  };
}

function unevaluatedItems(keyword: Keyword, { compile }: Tools): Check {
  const check = compile(keyword.value, "unevaluatedItems", keyword);
  return (given) => {
    const { data, marks } = given;
    if (!isList(data)) return true;
    const left = data.flatMap((_, at) => (marks?.items.has(at) === true ? [] : [at]));
    for (const at of left) marks?.items.add(at);
    if (keyword.value !== false) {
      return every(given, left, (at) => check(within(given, at, data[at])));
    }
    const [limit] = left;
    if (limit === undefined) return true;
    return fail(given, keyword, { limit }, `must NOT have more than ${limit} items`);
  };
}
