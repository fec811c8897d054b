import type { ErrorObject } from "ajv";
import { toPointer } from "../../pointer.ts";
import type { At, Given, Keyword, Marks } from "./contract.ts";

/** Making an error takes as long as some checks, and a run's checks are counted. */
const CHECKS_OF_AN_ERROR = 5;

/** An error as ajv makes it: https://ajv.js.org/api.html#error-objects. Always false. */
export function fail(
  { run, at, data }: Pick<Given, "run" | "at" | "data">,
  { keyword, value, parent, location }: Keyword,
  params: { readonly [name: string]: unknown },
  message: string,
): false {
  run.count.checked += CHECKS_OF_AN_ERROR;
  run.errors.push({
    keyword,
    instancePath: pathOf(at),
    schemaPath: `${location}/${keyword}`,
    params,
    message,
    schema: value,
    parentSchema: parent,
    data,
  } satisfies ErrorObject);
  return false;
}

/** The JSON Pointer of a place in the data. */
export function pathOf(at: At | undefined): string {
  const keys: (string | number)[] = [];
  for (let step = at; step !== undefined; step = step.up) keys.push(step.key);
  return toPointer(keys.reverse());
}

/** Something cannot be checked, and all the rest would not help: told by an error with the keyword `depth`. */
export class CannotCheck extends Error {
  readonly error: ErrorObject;

  constructor({ at, data }: Pick<Given, "at" | "data">, words: string) {
    super(words);
    const message = `cannot be checked: ${words}`;
    this.error = {
      keyword: "depth",
      instancePath: pathOf(at),
      schemaPath: "",
      params: {},
      message,
      data,
    };
  }
}

/** The same for a value in the data; what is marked in it is nobody's concern. */
export function within(given: Given, key: string | number, data: unknown): Given {
  return { ...given, data, at: { up: given.at, key }, marks: undefined };
}

/** The same for a check whose errors and marks may not count. */
export function apart(given: Given): Given {
  return {
    ...given,
    run: { ...given.run, errors: [] },
    marks: given.marks === undefined ? undefined : noMarks(),
  };
}

/** Nothing looked at yet. */
export function noMarks(): Marks {
  return { keys: new Set(), items: new Set() };
}

/** Takes over what was looked at. */
export function mark(marks: Marks | undefined, more: Marks | undefined): void {
  if (marks === undefined || more === undefined) return;
  for (const key of more.keys) marks.keys.add(key);
  for (const item of more.items) marks.items.add(item);
}

/** Errors of one branch that are kept: where branches nest, all of them would be copied at every level. */
const MAX_REPORTED = 1_000;

/** Takes over the errors of a run of its own. */
export function report(given: Given, { run }: Given): void {
  for (const error of run.errors.slice(0, MAX_REPORTED)) given.run.errors.push(error);
}

/** Runs checks in turn; after the first fault only when all errors are asked for. */
export function every<T>(given: Given, of: Iterable<T>, isValid: (each: T) => boolean): boolean {
  let valid = true;
  for (const each of of) {
    if (isValid(each)) continue;
    valid = false;
    if (given.run.first) return false;
  }
  return valid;
}
