/** What differs from run to run: ids, times, and how often something was looked at. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\bterminal-\d{8}T\d{6}Z-\w+/g, 'DEPLOYMENT'],
  [/\bi-[0-9a-f]{17}\b/g, 'INSTANCE'],
  // Before ids: one in seventy is digits alone.
  [/\br=[0-9a-f]{9} /g, 'r=TOKEN '],
  [/\brunner=[0-9a-f]{9} /g, 'runner=TOKEN '],
  [/\b\d{4,}\b/g, 'ID'],
  // A log has as many lines of a kind as there was time for.
  [/ \(\d+ times\)/g, ''],
  [/\(\d+ checks\)/g, '(N checks)'],
  [/\b\d[\dhms ]* (ago|of) /g, 'DURATION $1 '],
  [/\b\d[\dhms ]* ago\b/g, 'DURATION ago'],
];

/** Of what is printed, what is the same in every run. */
export function lasting(text: string): string[] {
  return passing
    .reduce((rest, [from, to]) => rest.replace(from, to), text)
    .trimEnd()
    .split('\n');
}

/** How often one waits, and for what one is just in time to wait, is the machine's. */
export function isWait(line: string): boolean {
  return line.startsWith('  Waiting: ');
}
