import { foldName } from "./fold.ts";
import { nearest } from "./nearest.ts";

/** Which tool a name means. */
export type ResolvedName =
  /** The name itself, or the one tool that it can only mean. */
  | { readonly kind: "tool"; readonly name: string }
  /** It could mean any of these. */
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  /** No tool: the names that are near, the nearest first. */
  | { readonly kind: "unknown"; readonly nearest: readonly string[] };

/** Longer names mean no tool: registered ones have at most 128 characters. */
const MAX_NAME_CHARS = 200;

/**
 * Which of `names` a name written by a model means: the exact one first; then the one that is left after differences of
 * case and separators, known prefixes (`functions.`, `tools/`, `default_api.`), an index (`:0`), call brackets, quotes and
 * the word `tool` at the end are taken away, in this order, if it is exactly one. A misspelling is never followed.
 */
export function resolveName(given: string, names: readonly string[]): ResolvedName {
  if (names.includes(given)) return { kind: "tool", name: given };
  if (given.length <= MAX_NAME_CHARS) {
    for (const spelling of spellings(given)) {
      const meant = names.includes(spelling) ? [spelling] : alike(spelling, names);
      const [name] = meant;
      if (meant.length > 1) return { kind: "ambiguous", names: meant };
      if (name !== undefined) return { kind: "tool", name };
    }
  }
  return { kind: "unknown", nearest: nearest(given, names) };
}

function alike(spelling: string, names: readonly string[]): readonly string[] {
  const folded = foldName(spelling);
  return folded === "" ? [] : names.filter((name) => foldName(name) === folded);
}

const PREFIX = /^(?:functions?|tools?|default_api)[./:]+(?=.)/i;

/** The name with more and more taken away, each spelling once. */
function spellings(given: string): readonly string[] {
  const bare = given
    .trim()
    .replace(/^(["'`])(.+)\1$/s, "$2")
    .replace(/\(\s*\)$/, "")
    .trim();
  const unprefixed = bare.replace(PREFIX, "").replace(/:\d{1,4}$/, "");
  // `TodoTool_tool`: the class's word and the wrapper's.
  const wordless = unprefixed.replace(/(?:[-_.]?tool){1,2}$/i, "");
  return [...new Set([bare, unprefixed, wordless])];
}
