import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describeManyStacks, describeSimulatedDrains } from './description.ts';
import { finishManyStacks } from './many-stacks.ts';
import { type SimulatedDrains, simulateDrains } from './simulated-drains.ts';

const [mode = '50', count] = process.argv.slice(2);
if (mode === '--drains') process.stdout.write(JSON.stringify(await simulateDrains(Number(count))));
else {
  // Each in a process of its own, whose memory is measured.
  const drains = [1, 50, 100, 1000].map(inProcess);
  process.stdout.write(describeSimulatedDrains(drains));
  const stacks = Number(mode);
  const run = await finishManyStacks({ stacks, holdMs: 180_000, bundle: resolve('dist/index.js') });
  process.stdout.write(describeManyStacks(run));
  const isWell = run.exitCode === 0 && run.refused === 0 && run.lost === 0 && run.left === 0;
  if (!isWell) process.stdout.write(`${run.output}\n`);
  process.exitCode = isWell ? 0 : 1;
}

function inProcess(stacks: number): SimulatedDrains {
  // Without a limit V8 takes memory that it does not need.
  const program = ['--max-old-space-size=96', process.argv[1] ?? '', '--drains', String(stacks)];
  const { status, stdout } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the drains of ${stacks} stacks ended with ${status}`);
  return JSON.parse(stdout) as SimulatedDrains;
}
