import Table from 'cli-table3';
import type { Goal } from '../support/goals.ts';
import { lastJobEndOf, seeded } from '../waits/readiness.ts';
import { otherDrain } from '../waits/schedules.ts';
import type { IdleReplacement } from './idle-replacement.ts';
import type { ManyStacks } from './many-stacks.ts';
import type { SimulatedDrains } from './simulated-drains.ts';

/**
 * Formats the drains of one process beside models of other published schedules, whose checks make
 * one call each.
 */
export function describeSimulatedDrains(drains: readonly SimulatedDrains[]): string {
  const table = new Table({
    head: ['schedule', 'stacks', 'calls a minute and stack', 'calls an hour', '429 of 15,000'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const { stacks, callsAMinute, callsAnHour, refused } of drains)
    table.push([
      'hosted-runner-deploy',
      `${stacks}`,
      callsAMinute.toFixed(2),
      `${callsAnHour}`,
      `${refused}`,
    ]);
  for (const [name, rate] of otherRates())
    table.push([name, '100', rate.toFixed(2), `${Math.round(rate * 6000)}`, '']);
  return `GitLab calls of drains whose jobs run on, in one process and on simulated time. The calls an hour are those of the first hour.
${table.toString()}

`;
}

/** Returns the calls per minute of a drain, over the same job ends as in `npm run bench:wait`. */
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
      : `; ${run.drainingAMinute.toFixed(2)} while all of them drained`;
  const rate = (calls / stacks / (seconds / 60)).toFixed(1);
  const busiest = (mostAMinute / stacks).toFixed(1);
  const memory = memoryMb === undefined ? 'not told by this system' : `${Math.round(memoryMb)} MiB`;
  return `${stacks} stacks in one process, finished in ${Math.round(seconds)} s of wall-clock time (exit code ${exitCode})
  calls of GitLab     ${calls}; ${rate} a minute and stack, ${busiest} in the busiest minute (${mostAMinute} in all, of 2,000)${draining}
  answered with 429   ${refused}
  memory at most      ${memory}
  jobs lost           ${lost} of ${2 * stacks}
  left behind         ${left}

`;
}

/** Results of one run of the benchmark. */
interface Measured {
  readonly drains: readonly SimulatedDrains[];
  readonly memoryMb: number;
  readonly idle: IdleReplacement;
  readonly many: ManyStacks;
}

export function goalsOf({ drains, memoryMb, idle, many }: Measured): readonly Goal[] {
  const among = (stacks: number) => drains.find((one) => one.stacks === stacks);
  const rate = 'GitLab calls a minute of a draining stack';
  const simulated = 'simulated time';
  const sandbox = 'sandbox';
  const { drainingAMinute = Number.NaN } = many;
  const [gitlab, parameters] =
    idle.exitCode === 0 ? [idle.gitlabCalls, idle.parameterCalls] : [Number.NaN, Number.NaN];
  return [
    {
      of: `${rate}, alone`,
      most: 2,
      measured: among(1)?.callsAMinute ?? Number.NaN,
      where: simulated,
    },
    {
      of: `${rate}, among 50`,
      most: 1,
      measured: among(50)?.callsAMinute ?? Number.NaN,
      where: simulated,
    },
    { of: `${rate}, among ${many.stacks}`, most: 1, measured: drainingAMinute, where: sandbox },
    {
      of: '429 at 15,000 GitLab calls an hour, 100 draining stacks',
      most: 0,
      measured: among(100)?.refused ?? Number.NaN,
      where: simulated,
    },
    { of: 'GitLab calls of an idle replacement', most: 90, measured: gitlab, where: sandbox },
    { of: 'Parameter Store calls of it', most: 60, measured: parameters, where: sandbox },
    {
      of: 'memory of 1,000 draining stacks',
      unit: ' MiB',
      most: 200,
      measured: Math.round(memoryMb),
      where: 'wall-clock time, without AWS',
    },
  ];
}
