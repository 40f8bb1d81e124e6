import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../src/domain/error-codes.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { addNowLine, addUnreadRetirement } from '../../src/stages/run/now-line.ts';

/** Returns the `now` line and its waits, if no source responds and each wait ends at once. */
async function waitedFor(code: ErrorCode, how: { exitCode?: 1 | 130; atOnce?: boolean } = {}) {
  const { exitCode = 1, atOnce } = how;
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    sleep: async (ms: number) => void waits.push(ms),
  };
  const hangs = { version: () => 0, read: () => new Promise(() => {}) };
  const context = { ports: { clock }, journal: hangs } as unknown as StageContext;
  const error = new DeployError({ code, exitCode, what: 'It failed.', fix: [] });
  const reported = await addNowLine(context, error, atOnce === undefined ? undefined : { atOnce });
  return { now: reported.fields.now, seconds: waits.map((ms) => ms / 1000) };
}

const now = 'hosted-runner could not check in time which shard accepts jobs.';

test.each([
  ['a failure', 30, 'HealthcheckTimedOut', {}],
  ['half a minute without a response', 15, 'Unreachable', {}],
  ['a refusal before any action', 15, 'NotConfirmed', { atOnce: true }],
  ['a cancellation', 2, 'Cancelled', { exitCode: 130 }],
  ['a cancellation without a response', 2, 'Unreachable', { exitCode: 130 }],
] as const)('after %s the error summary waits for %d s at most', async (_, seconds, code, how) => {
  expect(await waitedFor(code, how)).toEqual({ now, seconds: [seconds] });
});

test('an error that names the shard that accepts jobs causes no query', async () => {
  const error = new DeployError({
    code: 'Unreachable',
    exitCode: 1,
    what: 'It failed.',
    now: 'pink accepts jobs.',
    fix: [],
  });
  expect(await addNowLine({} as StageContext, error)).toBe(error);
});

describe('a run that ended before its first request', () => {
  const shards = ['pink', 'purple'];
  const settings = { shards, runnerName: 'linux' } as unknown as StackSettings;
  const typed = { command: '', again: () => '' };
  const ended = (exitCode: 1 | 75, stage: 'finalize' | 'provision', now?: string) =>
    addUnreadRetirement(
      new DeployError({
        code: 'Throttled',
        exitCode,
        what: 'AWS throttles.',
        fix: [],
        ...(now === undefined ? {} : { now }),
      }),
      { stage, settings, typed },
    ).fields.now;
  const unread =
    'The deployment record of linux was not read, so pink or purple may still exist as the old shard. The scheduled finalize removes it; without a schedule, run hosted-runner finalize --runner linux.';

  test.each([
    [75, 'finalize', undefined, unread],
    [75, 'finalize', 'Nothing was touched.', `Nothing was touched. ${unread}`],
    [1, 'finalize', undefined, undefined],
    [75, 'provision', undefined, undefined],
  ] as const)('ends with exit code %d of %s and now %s: %s', (exitCode, stage, now, expected) => {
    expect(ended(exitCode, stage, now)).toBe(expected);
  });
});
