import { usualRates } from '../../src/domain/health/fault-rate.ts';
import { chancesOf, medianOf } from './exact.ts';
import { createOwnRule } from './rules.ts';

const most = 1000;
const after = [20, 100, 500, 1000];
const rates = [0.002, 0.01, 0.02, 0.05, 0.2];
const alphas = [0.00001, 0.00017, 0.001];

/** Renders the part of deployments that roll back within a number of jobs, by failure rate. */
export function renderCurve(): string {
  const rows = rates.map((rate) => {
    const chances = chancesOf(createOwnRule(), { rate, bursts: false }, most);
    const name = rate === usualRates.baseline ? `${percent(rate)} (a good shard)` : percent(rate);
    return [name, ...after.map((jobs) => percent(chances[jobs] ?? 0))];
  });
  return table(['failure rate', ...after.map((jobs) => `${jobs} jobs`)], rows);
}

/**
 * Renders the effect of alpha: rollbacks of good deployments, and jobs until half of the bad ones
 * roll back.
 */
export function renderAlphas(): string {
  const rows = alphas.map((alpha) => {
    const rule = createOwnRule({ ...usualRates, alpha });
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
    [
      'alpha',
      'good shards rolled back within 1000 jobs',
      'jobs at failure rate 2 %',
      '5 %',
      '20 %',
    ],
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
