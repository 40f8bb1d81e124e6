import { describe, expect, test } from '@jest/globals';
import { createSlowResponseNotice } from '../../src/adapters/transport/slow-response-notice.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

function listening(clock: VirtualClock, signal?: AbortSignal) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  return {
    lines,
    slowNotice: createSlowResponseNotice({ clock, report: print, ...(signal ? { signal } : {}) }),
  };
}

const mostMs = 180_000;

describe('a rate-limited call that waits for its turn', () => {
  const line = (left: string) =>
    `! GitLab limits the rate of calls; the next call is sent in ${left}.\n`;

  /** Makes calls one after another. Returns how long each waits. */
  async function waitInARow(
    {
      clock,
      slowNotice: notice,
    }: { clock: VirtualClock; slowNotice: ReturnType<typeof createSlowResponseNotice> },
    waits: readonly number[],
    betweenMs = 200,
  ) {
    for (const ms of waits) {
      const endsAt = clock.elapsed() + ms;
      await notice.turn('GitLab', clock.sleep(ms), {
        delay: () => ({ ms: endsAt - clock.elapsed() }),
        mostMs,
      });
      await clock.sleep(betweenMs);
    }
  }

  test('causes one notice after ten seconds, with the wait, for all waiting calls', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await notice.turn('GitLab', clock.sleep(9000), { delay: () => ({ ms: 0 }), mostMs });
    expect(lines).toEqual([]);
    await Promise.all([
      notice.turn('GitLab', clock.sleep(60_000), { delay: () => ({ ms: 90_000 }), mostMs }),
      notice.turn('GitLab', clock.sleep(60_000), { delay: () => ({ ms: 90_000 }), mostMs }),
    ]);
    expect(lines).toEqual([line('1m 30s')]);
  });

  test.each([
    ['is sent at once', 400],
    ['stays unsent because its turn is too far away', mostMs + 1],
  ])('causes no notice if it %s', async (_, left) => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await notice.turn('GitLab', clock.sleep(20_000), { delay: () => ({ ms: left }), mostMs });
    expect(lines).toEqual([]);
  });

  test('causes a notice if several short waits follow each other', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await waitInARow({ clock, slowNotice: notice }, [4000, 4000, 4000]);
    expect(lines).toEqual([line('2s')]);
  });

  test('causes a second notice only after a minute', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await waitInARow({ clock, slowNotice: notice }, Array(7).fill(9800));
    expect(lines).toHaveLength(1);
    await waitInARow({ clock, slowNotice: notice }, [9800]);
    expect(lines).toHaveLength(2);
  });

  test('causes a second notice a minute later if the second wait is long', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await waitInARow({ clock, slowNotice: notice }, [12_000, 170_000]);
    expect(lines).toEqual([line('2s'), line('1m 52s')]);
  });

  test('causes no notice if the waits are far apart, or as short as the usual pace', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await waitInARow({ clock, slowNotice: notice }, Array(5).fill(9000), 10_001);
    await waitInARow({ clock, slowNotice: notice }, Array(400).fill(40));
    expect(lines).toEqual([]);
  });

  test('causes one notice if its queue stops only later', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    await notice.turn('GitLab', clock.sleep(100_000), {
      delay: () => ({ ms: clock.elapsed() < 50 ? 40 : 90_000 }),
      mostMs,
    });
    expect(lines).toEqual([line('1m 30s')]);
  });

  test('causes a notice for each service, and none after a cancellation', async () => {
    const clock = createVirtualClock();
    const cancel = new AbortController();
    const { lines, slowNotice: notice } = listening(clock, cancel.signal);
    const wait = () => clock.sleep(20_000);
    await Promise.all([
      notice.turn('GitLab', wait(), { delay: () => ({ ms: 10_000 }), mostMs }),
      notice.turn('GitHub', wait(), { delay: () => ({ ms: 10_000 }), mostMs }),
    ]);
    expect(lines.map((text) => text.split(' ')[1])).toEqual(['GitLab', 'GitHub']);
    const waiting = notice.turn('AWS', wait(), { delay: () => ({ ms: 10_000 }), mostMs });
    cancel.abort();
    await waiting;
    expect(lines).toHaveLength(2);
  });

  test('fails with the reason of a cancellation', async () => {
    const clock = createVirtualClock();
    const { lines, slowNotice: notice } = listening(clock);
    const reason = new Error('received SIGTERM');
    await expect(
      notice.turn('GitLab', Promise.reject(reason), { delay: () => ({ ms: 5000 }), mostMs }),
    ).rejects.toBe(reason);
    await clock.sleep(60_000);
    expect(lines).toEqual([]);
  });
});
