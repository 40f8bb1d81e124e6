import Table from 'cli-table3';
import { lastJobEndOf, seeded } from '../waits/readiness.ts';
import { otherDrain } from '../waits/schedules.ts';
import type { ManyStacks } from './many-stacks.ts';
import type { SimulatedDrains } from './simulated-drains.ts';

/** The drains of one process beside models of what others publish, whose every look is one call. */
export function describeSimulatedDrains(drains: readonly SimulatedDrains[]): string {
  const table = new Table({
    head: [
      'schedule',
      'stacks',
      'calls a minute and stack',
      'calls an hour',
      '429 of 15,000',
      'memory',
    ],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { stacks, callsAMinute, callsAnHour, refused, memoryMb } of drains)
    table.push([
      'hosted-runner-deploy',
      `${stacks}`,
      callsAMinute.toFixed(2),
      `${callsAnHour}`,
      `${refused}`,
      `${Math.round(memoryMb)} MB`,
    ]);
  for (const [name, rate] of otherRates())
    table.push([name, '100', rate.toFixed(2), `${Math.round(rate * 6000)}`, '', '']);
  return `GitLab calls of drains whose jobs run on, on simulated time: those about both shards, without a budget and without reads that stacks share. Memory: of the drains alone, in a heap of 96 MB
${table.toString()}

`;
}

/** Calls in each minute of a drain, over the same ends of jobs as in `npm run bench:wait`. */
function otherRates(): readonly (readonly [string, number])[] {
  return otherDrain.map((schedule) => {
    const chance = seeded(1);
    let calls = 0;
    let minutes = 0;
    for (let sample = 0; sample < 2000; sample += 1) {
      const endAt = lastJobEndOf(chance);
      const outcome = schedule.run(endAt, chance);
      calls += outcome.calls;
      minutes += (endAt + outcome.delayMs) / 60_000;
    }
    return [schedule.name, calls / minutes] as const;
  });
}

export function describeManyStacks(run: ManyStacks): string {
  const { stacks, seconds, calls, refused, mostAMinute, memoryMb, lost, left, exitCode } = run;
  const draining =
    run.drainingAMinute === undefined
      ? ''
      : `; ${(run.drainingAMinute / stacks).toFixed(1)} while all of them drained`;
  const rate = (calls / stacks / (seconds / 60)).toFixed(1);
  const busiest = (mostAMinute / stacks).toFixed(1);
  const memory = memoryMb === undefined ? 'not told by this system' : `${Math.round(memoryMb)} MB`;
  return `${stacks} stacks in one process, finished in ${Math.round(seconds)} s of wall-clock time (exit code ${exitCode})
  calls of GitLab     ${calls}; ${rate} a minute and stack, ${busiest} in the busiest minute (${mostAMinute} in all, of 2,000)${draining}
  answered with 429   ${refused}
  memory at most      ${memory}
  jobs lost           ${lost} of ${2 * stacks}
  left behind         ${left}
`;
}
