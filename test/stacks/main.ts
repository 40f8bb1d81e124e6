import { resolve } from 'node:path';
import { describeManyStacks } from './description.ts';
import { finishManyStacks } from './many-stacks.ts';

const stacks = Number(process.argv[2] ?? 50);
const run = await finishManyStacks({ stacks, holdMs: 60_000, bundle: resolve('dist/index.js') });
process.stdout.write(describeManyStacks(run));
const isWell = run.exitCode === 0 && run.refused === 0 && run.lost === 0 && run.left === 0;
if (!isWell) process.stdout.write(`${run.output}\n`);
process.exitCode = isWell ? 0 : 1;
