import type { ErrorObject } from "ajv";
import type { ArgumentFault, Json } from "../../../machines/index.ts";
import { readablePath } from "../pointer.ts";
import { condense } from "./alternatives.ts";
import { describeAt } from "./describe-value.ts";
import { sayError } from "./keywords.ts";

/** Faults that are kept for programs; a message tells fewer. */
const MAX_FAULTS = 50;
/** Errors that are looked at. */
const MAX_ERRORS = 500;
/** A path through keys that are longer is cut: a fault must not be larger than what it is about. */
const MAX_PATH_CHARS = 1_000;
const MAX_MESSAGE_CHARS = 800;

/** What the checked data is called in messages, and the schema that it broke. */
export interface ExplainOptions {
  readonly root: string;
  readonly schema: unknown;
}

/** ajv's errors as faults in words, at most 50. Paths are ajv's: a missing key is told at the object that lacks it. */
export function toFaults(
  errors: readonly ErrorObject[],
  data: Json,
  { root, schema }: ExplainOptions,
): readonly ArgumentFault[] {
  const faults = mostTelling(condense(errors.slice(0, MAX_ERRORS), schema)).map((error) =>
    toFault(
      error.instancePath,
      error.keyword,
      sayError(error, describeAt(data, error.instancePath), schema),
      root,
    ),
  );
  const distinct = new Map(faults.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return [...distinct.values()].slice(0, MAX_FAULTS);
}

/** A value of the wrong type is in no enum either: its type is told, in words that name the allowed values. */
function mostTelling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) =>
      !(mistyped.has(instancePath) && (keyword === "enum" || keyword === "const")),
  );
}

/** A fault with its readable path in front of its words, both bounded. */
export function toFault(path: string, keyword: string, words: string, root: string): ArgumentFault {
  return {
    path: cut(path, MAX_PATH_CHARS),
    keyword,
    message: cut(`${readablePath(path, root)} ${words}`, MAX_MESSAGE_CHARS),
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
