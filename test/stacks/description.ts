import type { ManyStacks } from './many-stacks.ts';

export function describeManyStacks(run: ManyStacks): string {
  const { stacks, seconds, calls, refused, mostAMinute, memoryMb, lost, left, exitCode } = run;
  const rate = (calls / stacks / (seconds / 60)).toFixed(1);
  const busiest = (mostAMinute / stacks).toFixed(1);
  const memory = memoryMb === undefined ? 'not told by this system' : `${Math.round(memoryMb)} MB`;
  return `${stacks} stacks in one process, finished in ${Math.round(seconds)} s of wall-clock time (exit code ${exitCode})
  calls of GitLab     ${calls}; ${rate} a minute and stack, ${busiest} in the busiest minute (${mostAMinute} in all, of 2,000)
  answered with 429   ${refused}
  memory at most      ${memory}
  jobs lost           ${lost} of ${2 * stacks}
  left behind         ${left}
`;
}
