import { closest, distance } from 'fastest-levenshtein';

/** How else people call a stack; by its letters alone each of them is nearer to something different. */
const namesOfStack: Readonly<Record<string, string>> = {
  HOSTED_RUNNER_RUNNER: 'HOSTED_RUNNER_RUNNER_NAME',
  HOSTED_RUNNER_STACK: 'HOSTED_RUNNER_RUNNER_NAME',
  HOSTED_RUNNER_STACK_NAME: 'HOSTED_RUNNER_RUNNER_NAME',
  '--runner-name': '--runner',
  '--runner_name': '--runner',
  '--stack': '--runner',
  '--stack-name': '--runner',
};

/** The candidate that was probably meant; undefined when none is near. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const stack = namesOfStack[word];
  if (stack !== undefined && candidates.includes(stack)) return stack;
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
