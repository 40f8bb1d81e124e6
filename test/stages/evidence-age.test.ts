import { expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { isFresh } from '../../src/stages/steps/candidate/healthcheck.ts';
import { purple, recordAt } from '../domain/samples.ts';

const now = Date.parse('2026-11-02T10:00:00.000Z');

function contextWith(at: string): StageContext {
  const evidence = { at, workers: [1], canary: undefined };
  const entry = { registration: '48214' as RegistrationId, evidence };
  return {
    ports: {
      clock: { now: () => now },
      registry: { listWorkers: async () => ({ kind: 'found', value: [{ id: 1 }] }) },
    },
    settings: { healthcheck: { evidenceMaxAgeMs: 900_000 } },
    journal: { current: () => recordAt({ phase: 'healthy' }, { purple: entry as never }) },
  } as unknown as StageContext;
}

test.each([
  ['of this moment', '2026-11-02T10:00:00.000Z', true],
  ['at its maximum age', '2026-11-02T09:45:00.000Z', true],
  ['older', '2026-11-02T09:44:59.999Z', false],
  ['from the future, after the clock was set back', '2026-11-02T10:00:00.001Z', false],
  ['from the next year', '2027-11-02T10:00:00.000Z', false],
  ['without a time', 'lately', false],
])('evidence %s is trusted: %s ▶ %s', async (_, at, isTrusted) => {
  expect(await isFresh(contextWith(at), purple)).toBe(isTrusted);
});
