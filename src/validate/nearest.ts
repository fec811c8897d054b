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
  const wanted = fold(given);
  if (wanted === "") return [];
  return candidates
    .map((candidate) => ({ candidate, far: farFrom(wanted, fold(candidate)) }))
    .filter(({ far }) => Number.isFinite(far))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Case and separators are what is most often mixed up. */
function fold(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Edits from one name to the other; Infinity when they are not alike. */
function farFrom(wanted: string, candidate: string): number {
  const edits = distance(wanted, candidate);
  const [short, long] =
    wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted];
  if (edits <= Math.max(1, Math.floor(long.length / 3))) return edits;
  // A prefix or suffix of a namespace: `functions.search`, `search_tool`.
  const isContained =
    short.length >= MIN_CONTAINED && (long.startsWith(short) || long.endsWith(short));
  return isContained ? edits : Number.POSITIVE_INFINITY;
}
