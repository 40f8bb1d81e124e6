/** Common other names of a stack or a command; by spelling alone, each is closer to another word. */
const otherNames: Readonly<Record<string, string>> = {
  HOSTED_RUNNER_RUNNER: 'HOSTED_RUNNER_RUNNER_NAME',
  HOSTED_RUNNER_STACK: 'HOSTED_RUNNER_RUNNER_NAME',
  HOSTED_RUNNER_STACK_NAME: 'HOSTED_RUNNER_RUNNER_NAME',
  '--runner-name': '--runner',
  '--runner_name': '--runner',
  '--stack': '--runner',
  '--stack-name': '--runner',
  drain: 'shutdown',
  destroy: 'cleanup',
  undo: 'rollback',
};

/** Returns the candidate that was probably meant; undefined if none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const meant = otherNames[word];
  if (meant !== undefined && candidates.includes(meant)) return meant;
  if (candidates.length === 0 || word.length > 100) return undefined;
  const distances = candidates.map((one) => editDistance(word, one));
  const least = Math.min(...distances);
  const nearest = candidates[distances.indexOf(least)] ?? '';
  return least <= Math.max(1, Math.floor(nearest.length / 3)) ? nearest : undefined;
}

/** Counts the letters to insert, delete or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  const letters = [...other];
  let row = [0, ...letters.keys()].map((_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of letters.entries()) {
      const [left = 0, above = 0, before = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, before + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Formats `; did you mean "timeout"?`, or an empty text. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = suggest(word, candidates);
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
}
