import { distance } from "fastest-levenshtein";

/** Longer names are compared by their beginnings: the cost grows with the product of the lengths. */
const MAX_LENGTH = 100;
/** A shorter name is contained in others by chance. */
const MIN_CONTAINED = 3;

/** The candidates that `given` is probably a misspelling of: the nearest first, at most `count`. */
export function nearest(
  given: string,
  candidates: readonly string[],
  count = 3,
): readonly string[] {
  const wanted = toName(given);
  if (wanted.folded === "") return [];
  return candidates
    .map((candidate) => ({ candidate, far: farFrom(wanted, toName(candidate)) }))
    .filter(({ far }) => Number.isFinite(far))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** A name without case and separators, which are what is most often mixed up. */
interface Name {
  readonly folded: string;
  readonly words: readonly string[];
}

function toName(name: string): Name {
  const words = name
    .slice(0, MAX_LENGTH)
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return { folded: words.join(""), words };
}

/** Edits from one name to the other; Infinity when they are not alike. */
function farFrom(wanted: Name, candidate: Name): number {
  const edits = distance(wanted.folded, candidate.folded);
  const isShorter = wanted.folded.length < candidate.folded.length;
  const [short, long] = isShorter ? [wanted, candidate] : [candidate, wanted];
  if (isMistyped(short.folded, long.folded, edits)) return edits;
  return isContained(short, long) ? edits : Number.POSITIVE_INFINITY;
}

/** In a short name one edit is much; but letters that only changed places are two. */
function isMistyped(a: string, b: string, edits: number): boolean {
  const length = Math.max(a.length, b.length);
  if (edits <= Math.max(1, Math.floor(length / 3))) return true;
  return edits === 2 && length > 3 && [...a].toSorted().join() === [...b].toSorted().join();
}

/** What a namespace or a numbering was added to: `functions.search`, `search_tool`, `functions.read:0`. */
function isContained(short: Name, long: Name): boolean {
  if (short.folded.length < MIN_CONTAINED) return false;
  if (long.folded.startsWith(short.folded) || long.folded.endsWith(short.folded)) return true;
  return short.words.every((word) => long.words.includes(word));
}
