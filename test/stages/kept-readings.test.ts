import { expect, test } from '@jest/globals';
import { type BakeCheck, judgeBake } from '../../src/domain/bake/judge-bake.ts';
import type { BakeSettings } from '../../src/domain/settings.ts';
import { checksToKeep } from '../../src/stages/steps/bake/bake-judge.ts';
import { jobsAlone, usualBake } from '../fakes/bake-settings.ts';

const heldMs = 3_300_000;
const query = {
  query: 'up',
  url: 'http://localhost',
  above: 1,
  forMs: heldMs,
  use: 'required',
} as const;
const settings: BakeSettings = {
  ...usualBake,
  forMs: 1_800_000,
  pollMs: 1000,
  signals: { ...jobsAlone, prometheus: [query] },
};

test('the bake keeps as many checks as a query with a long `for` needs, however short the interval', () => {
  const checks = Array.from({ length: 7200 }, (_, index): BakeCheck => {
    const reading = { signal: 'prometheus[0]', requirement: 'required', value: 'bad' } as const;
    return {
      at: index * settings.pollMs,
      finished: 0,
      faults: { kind: 'usual', reason: 'no job' },
      signals: [{ ...reading, detail: '2 is above 1', heldMs }],
    };
  });
  const kept = checks.slice(-checksToKeep(settings));
  const facts = { sincePromotedMs: 7_200_000, checksPastEnd: 0, settings };
  expect(judgeBake({ ...facts, checks: kept }).kind).toBe('unhealthy');
});
