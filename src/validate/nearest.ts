import { distance } from "fastest-levenshtein";

const MAX_LENGTH = 100;

/** The candidates that `given` is probably a misspelling of: the nearest first, at most `count`. */
export function nearest(given: string, candidates: readonly string[], count = 3): readonly string[] {
  const wanted = fold(given);
  return candidates
    .map((candidate) => ({ candidate, far: distance(wanted, fold(candidate)) }))
    .filter(({ candidate, far }) => far <= Math.max(2, Math.ceil(candidate.length * 0.4)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Case and separators are what is most often mixed up. */
function fold(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
