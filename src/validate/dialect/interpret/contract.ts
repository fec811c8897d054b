import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../../../tool.ts";
import type { Resource } from "../link/linker.ts";

/** A place in the data. A list of steps back to the root: pointers are made only of those that are told. */
export interface At {
  readonly up: At | undefined;
  readonly key: string | number;
}

/** Keys and indexes that some keyword has looked at: what is left is "unevaluated". */
export interface Marks {
  readonly keys: Set<string>;
  readonly items: Set<number>;
}

/** The resources that the references on the way went through, the last first. */
export interface Through {
  readonly resource: Resource;
  readonly outer: Through | undefined;
}

/** One run over data. */
export interface Run {
  readonly errors: ErrorObject[];
  /** Ends at the first error. */
  readonly first: boolean;
  /** How often a value was checked by a schema, in the run and those within it. */
  readonly count: { checked: number };
}

/** What a check is given. */
export interface Given {
  readonly data: unknown;
  readonly at: At | undefined;
  readonly run: Run;
  readonly through: Through;
  /** Where to note what was looked at; `undefined` when nobody asks. */
  readonly marks: Marks | undefined;
}

/** Is it valid? Errors go to `run`. */
export type Check = (given: Given) => boolean;

/** A keyword at its schema. */
export interface Keyword {
  readonly keyword: string;
  readonly value: unknown;
  readonly parent: { readonly [keyword: string]: unknown };
  /** Of the schema, as a URI fragment. */
  readonly location: string;
  readonly resource: Resource;
}

/** Makes the check of a keyword; `undefined` when it restricts nothing. */
export type Make = (keyword: Keyword, tools: Tools) => Check | undefined;

/** What checks are made with. */
export interface Tools {
  /** The check of a schema in the keyword's own document. */
  readonly compile: (schema: unknown, path: string, keyword: Keyword) => Check;
  /** The check of a schema that a reference names. */
  readonly follow: (target: { schema: JsonSchema; resource: Resource }, location: string) => Check;
  readonly resolve: (
    ref: string,
    from: Resource,
  ) => { readonly schema: JsonSchema; readonly resource: Resource } | undefined;
  readonly formats: boolean;
  /** In 2019-09 `contains` does not mark the items that fit it. */
  readonly containsMarks: boolean;
}
