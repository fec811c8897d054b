import { distance } from "fastest-levenshtein";

/** The `count` candidates that are most like `word`, nearest first; none when nothing is near. */
export function nearest(word: string, candidates: Iterable<string>, count = 1): readonly string[] {
  const wanted = word.toLowerCase().slice(0, 200);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, far: farFrom(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** `", did you mean X?"`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [name] = nearest(word, candidates);
  return name === undefined ? "" : `; did you mean ${name}?`;
}

function farFrom(wanted: string, candidate: string): number {
  const isPrefix = wanted.length >= 2 && candidate.startsWith(wanted);
  return isPrefix ? 1 : distance(wanted, candidate.slice(0, 200));
}
