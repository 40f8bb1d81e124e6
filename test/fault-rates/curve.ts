import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { chancesOf, medianOf } from './exact.ts';
import { ours } from './rules.ts';

const most = 1000;
const after = [10, 20, 50, 100, 200, 500, 1000];
const rates = [0.002, 0.01, 0.02, 0.05, 0.2];
const alphas = [0.00001, 0.00017, 0.001, 0.01];

/** How many of the deployments are taken back within so many jobs, for shards that fail so many. */
export function renderCurve(): string {
  const rows = rates.map((rate) => {
    const chances = chancesOf(ours(), { rate, bursts: false }, most);
    const name = rate === usualRates.baseline ? `${percent(rate)}, a good one` : percent(rate);
    return [name, ...after.map((jobs) => percent(chances[jobs] ?? 0))];
  });
  return table(['fails', ...after.map((jobs) => `${jobs} jobs`)], rows);
}

/** What another alpha buys: good deployments that are taken back, and when half of the bad ones are. */
export function renderAlphas(): string {
  const rows = alphas.map((alpha) => {
    const rule = ours({ ...usualRates, alpha });
    const within = (rate: number) => chancesOf(rule, { rate, bursts: false }, most);
    const median = (rate: number) => `${medianOf(within(rate)) ?? `not within ${most}`}`;
    const name =
      alpha === usualRates.alpha ? `${alpha}, the default` : alpha.toFixed(5).replace(/0+$/, '');
    return [
      name,
      percent(within(usualRates.baseline).at(-1) ?? 0),
      ...[0.02, 0.05, 0.2].map(median),
    ];
  });
  return table(
    ['alpha', 'good ones taken back within 1000 jobs', '2 % of faults', '5 %', '20 %'],
    rows,
  );
}

function percent(part: number): string {
  if (part > 0.9995) return '100 %';
  return `${Number((part * 100).toPrecision(2))} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
