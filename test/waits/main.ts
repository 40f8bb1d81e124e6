import Table from 'cli-table3';
import { measure, type Row } from './measure.ts';

const samples = 20_000;
const seed = Number(process.argv[2] ?? 1);
const measured = measure({ samples, seed });

process.stdout.write(
  `${samples} simulated waits, seed ${seed}; answers take no time. All but the first row are models of what their sources publish.\n\n`,
);
print('From the canary’s end to the verdict', measured.ready);
print('From the last job’s end to drained, beside the confirmation window of 55 s', measured.drain);

function print(title: string, rows: readonly Row[]): void {
  const table = new Table({
    head: ['schedule', 'mean', 'p99', 'calls', 'calls p99', 'too early'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { name, meanMs, p99Ms, meanCalls, p99Calls, early } of rows) {
    const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
    const part = `${(early * 100).toFixed(1)} %`;
    table.push([name, seconds(meanMs), seconds(p99Ms), meanCalls.toFixed(1), `${p99Calls}`, part]);
  }
  process.stdout.write(`${title}\n${table.toString()}\n\n`);
  process.stdout.write(`${rows.map(({ name, source }) => `  ${name}: ${source}`).join('\n')}\n\n`);
}
