/** Verbs that bring a deployment forward; what only shows something is no way on. */
const forward =
  /\bhosted-runner ((?:provision|recover|finalize|deploy|promote|rollback)(?: [\w=./-]+)*)/g;

/** The commands that a run printed as the next ones, in its order, as words after the program's name. */
export function nextCommands(lines: readonly string[]): readonly (readonly string[])[] {
  const found = lines.flatMap((line) => [...line.matchAll(forward)].map(([, words = '']) => words));
  return [...new Set(found)].map((words) => words.replace(/\.$/, '').split(' '));
}
