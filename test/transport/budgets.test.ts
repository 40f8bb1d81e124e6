import { describe, expect, test } from '@jest/globals';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createSlowResponseNotice } from '../../src/adapters/transport/slow-response-notice.ts';
import type { CallLimit } from '../../src/domain/call-usage.ts';
import { fromPortFailure } from '../../src/errors/external-errors.ts';
import { failureOf } from '../support/failure-of.ts';
import { createFakeServer, createTestTransport } from './fake-server.ts';
import { createLimitedGitLab, keepCalling } from './limited-gitlab.ts';
import { ok, read, write } from './requests.ts';
import { createVirtualClock } from './virtual-clock.ts';

const signal = new AbortController().signal;
const host = read.url.host;
const anHour = 3_600_000;
const perHour = (calls: number): CallLimit => ({
  key: 'gitlab.calls_per_hour',
  calls,
  per: 'hour',
});
const perMinute = (calls: number): CallLimit => ({
  key: 'gitlab.calls_per_minute',
  calls,
  per: 'minute',
});

/** Returns the maximum number of calls in any period. */
function mostWithin(moments: readonly number[], periodMs: number): number {
  let from = 0;
  let most = 0;
  moments.forEach((at, index) => {
    while ((moments[from] ?? at) <= at - periodMs) from += 1;
    most = Math.max(most, index - from + 1);
  });
  return most;
}

describe('a call budget from the configuration', () => {
  test.each([
    [[perHour(15_000)], 1.2],
    [[perHour(300)], 3],
    [[perHour(1)], 4],
    [[perHour(2)], 4],
    [[perMinute(60)], 1],
    [[perMinute(1)], 0.2],
    [[perMinute(300), perHour(5000)], 2],
  ])('stays within every period, wherever the period begins: %j', async (limits, hours) => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, limits);
    const enter = budget.of(host);
    const moments: number[] = [];
    await keepCalling({ clock, hours, stacks: 20 }, async (call) => {
      await enter.enter(signal, { isWrite: call % 10 === 0 });
      moments.push(clock.elapsed());
    });
    for (const { calls, per } of limits) {
      const most = mostWithin(moments, per === 'hour' ? anHour : 60_000);
      expect(most).toBeLessThanOrEqual(calls);
      // At least 90 % of the budget must be used, because an unused budget would also pass.
      if (limits.length === 1) expect(most).toBeGreaterThanOrEqual(Math.floor(calls * 0.9));
    }
  });

  test('takes the smallest value if the stacks of one process differ', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perMinute(60)]);
    budget.restrict(host, [perMinute(6000), perHour(500)]);
    budget.restrict(host, []);
    await budget.of(host).enter(signal);
    budget.of(host).note(undefined);
    expect(budget.usage()[0]?.limits).toEqual([
      { source: 'key', ...perMinute(60) },
      { source: 'key', ...perHour(500) },
    ]);
  });

  test('may be larger than the default, and takes precedence over the limit in responses', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perMinute(6000)]);
    const gitlab = budget.of(host);
    await gitlab.enter(signal);
    const headers = { 'ratelimit-limit': '600', 'ratelimit-observed': '1' };
    const left = { 'ratelimit-remaining': '599', 'ratelimit-reset': `${clock.now() / 1000 + 60}` };
    gitlab.note({ status: 200, headers: new Headers({ ...headers, ...left }), body: '' });
    expect(budget.usage()[0]?.limits).toEqual([{ source: 'key', ...perMinute(6000) }]);
  });

  test('does not delay a write that pauses a runner behind reads', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perHour(600)]);
    const gitlab = budget.of(host);
    const cancel = new AbortController();
    const reads = Array.from({ length: 500 }, () =>
      Promise.resolve(gitlab.enter(cancel.signal)).catch(() => {}),
    );
    await clock.sleep(600_000);
    expect(gitlab.delay(false).ms).toBeGreaterThan(0);
    // Each of ten stacks is paused and unpaused.
    const writes = Array.from({ length: 20 }, () => gitlab.enter(signal, { isWrite: true }));
    expect(writes.every((queued) => queued === undefined)).toBe(true);
    cancel.abort(new Error('done'));
    await Promise.all(reads);
  });

  test('sends a write before reads that have waited longer', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perMinute(4)]);
    const gitlab = budget.of(host);
    const order: string[] = [];
    const send = async (name: string, isWrite: boolean) => {
      await gitlab.enter(signal, { isWrite });
      order.push(name);
    };
    await Promise.all([
      ...['read 1', 'read 2', 'read 3'].map((name) => send(name, false)),
      ...['write 1', 'write 2', 'write 3'].map((name) => send(name, true)),
    ]);
    expect(order).toEqual(['read 1', 'write 1', 'write 2', 'write 3', 'read 2', 'read 3']);
  });
});

describe('an exhausted call budget', () => {
  test('causes one log line with the time of the next call, which is sent then', async () => {
    const clock = createVirtualClock();
    const lines: string[] = [];
    const notice = createSlowResponseNotice({ clock, report: (line) => lines.push(line) });
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perMinute(1)]);
    const { fetch, requests } = createFakeServer(ok);
    const { transport } = createTestTransport(fetch, { budget, clock, slowNotice: notice });
    await transport(read);
    await transport(read);
    await transport(read);
    expect([requests.length, clock.elapsed()]).toEqual([3, 120_000]);
    expect(lines).toEqual([
      `! gitlab.calls_per_minute (1) is used up, so calls to GitLab wait; the next one is sent in 50s.\n`,
    ]);
  });

  test('ends in exit code 75 if the next call is further away than a call may wait', async () => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    budget.restrict(host, [perHour(1)]);
    const { fetch, requests } = createFakeServer(ok);
    const { transport } = createTestTransport(fetch, { budget, clock });
    await transport(read);
    const error = await failureOf(transport(write));
    expect(error).toMatchObject({ kind: 'throttled', effect: 'none' });
    expect(error.detail).toBe(
      'the budget gitlab.calls_per_hour (1) accepts the next call in 1h; the call was not sent',
    );
    expect(fromPortFailure(error, 'hosted-runner shutdown').exitCode).toBe(75);
    expect([requests.length, clock.elapsed()]).toEqual([1, 0]);
  });
});

test('a call that waited too long in the queue of a budget is never sent', async () => {
  const clock = createVirtualClock();
  const budget = createCallBudget({ clock });
  budget.restrict(host, [perMinute(1)]);
  const gitlab = budget.of(host);
  const waits = Array.from({ length: 8 }, async () => {
    await gitlab.enter(signal, { mostMs: 180_000 });
    return clock.elapsed();
  });
  const ends = await Promise.allSettled(waits);
  expect(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))).toEqual([
    0, 60_000, 120_000, 180_000,
  ]);
  expect(clock.elapsed()).toBe(180_000);
});

describe('a GitLab that accepts 15,000 calls an hour', () => {
  const crowd = { stacks: 100, hours: 1.2 };

  test.each([
    ['reports the remaining calls', { reports: true }, []],
    ['reports nothing, with the key set', { reports: false }, [perHour(15_000)]],
    ['reports the remaining calls, with a smaller key', { reports: true }, [perHour(9000)]],
  ])(
    'never refuses a hundred stacks that call without a pause, if it %s',
    async (_, kind, keys) => {
      const clock = createVirtualClock();
      const gitlab = createLimitedGitLab({ clock, calls: 15_000, periodMs: anHour, ...kind });
      const budget = createCallBudget({ clock });
      budget.restrict(host, keys);
      const own = budget.of(host, 'GitLab');
      await keepCalling({ clock, ...crowd }, async (call) => {
        await own.enter(signal, { isWrite: call % 50 === 0 });
        own.note(await gitlab.answer());
      });
      expect(gitlab.refused()).toBe(0);
      expect(budget.usage()[0]?.throttled).toBe(0);
      const calls = keys[0]?.calls ?? 15_000;
      expect(gitlab.accepted()).toBeGreaterThan(0.9 * calls * crowd.hours);
    },
  );

  test('never refuses another user of the token who makes a tenth of its calls', async () => {
    const clock = createVirtualClock();
    const gitlab = createLimitedGitLab({ clock, calls: 15_000, periodMs: anHour, reports: true });
    const own = createCallBudget({ clock }).of(host);
    const other = { stacks: 1, hours: crowd.hours, pauseMs: anHour / 1500 - 80 };
    let others = 0;
    await Promise.all([
      keepCalling({ clock, ...crowd }, async () => {
        await own.enter(signal);
        own.note(await gitlab.answer());
      }),
      keepCalling({ clock, ...other }, async () => {
        others += (await gitlab.answer()).status === 200 ? 1 : 0;
      }),
    ]);
    expect([gitlab.refused(), others]).toEqual([0, 1500 * crowd.hours]);
  });
});

test.each([
  [2000, 1800],
  [600, 540],
])(
  'the limit per minute in responses, less a tenth for other users, replaces the default: %i',
  async (limit, calls) => {
    const clock = createVirtualClock();
    const budget = createCallBudget({ clock });
    const server = createLimitedGitLab({ clock, calls: limit, periodMs: 60_000, reports: true });
    const own = budget.of(host, 'GitLab');
    await own.enter(signal);
    own.note(await server.answer());
    expect(budget.usage()[0]?.limits).toEqual([
      { source: 'response_header', calls, per: 'minute' },
    ]);
    await keepCalling({ clock, stacks: 50, hours: 0.2 }, async () => {
      await own.enter(signal);
      own.note(await server.answer());
    });
    expect(server.refused()).toBe(0);
  },
);
