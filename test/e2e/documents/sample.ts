/** Texts that differ between runs: ids, times and numbers of checks. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\bterminal-\d{8}T\d{6}Z-\w+/g, 'DEPLOYMENT'],
  [/\bi-[0-9a-f]{17}\b/g, 'INSTANCE'],
  // Tokens come before ids, because one token in seventy has only digits.
  [/\br=[0-9a-f]{9} /g, 'r=TOKEN '],
  [/\brunner=[0-9a-f]{9} /g, 'runner=TOKEN '],
  [/\b\d{4,}\b/g, 'ID'],
  // The number of similar log lines depends on the available time.
  [/ \(\d+ times\)/g, ''],
  [/\(\d+ checks\)/g, '(N checks)'],
  [/\b\d[\dhms ]* (ago|of) /g, 'DURATION $1 '],
  [/\b\d[\dhms ]* ago\b/g, 'DURATION ago'],
];

/** Returns the part of an output that is the same in every run. */
export function lasting(text: string): string[] {
  return passing
    .reduce((rest, [from, to]) => rest.replace(from, to), text)
    .trimEnd()
    .split('\n');
}

/** Decides whether a line is a wait. The number of waits depends on the machine's speed. */
export function isWait(line: string): boolean {
  return line.startsWith('  Waiting');
}
