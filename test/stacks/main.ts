import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeGoals, holds } from '../support/goals.ts';
import { describeManyStacks, describeSimulatedDrains, goalsOf } from './description.ts';
import { replaceIdleStack } from './idle-replacement.ts';
import { finishManyStacks } from './many-stacks.ts';
import { measureMemory, type SimulatedDrains, simulateDrains } from './simulated-drains.ts';

const stacksOfMemory = 1000;
const memoryForMs = 180_000;
const holdMs = 120_000;

const [mode = '50'] = process.argv.slice(2);
if (mode === '--memory') {
  process.stdout.write(String(await measureMemory(stacksOfMemory, memoryForMs)));
  process.exit();
}
await runAll(Number(mode));

async function runAll(stacks: number): Promise<void> {
  const bundle = resolve('dist/index.js');
  const memory = memoryOfOwnProcess();
  const drains: SimulatedDrains[] = [];
  for (const count of [1, 50, 100, 1000]) drains.push(await simulateDrains(count));
  process.stdout.write(describeSimulatedDrains(drains));
  const idle = await replaceIdleStack(bundle);
  const many = await finishManyStacks({ stacks, holdMs, bundle });
  process.stdout.write(describeManyStacks(many));
  const memoryMb = await memory;
  const goals = goalsOf({ drains, memoryMb, idle, many });
  process.stdout.write(describeGoals(goals));
  const isWell = many.exitCode === 0 && many.refused === 0 && many.lost === 0 && many.left === 0;
  if (!isWell) process.stdout.write(`${many.output}\n`);
  if (idle.exitCode !== 0) process.stdout.write(`${idle.output}\n`);
  process.exitCode = isWell && goals.every(holds) ? 0 : 1;
}

/** Node's defaults apply, as for users. */
async function memoryOfOwnProcess(): Promise<number> {
  const program = [process.argv[1] ?? '', '--memory'];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  return Number(stdout);
}
