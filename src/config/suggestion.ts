import { closest, distance } from 'fastest-levenshtein';

/** The candidate that was probably meant; undefined when none is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > 100) return undefined;
  const nearest = closest(word, candidates);
  return distance(word, nearest) <= Math.max(1, Math.floor(nearest.length / 3))
    ? nearest
    : undefined;
}

/** ` (did you mean "timeout"?)`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = suggest(word, candidates);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}
