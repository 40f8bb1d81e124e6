import { describe, expect, test } from '@jest/globals';
import type { StackReport } from '../../src/operator/status-report.ts';
import { createStackWatch } from '../../src/report/dashboard/stack-watch.ts';
import { createHandClock } from '../endpoint/probing.ts';
import { typing } from '../support/typing.ts';
import { draining } from './stacks.ts';

const everyMs = 30_000;
const never = () => new Promise<StackReport>(() => {});
const denied = () => Promise.reject(new Error('denied'));

/** A watch over looks that the test decides. */
function openWatch(first: () => Promise<StackReport>) {
  const clock = createHandClock();
  const controller = new AbortController();
  let look = first;
  let looks = 0;
  const watch = createStackWatch({
    runner: 'linux',
    look: () => {
      looks += 1;
      return look();
    },
    clock,
    everyMs,
    typed: typing('dashboard'),
    explain: (error) => ({ code: 'Refused', what: (error as Error).message, fix: ['Try again.'] }),
  });
  return {
    watch,
    clock,
    looks: () => looks,
    sees: (next: () => Promise<StackReport>) => {
      look = next;
    },
    run: () => watch.run(controller.signal),
    stop: () => controller.abort(new Error('received SIGINT')),
  };
}

describe('the watch over a stack', () => {
  test('knows nothing before its first look has come back', () => {
    const { watch, run } = openWatch(never);
    void run();
    expect(watch.read()).toEqual({ runner: 'linux' });
  });

  test('looks again and again, whoever asks', async () => {
    const { watch, clock, looks, run } = openWatch(async () => draining);
    void run();
    await clock.pass(1000);
    for (let asked = 0; asked < 50; asked += 1) watch.read();
    expect(looks()).toBe(1);
    await clock.pass(10 * everyMs);
    expect(looks()).toBe(11);
  });

  test('keeps what was seen while later looks fail, says why, and forgets that after a good one', async () => {
    const { watch, clock, run, sees } = openWatch(async () => draining);
    void run();
    await clock.pass(1000);
    const { seen } = watch.read();
    sees(denied);
    await clock.pass(everyMs);
    expect(watch.read()).toEqual({
      runner: 'linux',
      seen,
      trouble: { code: 'Refused', what: 'denied', fix: ['Try again.'] },
    });
    sees(async () => draining);
    await clock.pass(everyMs);
    expect(watch.read()).not.toHaveProperty('trouble');
  });

  test('says that a look hangs, and since when', async () => {
    const { watch, clock, run } = openWatch(never);
    void run();
    await clock.pass(60_000);
    expect(watch.read()).toEqual({ runner: 'linux' });
    await clock.pass(60_000);
    expect(watch.read().trouble).toEqual({
      what: 'The look at linux has not come back for 2m.',
      why: ['GitLab, GitHub or AWS does not answer, or only slowly.'],
      fix: ['See what answers: hosted-runner doctor --runner linux'],
    });
  });

  test.each([
    ['between two looks', async () => draining],
    ['while a look hangs', never],
  ])('ends when it is told to, %s', async (_, look) => {
    const { clock, run, stop } = openWatch(look);
    const ended = run();
    await clock.pass(1000);
    stop();
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('one look', () => {
  test('shows what it has seen', async () => {
    const { watch } = openWatch(async () => draining);
    await watch.checkOnce(10_000);
    expect(watch.read().seen?.report).toBe(draining);
  });

  test('that fails shows the error', async () => {
    const { watch } = openWatch(denied);
    await watch.checkOnce(10_000);
    expect(watch.read().trouble?.what).toBe('denied');
  });

  test('that hangs is waited for no longer than its limit', async () => {
    const { watch, clock } = openWatch(never);
    const ended = watch.checkOnce(10_000);
    await clock.pass(10_000);
    await ended;
    expect(watch.read().trouble?.what).toBe('The look at linux has not come back for 10s.');
  });
});
