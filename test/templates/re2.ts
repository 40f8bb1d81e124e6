/**
 * Syntax that JavaScript accepts and RE2 refuses: lookaheads and lookbehinds, references,
 * possessive repeats.
 */
const foreign = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k<|[*+?}]\+/;
const mostRepeats = 1000;

/**
 * Matches a pattern like RE2 without flags: `$` is the end of the text, never of a line, as in
 * JavaScript.
 */
export function matchesRe2(pattern: string, text: string): boolean {
  const problem = whatRe2Refuses(pattern);
  if (problem !== undefined) throw new Error(`invalid regular expression: ${problem}`);
  return new RegExp(pattern, 'u').test(text);
}

export function whatRe2Refuses(pattern: string): string | undefined {
  const found = foreign.exec(pattern.replaceAll(/\[[^\]]*\]/g, '[]'));
  if (found !== null) return found[0];
  for (const [repeat, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    if (Math.max(Number(least), Number(most ?? 0)) > mostRepeats) return repeat;
  return undefined;
}
