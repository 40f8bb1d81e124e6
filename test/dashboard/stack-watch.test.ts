import { describe, expect, test } from '@jest/globals';
import type { StackReport } from '../../src/operator/status-report.ts';
import { createStackWatch } from '../../src/report/dashboard/stack-watch.ts';
import { createHandClock } from '../endpoint/probing.ts';
import { typing } from '../support/typing.ts';
import { draining } from './stacks.ts';

const everyMs = 30_000;
const never = () => new Promise<StackReport>(() => {});
const denied = () => Promise.reject(new Error('denied'));

/** Opens a watch whose checks the test controls. */
function openWatch(first: () => Promise<StackReport>) {
  const clock = createHandClock();
  const controller = new AbortController();
  let check = first;
  let checks = 0;
  const watch = createStackWatch({
    runner: 'linux',
    readReport: () => {
      checks += 1;
      return check();
    },
    clock,
    everyMs,
    typed: typing('dashboard'),
    explain: (error) => ({ code: 'Refused', what: (error as Error).message, fix: ['Try again.'] }),
  });
  return {
    watch,
    clock,
    looks: () => checks,
    sees: (next: () => Promise<StackReport>) => {
      check = next;
    },
    run: () => watch.run(controller.signal),
    stop: () => controller.abort(new Error('received SIGINT')),
  };
}

describe('the repeated read of a stack', () => {
  test('knows nothing before its first read has ended', () => {
    const { watch, run } = openWatch(never);
    void run();
    expect(watch.read()).toEqual({ runner: 'linux' });
  });

  test('repeats at its interval, regardless of requests', async () => {
    const { watch, clock, looks: checks, run } = openWatch(async () => draining);
    void run();
    await clock.pass(1000);
    for (let reads = 0; reads < 50; reads += 1) watch.read();
    expect(checks()).toBe(1);
    await clock.pass(10 * everyMs);
    expect(checks()).toBe(11);
  });

  test('keeps earlier data while later reads fail, and drops the error after a success', async () => {
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

  test('reports a read that hangs, and its duration', async () => {
    const { watch, clock, run } = openWatch(never);
    void run();
    await clock.pass(60_000);
    expect(watch.read()).toEqual({ runner: 'linux' });
    await clock.pass(60_000);
    expect(watch.read().trouble).toEqual({
      what: 'The check of linux has not ended for 2m.',
      why: ['GitLab, GitHub or AWS does not respond, or responds slowly.'],
      fix: ['Check which source responds: hosted-runner doctor --runner linux'],
    });
  });

  test.each([
    ['between two reads', async () => draining],
    ['while a read hangs', never],
  ])('ends when it is stopped %s', async (_, check) => {
    const { clock, run, stop } = openWatch(check);
    const ended = run();
    await clock.pass(1000);
    stop();
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('a single read of a stack', () => {
  test('shows its data', async () => {
    const { watch } = openWatch(async () => draining);
    await watch.checkOnce(10_000);
    expect(watch.read().seen?.report).toBe(draining);
  });

  test('shows the error if it fails', async () => {
    const { watch } = openWatch(denied);
    await watch.checkOnce(10_000);
    expect(watch.read().trouble?.what).toBe('denied');
  });

  test('waits no longer than its limit', async () => {
    const { watch, clock } = openWatch(never);
    const ended = watch.checkOnce(10_000);
    await clock.pass(10_000);
    await ended;
    expect(watch.read().trouble?.what).toBe('The check of linux has not ended for 10s.');
  });
});
