/** The types of JSON Schema. */
export const TYPES: readonly string[] = [
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
];

/**
 * What other languages and APIs call the types, in lower case. BFCL's table is the model for Java and Python:
 * https://github.com/ShishirPatil/gorilla/blob/main/berkeley-function-call-leaderboard/bfcl_eval/constants/type_mappings.py
 * `any`: no restriction.
 */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["any", ["*", "", "mixed", "type_unspecified", "unknown", "unspecified"]],
  ["array", ["arraylist", "arrays", "frozenset", "list", "queue", "set", "stack", "tuple", "vec"]],
  ["boolean", ["bool"]],
  [
    "integer",
    [
      "bigint",
      "biginteger",
      "byte",
      "int",
      "int16",
      "int32",
      "int64",
      "int8",
      "long",
      "short",
      "uint",
      "uint16",
      "uint32",
      "uint64",
      "uint8",
    ],
  ],
  ["null", ["nil", "none", "nonetype"]],
  ["number", ["bigdecimal", "decimal", "double", "float", "float32", "float64", "numeric", "real"]],
  ["object", ["dict", "dictionary", "hash", "hashmap", "hashtable", "map", "record", "struct"]],
  ["string", ["char", "character", "str", "text", "varchar"]],
]);

const MEANT: ReadonlyMap<string, string> = new Map([
  ...[...WORDS].flatMap(([type, words]) => words.map((word): [string, string] => [word, type])),
  ["any", "any"],
  ...TYPES.map((type): [string, string] => [type, type]),
]);

/** The type that a word names, in any case: a type of JSON Schema, or `any`. `undefined`: it names none. */
export function typeMeant(word: string): string | undefined {
  return MEANT.get(word.trim().toLowerCase());
}
