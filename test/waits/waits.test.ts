import { describe, expect, test } from '@jest/globals';
import { type PollHint, pauseBefore } from '../../src/domain/deployment/pace.ts';

describe('pauseBefore', () => {
  const cadence = { pollMs: 5000, fineMs: 800 };

  test.each<[string, PollHint, number]>([
    ['nothing moves', { kind: 'booting' }, 15_000],
    ['the first sign is there', { kind: 'progressing' }, 5000],
    [
      'the rest has been on its way for half a minute',
      { kind: 'progressing', forMs: 30_000 },
      6000,
    ],
    ['the rest has been on its way for an hour', { kind: 'progressing', forMs: 3_600_000 }, 10_000],
    ['any response may be the last one', { kind: 'imminent', forMs: 0 }, 800],
    ['it may have been for two minutes', { kind: 'imminent', forMs: 120_000 }, 800],
    ['it may have been for three', { kind: 'imminent', forMs: 180_000 }, 3000],
    ['it may have been for an hour', { kind: 'imminent', forMs: 3_600_000 }, 5000],
    ['it may be so for longer', { kind: 'imminent', forMs: 3_600_000, slowestMs: 15_000 }, 15_000],
    ['it is usually there at once', { kind: 'fresh', polls: 0 }, 800],
    ['it was not there once', { kind: 'fresh', polls: 1 }, 1280],
    ['it was not there for long', { kind: 'fresh', polls: 30 }, 5000],
    ['a moment is known', { kind: 'at', inMs: 12_345.6 }, 12_347],
    ['a moment is known that is far away', { kind: 'at', inMs: 55_000 }, 10_001],
    ['no event can come before it', { kind: 'at', inMs: 55_000, mostMs: 60_000 }, 55_001],
    ['half an hour is left', { kind: 'at', inMs: 1_800_000, mostMs: 60_000 }, 30_001],
    ['each check is a request that counts', { kind: 'after', againInMs: 60_000 }, 60_001],
    ['one request had no response', { kind: 'failing', times: 1, fraction: 0 }, 2500],
    ['four requests had no response', { kind: 'failing', times: 4, fraction: 0.5 }, 30_000],
    [
      'no request had a response for an hour',
      { kind: 'failing', times: 99, fraction: 0.999 },
      59_970,
    ],
  ])('pauses for the expected time while %s', (_, hint, expected) => {
    expect(pauseBefore(hint, cadence)).toBe(expected);
  });

  test('uses the configured interval if it is shorter than the fine one', () => {
    expect(pauseBefore({ kind: 'imminent', forMs: 0 }, { pollMs: 200, fineMs: 800 })).toBe(200);
  });
});
