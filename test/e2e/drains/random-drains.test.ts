import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { promptAws } from '../../../sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { seededRandom } from '../../../sandbox/surroundings/random.ts';
import { bundledProgram } from '../../support/program.ts';
import { shareOf } from '../../support/sample.ts';
import { drawDrain } from './drawing.ts';
import { weather } from './faults.ts';
import { type Books, playDrain } from './play-drain.ts';
import { buildStack, type DrainedStack } from './stack.ts';
import { wasBusy, whatWentWrong } from './witness.ts';

/** `DRAINS_SEED=…` draws others, `DRAINS_COUNT=1000` more; `DRAINS_ONLY=17,42` plays these drains of a seed alone. */
const seed = Number(process.env['DRAINS_SEED'] ?? 20_261_121);
const only = process.env['DRAINS_ONLY']?.split(',').map(Number);
const drains = Number(process.env['DRAINS_COUNT'] ?? shareOf(100));
const numbers = only ?? Array.from({ length: drains }, (_, at) => at + 1);
/** Stacks side by side in this process. */
const lanes = Math.min(12, numbers.length);

const folder = mkdtempSync(join(tmpdir(), 'drains-'));
let sandbox: Sandbox;
let stacks: DrainedStack[];

beforeAll(async () => {
  sandbox = await startSandbox({
    folder,
    program: [process.execPath, bundledProgram],
    searchPath: process.env['PATH'] ?? '',
    random: seededRandom(seed),
    windows: {
      ...promptAws,
      recreateAfterMs: 0,
      commandVisibleAfterMs: 20,
      parameterWritesPerSecond: 0,
      parameterReadsPerSecond: 0,
    },
    behaviour: { bootDelayMs: 20, agentDelayMs: 0, checkIntervalMs: 500, traceIntervalMs: 500 },
  });
  // AWS's SDK asks the process itself for its region and its credentials.
  Object.assign(process.env, sandbox.environment);
  stacks = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => buildStack(sandbox, `stack-${lane}`)),
  );
  const isUp = () => sandbox.gitlab.runners().every(({ managers }) => managers.length === 1);
  while (!isUp()) await sleep(100);
});

afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(`${numbers.length} random drains under faults (DRAINS_SEED=${seed}): no job is lost, and none runs where a drain is declared`, async () => {
  const books: Books = {
    declared: [],
    cancelled: new Set(),
    unfinished: [],
    openedUnseen: [],
    runs: 0,
  };
  for (const fault of weather) sandbox.faults.add(fault);
  const startedAt = performance.now();
  const queue = [...numbers];
  await Promise.all(
    stacks.map(async (stack) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        await playDrain(sandbox, { stack, drawn: drawDrain(seed, next), books });
    }),
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  sandbox.faults.clear();
  await everyJobEnds();
  const jobs = sandbox.gitlab.jobs();
  const interrupted = books.declared.filter((drain) => wasBusy(jobs, drain)).length;
  process.stdout.write(
    `\nDRAINS_SEED=${seed}: ${numbers.length} drains of ${lanes} stacks in ${books.runs} runs and ${seconds} s, ${jobs.length} jobs; ${interrupted} runners had one when their drain began, ${books.openedUnseen.length} were opened after the last look\n`,
  );
  expect(books.unfinished).toEqual([]);
  expect(books.declared.length + books.openedUnseen.length).toBe(numbers.length);
  // Otherwise nothing was tried.
  if (only === undefined) expect(interrupted).toBeGreaterThan(0);
  expect(whatWentWrong(sandbox, books)).toEqual([]);
});

async function everyJobEnds(): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (
    performance.now() < deadline &&
    sandbox.gitlab.jobs().some(({ finishedAt }) => finishedAt === null)
  )
    await sleep(100);
}
