/** A command stands at the end of its line, as it is typed. */
export function commandsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /\bhosted-runner [a-z][^`]*[^.`]$/.exec(line)?.[0] ?? []);
}
