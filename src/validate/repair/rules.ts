/** How much of a faulty call is mended before it is refused. */
export type RepairMode = "none" | "safe" | "lenient";

/** One rule by which arguments are mended. */
export interface RepairRule {
  /** The least mode that applies it. */
  readonly mode: Exclude<RepairMode, "none">;
  /** `text`: while the raw text is read; `schema`: where a value breaks the tool's schema. */
  readonly on: "text" | "schema";
  /** What is mended. */
  readonly what: string;
  /** What never is, although it looks alike. */
  readonly never: string;
}

/** Every rule by which arguments are mended. `docs/arguments.md` is compared with this table by a test. */
export const REPAIR_RULES = {
  "double-encoded": {
    mode: "safe",
    on: "text",
    what: "JSON text of an object that was encoded again as a string, up to 3 times",
    never: "a string that is not JSON text of an object",
  },
  "code-fence": {
    mode: "safe",
    on: "text",
    what: "a Markdown code fence (one end may be missing) or code span around one object",
    never: "a fence inside a value",
  },
  prose: {
    mode: "safe",
    on: "text",
    what: "words before or after one object",
    never:
      "a second object or list; a bracket, an assignment, a call, a name with a colon or a tag that may be an argument",
  },
  "trailing-comma": {
    mode: "safe",
    on: "text",
    what: "a comma before a closing bracket",
    never: "a comma that is missing, or one with nothing before it",
  },
  quotes: {
    mode: "safe",
    on: "text",
    what: "strings and keys in single or typographic quotes",
    never: "a quote inside of a string that ends it too early; keys without quotes",
  },
  "python-words": {
    mode: "safe",
    on: "text",
    what: "`True`, `False` and `None` as values",
    never: "`NaN`, `Infinity`, `undefined`; a text that is nothing but such a word",
  },
  comments: {
    mode: "safe",
    on: "text",
    what: "`// …` and `/* … */` between values",
    never:
      "`#`; a comment with an ellipsis, which may stand for values; what looks like a comment inside of a string",
  },
  "control-characters": {
    mode: "safe",
    on: "text",
    what: "line breaks, tabs and other control characters inside of a string that are not escaped; no-break spaces between values",
    never: "an escape that JSON has not",
  },
  "json-text": {
    mode: "safe",
    on: "schema",
    what: "JSON text where only an object or a list fits",
    never: "text where a string fits too, or that is not JSON as a whole",
  },
  "number-text": {
    mode: "safe",
    on: "schema",
    what: 'number text where only a number fits, if it reads back the same (`"10"`, `"0.5"`)',
    never: '`" 10"`, `"1e3"`, `"0x10"`, `"10.0"`, `""`; more digits than a number keeps',
  },
  "boolean-text": {
    mode: "safe",
    on: "schema",
    what: '`"true"` and `"false"` where only a boolean fits',
    never: '`"True"`, `"yes"`, `"1"`, 1',
  },
  "single-item": {
    mode: "safe",
    on: "schema",
    what: "one value where a list of such values is wanted",
    never:
      "null; text with a comma, semicolon or line break, or that begins like a list; where the list's items may be anything",
  },
  "enum-case": {
    mode: "safe",
    on: "schema",
    what: "an allowed value in another case, when exactly one is meant",
    never: "a misspelt value, or one that means nearly the same",
  },
  "optional-null": {
    mode: "safe",
    on: "schema",
    what: "null for an optional argument that does not take null: left out",
    never: 'null for a required argument; null is never read as `""`, 0 or false',
  },
  "echoed-default": {
    mode: "safe",
    on: "schema",
    what: "an optional argument's own declared default, where the schema refuses it: left out",
    never: "a default of a required argument",
  },
  "wrapped-call": {
    mode: "safe",
    on: "schema",
    what: "the whole call (`name` of this tool and `arguments`) where its arguments are wanted",
    never: "where the tool has an argument of one of those names",
  },
  "key-case": {
    mode: "lenient",
    on: "schema",
    what: "a key in another case or with other separators (`maxResults` for `max_results`), when exactly one is meant and it is not given",
    never: "a misspelt key",
  },
  "loose-number": {
    mode: "lenient",
    on: "schema",
    what: 'number text with spaces around it, an exponent or closing zeros (`" 10"`, `"1e3"`, `"10.0"`), if no digit is lost',
    never: '`"0x10"`, `"1,000"`, `""`',
  },
  "loose-boolean": {
    mode: "lenient",
    on: "schema",
    what: '`"True"`, `"FALSE"` and the like where only a boolean fits',
    never: '`"yes"`, `"1"`, 1',
  },
  "plain-text": {
    mode: "lenient",
    on: "schema",
    what: "a number or boolean where only text fits: its JSON text",
    never: "null, an object or a list",
  },
} as const satisfies { readonly [rule: string]: RepairRule };

/** The name of a rule. */
export type RepairRuleName = keyof typeof REPAIR_RULES;

/** Does this mode apply that rule? */
export function applies(mode: RepairMode, rule: RepairRuleName): boolean {
  return mode === "lenient" || (mode === "safe" && REPAIR_RULES[rule].mode === "safe");
}
