import Table from 'cli-table3';
import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { renderAlphas, renderCurve } from './curve.ts';
import { chancesOf, type Jobs, medianOf, type Rule } from './exact.ts';
import { backsWithin, jobsInALook, newestHundred, withTotals } from './listed.ts';
import {
  boundOfAny,
  chancesAfter,
  createOwnRule,
  flagger,
  type History,
  oneFault,
  threeInARow,
  uncounted,
} from './rules.ts';

const jobs = 1000;
const { baseline, alpha } = usualRates;
const rules = [createOwnRule(), uncounted(), oneFault, threeInARow, flagger];
const good: Jobs = { rate: baseline, bursts: false };

const worlds: readonly {
  readonly name: string;
  readonly bursts: boolean;
  readonly good: number;
}[] = [
  { name: 'each fault by itself', bursts: false, good: baseline },
  { name: 'faults in bursts of five jobs on average', bursts: true, good: baseline },
  { name: 'each by itself, and the baseline is wrong by five times', bursts: false, good: 0.01 },
  { name: 'in bursts, and the baseline is wrong by five times', bursts: true, good: 0.01 },
];

process.stdout.write(
  `Exact sums, no samples. A good runner fails 0.2 % of its jobs, unless the table says otherwise; alpha ${alpha}.\nfalse: good deployments that are taken back within ${jobs} jobs. 5 %, 20 %: after how many jobs half of the bad ones are; –: not within ${jobs}.\n\n`,
);
for (const world of worlds) {
  const ofRule = (rule: Rule) => (one: Jobs) => chancesOf(rule, one, jobs);
  print(
    world,
    rules.map((rule) => ({ name: rule.name, chances: ofRule(rule) })),
  );
}

const histories: readonly (Omit<History, 'of'> & { readonly name: string })[] = [
  { name: 'ours, 100 jobs of the old shard known', known: 100 },
  { name: 'ours, 500 jobs known', known: 500 },
  { name: 'with the bound also of no fault, 100 jobs known', known: 100, baselineRule: boundOfAny },
  { name: 'with the bound also of no fault, 500 jobs known', known: 500, baselineRule: boundOfAny },
];
for (const world of worlds.filter(({ bursts }) => !bursts)) {
  const of = { ...good, rate: world.good };
  print(
    { ...world, name: `after what the old shard had; ${world.name}` },
    histories.map((history) => ({
      name: history.name,
      chances: (one: Jobs) => chancesAfter({ ...history, of }, one, jobs),
    })),
  );
}
const shards = 50_000;
const listingTable = new Table({
  head: ['good deployments, looked at once a minute', '1000 jobs', '3000 jobs'],
  colAligns: ['left', 'right', 'right'],
  style: { head: [], border: [] },
});
const whole = chancesOf(createOwnRule(), good, 3000);
const percents = (of: (jobs: number) => number) =>
  [1000, 3000].map((count) => `${(of(count) * 100).toFixed(3)} %`);
listingTable.push(['the whole list, an exact sum', ...percents((count) => whole[count] ?? 0)]);
for (const [name, listing] of [
  ['the newest thousand of each ending, the rest counted', withTotals],
  ['the newest hundred, as if they were all', newestHundred],
] as const)
  listingTable.push([name, ...percents((count) => backsWithin(count, { listing, shards }))]);
process.stdout.write(
  `what is listed of a busy shard (${jobsInALook} jobs a minute; lists that are cut are samples of ${shards} shards)\n${listingTable.toString()}\n\n`,
);

process.stdout.write(`${rules.map(({ name, source }) => `  ${name}: ${source}`).join('\n')}\n`);

process.stdout.write(`\nfor docs/use/bake.md\n\n${renderCurve()}\n\n${renderAlphas()}\n`);

interface Row {
  readonly name: string;
  readonly chances: (jobs: Jobs) => readonly number[];
}

function print({ name, bursts, good: rate }: (typeof worlds)[number], rows: readonly Row[]): void {
  const table = new Table({
    head: ['rule', 'false', '5 %', '20 %'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const wrong = row.chances({ rate, bursts }).at(-1) ?? 0;
    const median = (bad: number) => `${medianOf(row.chances({ rate: bad, bursts })) ?? '–'}`;
    table.push([row.name, `${(wrong * 100).toFixed(3)} %`, median(0.05), median(0.2)]);
  }
  process.stdout.write(`${name}\n${table.toString()}\n\n`);
}
