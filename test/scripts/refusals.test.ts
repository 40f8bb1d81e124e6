import { describe, expect, test } from '@jest/globals';
import { isRefusal, tellLongest } from '../e2e/by-hand/world/refusals.ts';

const said = (...lines: string[]) => lines.join('\n');
const refused = said('✖ rollback: GitLab does not accept the credentials.', '  why  401');

describe('a refusal', () => {
  test.each([
    ['of a token', 1, 'CredentialsRefused', refused],
    ['of a permission', 1, 'PermissionMissing', refused],
    ['of a way of recovery', 1, 'CannotRecover', refused],
    ['of what was typed', 2, 'BadUsage', refused],
    ['of a contradiction', 3, 'FactsContradict', refused],
    ['because somebody is at work', 75, 'LockHeld', refused],
    ['after a look', 1, 'ServiceUnproven', said('  Waiting: for a look', refused)],
  ])('%s', (_, exitCode, code, text) => {
    expect(isRefusal({ exitCode, code, text })).toBe(true);
  });

  test.each([
    ['what was done', 0, undefined, 'done'],
    ['a kill', null, undefined, ''],
    ['a cancel', 130, 'Cancelled', refused],
    ['what ended after an act', 1, 'DrainTimedOut', said('  Closed runner 48001.', refused)],
    ['what ended after a warning', 3, 'DrainBlind', said('! Took the lock over.', refused)],
    ['the end of a healthcheck', 1, 'HealthcheckTimedOut', said('  Waiting: a look', refused)],
    ['what was asked again and again', 1, 'Unavailable', refused],
    ['a findings report without an error', 1, undefined, 'linux: candidate_sick'],
  ])('is not %s', (_, exitCode, code, text) => {
    expect(isRefusal({ exitCode, code, text })).toBe(false);
  });
});

describe('the longest is told', () => {
  const longest = { args: ['rollback'], code: 'NothingToRollBack', bareStartMs: 100 };

  test('as it is', () => {
    const { args, code, bareStartMs } = longest;
    const one = { args, code, bareStartMs, ms: 700, refusedAfterMs: 650 };
    expect(tellLongest(one, { all: 3, late: 0 })).toBe(
      '0.65s, NothingToRollBack of "rollback", which took 0.70s; right after it a bare node started in 0.10s, so that this is 6.5 starts',
    );
  });

  test('with a mark, where somebody who has typed waits', () => {
    expect(
      tellLongest({ ...longest, ms: 2400, refusedAfterMs: 2300 }, { all: 9, late: 2 }),
    ).toMatch(/^ABOVE 2\.00s \(2 of 9\): 2\.30s, /);
  });
});
