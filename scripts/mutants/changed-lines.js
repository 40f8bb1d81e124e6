/**
 * Lists the lines that a change has written, in the mutation tool's format.
 * @param {string} diff of `git diff --unified=0`
 * @returns {string[]} such as `src/domain/shard.ts:4-7`
 */
export function changedLines(diff) {
  const found = [];
  let file = '';
  for (const line of diff.split('\n')) {
    const named = /^\+\+\+ (?:b\/(.*)|\/dev\/null)$/.exec(line);
    if (named) file = named[1] ?? '';
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from === undefined || file === '' || count === '0') continue;
    found.push(`${file}:${from}-${Number(from) + Number(count) - 1}`);
  }
  return found;
}
