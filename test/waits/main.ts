import Table from 'cli-table3';
import { describeGoals, type Goal, holds } from '../support/goals.ts';
import { type Measurement, measure, type Row } from './measure.ts';

const samples = 20_000;
const seed = Number(process.argv[2] ?? 1);
const measured = await measure({ samples, seed });

process.stdout.write(
  `${samples} simulated waits, seed ${seed}. The first row of each table is the program's own wait, over answers that take time; all others are models of what their sources publish, over answers that take none.\n\n`,
);
print('From the moment at which the last evidence can be seen to the verdict', measured.ready);
print(
  'From the last job’s end to drained, beside the confirmation window of 55 s and the look that ends it',
  measured.drain,
);

const goals = goalsOf(measured);
process.stdout.write(describeGoals(goals));
process.exitCode = goals.every(holds) ? 0 : 1;

/** Returns the limits of the first row of each table. */
function goalsOf({ ready, drain }: Measurement): readonly Goal[] {
  const seconds = ([row]: readonly Row[]) => (row?.p99Ms ?? Number.NaN) / 1000;
  const where = 'simulated time';
  return [
    { of: 'fact to verdict, p99', unit: ' s', most: 0.8, measured: seconds(ready), where },
    { of: 'last job’s end to drained, p99', unit: ' s', most: 2, measured: seconds(drain), where },
    {
      of: 'GitLab calls of a drain, mean',
      most: 40,
      measured: drain[0]?.meanCalls ?? Number.NaN,
      where,
    },
  ];
}

function print(title: string, rows: readonly Row[]): void {
  const table = new Table({
    head: ['schedule', 'mean', 'p99', 'GitLab calls', 'most of them', 'AWS calls', 'too early'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { name, meanMs, p99Ms, meanCalls, mostCalls, meanAwsCalls, early } of rows) {
    const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    const part = `${(early * 100).toFixed(1)} %`;
    table.push([
      name,
      seconds(meanMs),
      seconds(p99Ms),
      meanCalls.toFixed(1),
      `${mostCalls}`,
      meanAwsCalls.toFixed(0),
      part,
    ]);
  }
  process.stdout.write(`${title}\n${table.toString()}\n\n`);
  process.stdout.write(`${rows.map(({ name, source }) => `  ${name}: ${source}`).join('\n')}\n\n`);
}
