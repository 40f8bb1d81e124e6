import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nextCommands } from '../../../sandbox/demo/as-printed.ts';
import { outlasting } from '../../../sandbox/demo/count/job-verdicts.ts';
import { markedScript, readMarks } from '../../../sandbox/demo/count/marks.ts';
import {
  asTyped,
  type DemoEnvironment,
  describeEnd,
  requireBegun,
} from '../../../sandbox/demo/run/demo-environment.ts';
import {
  choosePaces,
  describeShortened,
  formatTempo,
  shortenedWindows,
} from '../../../sandbox/demo/run/paces.ts';
import { finishedJob } from './stories.ts';

test('the next commands are those of an error, in its order, each once', () => {
  const lines = [
    '✖ deploy: pink did not become healthy within 30s (5 checks).',
    '  fix  Run it again: hosted-runner provision --runner linux',
    '       Remove the candidate and provision again: hosted-runner recover --runner linux --method cleanup',
    '       Or once more: hosted-runner provision --runner linux',
    '  ref  HealthcheckTimedOut · docs/troubleshooting.md#healthchecktimedout',
  ];
  expect(nextCommands(lines)).toEqual([
    ['provision', '--runner', 'linux'],
    ['recover', '--runner', 'linux', '--method', 'cleanup'],
  ]);
});

test('a command at the end of a sentence is run without its full stop', () => {
  const lines = ['retire pink and finish: hosted-runner finalize --runner linux.'];
  expect(nextCommands(lines)).toEqual([['finalize', '--runner', 'linux']]);
});

test('a command is shown in shell syntax', () => {
  const words = ['deploy', '--set', 'bake.for=10m', '--again', 'the image is good'];
  expect(asTyped(words)).toBe(
    "hosted-runner deploy --set bake.for=10m --again 'the image is good'",
  );
});

test('a command that only shows information is not a next command', () => {
  expect(nextCommands(['Look: hosted-runner status --runner linux'])).toEqual([]);
});

const idle = {
  exitCode: 0,
  lines: ['deploy linux', '  Nothing to do for deploy: deployment 1-100 is done.', ''],
};

test('the end of a program quotes the line with the reason', () => {
  expect(describeEnd(idle)).toBe(
    'exit code 0 (Nothing to do for deploy: deployment 1-100 is done)',
  );
  expect(describeEnd({ exitCode: 1, lines: ['✖ deploy: pink is bad.', '  ref  X'] })).toBe(
    'exit code 1 (✖ deploy: pink is bad)',
  );
  expect(describeEnd({ exitCode: null, lines: [] })).toBe('a signal');
});

test.each([
  ['the record still names the earlier deployment', '1-100'],
  ['there is no record', undefined],
])('a scenario fails with the real cause if %s', (_, id) => {
  const record = id === undefined ? {} : { record: { id } };
  const watch = { now: () => record } as unknown as DemoEnvironment['watch'];
  expect(() => requireBegun({ watch }, id, idle)).toThrow(
    'no deployment began: the command ended with exit code 0 (Nothing to do for deploy: deployment 1-100 is done).',
  );
});

test('a scenario continues if the record names a new deployment', () => {
  const watch = { now: () => ({ record: { id: '1-200' } }) } as unknown as DemoEnvironment['watch'];
  expect(() => requireBegun({ watch }, '1-100', idle)).not.toThrow();
});

test('a job marks its start and its end, even in a folder with a quote in its name', () => {
  expect(markedScript({ folder: "/it's", number: 3, durationMs: 1500 })).toEqual([
    "echo start >> '/it'\\''s/3.start'",
    'sleep 1.5',
    "echo end >> '/it'\\''s/3.end'",
  ]);
});

test('marks are counted, to show a job that ran twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marks-'));
  try {
    await writeFile(join(folder, '1.start'), 'start\nstart\n');
    await writeFile(join(folder, '1.end'), 'end\n');
    await writeFile(join(folder, '2.start'), 'start\n');
    const marks = await readMarks(folder);
    expect([marks.get(1)?.starts, marks.get(1)?.ends]).toEqual([2, 1]);
    expect([marks.get(2)?.starts, marks.get(2)?.ends]).toEqual([1, 0]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a job outlasts a switch if its shard was replaced while it ran', () => {
  const switches = [{ at: 2000, from: 'pink', to: 'purple' }];
  const jobs = [
    finishedJob({ number: 1 }),
    finishedJob({ number: 2, shard: 'purple' }),
    finishedJob({ number: 3, endedAt: 1900 }),
  ];
  expect(outlasting(jobs, switches).map(({ number }) => number)).toEqual([1]);
});

test('double speed halves every window except the one that the computer needs', () => {
  const [usual, fast] = [
    choosePaces({ speed: 1, factor: 1 }),
    choosePaces({ speed: 2, factor: 1 }),
  ];
  expect(fast.longJobMs).toBe(usual.longJobMs / 2);
  expect(fast.configuration.pollOfRunnerMs).toBe(usual.configuration.pollOfRunnerMs / 2);
  expect(fast.configuration.healthcheckTimeoutMs).toBe(usual.configuration.healthcheckTimeoutMs);
});

test.each([
  [0.1, 1],
  [1, 3.2],
  [100, 1],
])('a drain at speed %d and factor %d waits longer than a runner polls', (speed, factor) => {
  const { behaviour, configuration } = choosePaces({ speed, factor });
  expect(configuration.pollOfRunnerMs).toBeGreaterThanOrEqual(behaviour.checkIntervalMs ?? 0);
});

test('a computer that is three times slower has windows that are three times as long', () => {
  const [usual, slow] = [1, 3].map((factor) => choosePaces({ speed: 1, factor }));
  const numbers = (paces: unknown) =>
    [...JSON.stringify(paces).matchAll(/"\w+Ms":(\d+)/g)].map(([, number]) => Number(number));
  expect(numbers(usual).length).toBeGreaterThan(15);
  expect(numbers(slow)).toEqual(numbers(usual).map((ms) => ms * 3));
});

test('the shortened windows fit one line', () => {
  const windows = shortenedWindows(choosePaces({ speed: 1, factor: 1 }));
  const line = describeShortened(windows);
  expect(line).not.toContain('\n');
  for (const { what, here, inProduction } of windows)
    expect(line).toContain(`${what} ${here} (${inProduction})`);
});

const aMinute = 'It takes about a minute, longer on a busy computer';
test.each([
  [{ speed: 1, factor: 1, all: false }, `${aMinute}.`],
  [{ speed: 2, factor: 1, all: false }, `${aMinute}; this one runs 2 times as fast.`],
  [{ speed: 1, factor: 1, all: true }, 'It takes about two minutes, longer on a busy computer.'],
  [
    { speed: 1, factor: 3.1, all: false },
    `${aMinute}. This computer is now 3.1 times slower than usual (measured): every period below is 3.1 times as long.`,
  ],
  [
    { speed: 1, factor: 9, all: false },
    `${aMinute}. This computer is now 9 times slower than usual (measured): every period below is 4 times as long.`,
  ],
])('the demo announces its duration for %j', (how, expected) => {
  expect(formatTempo(how)).toBe(expected);
});
