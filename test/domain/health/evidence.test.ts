import { describe, expect, test } from '@jest/globals';
import { type Evidence, evidenceKinds, judgeHealth } from '../../../src/domain/health/evidence.ts';
import type { Requirement } from '../../../src/domain/settings.ts';

type States = Partial<Record<(typeof evidenceKinds)[number], Evidence['state']>>;

const allRequired = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'required'])) as Record<
  (typeof evidenceKinds)[number],
  Requirement
>;
const good: States = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'good']));

function verdictOf(states: States, final = true, requirements: Partial<typeof allRequired> = {}) {
  const evidence = Object.entries(states).map(([kind, state]) => ({
    kind,
    state,
    detail: `${kind} is ${state}`,
    source: 'GitLab',
    at: '2026-11-02T08:00:00.000Z',
  })) as Evidence[];
  return judgeHealth({ evidence, requirements: { ...allRequired, ...requirements }, final });
}

describe('the verdict on a shard', () => {
  test.each<[string, States, object]>([
    [
      'healthy when all required evidence was seen',
      good,
      { kind: 'healthy', reasons: evidenceKinds.map((kind) => `${kind} is good`) },
    ],
    [
      'unhealthy when required evidence is missing until the end',
      { ...good, canary: 'missing' },
      { kind: 'unhealthy', reasons: ['canary is missing'] },
    ],
    [
      'inconclusive when evidence could not be queried',
      { ...good, canary: 'unknown' },
      { kind: 'inconclusive', reasons: ['canary is unknown'] },
    ],
    [
      'inconclusive when missing evidence comes after evidence that could not be queried',
      { ...good, manager: 'unknown', canary: 'missing' },
      { kind: 'inconclusive', reasons: ['manager is unknown'] },
    ],
    [
      'unhealthy when missing evidence comes before evidence that could not be queried',
      { instance: 'missing' },
      { kind: 'unhealthy', reasons: ['instance is missing'] },
    ],
    [
      'inconclusive when nothing was checked',
      {},
      { kind: 'inconclusive', reasons: evidenceKinds.map((kind) => `${kind}: not checked`) },
    ],
  ])('counts a shard as %s', (_, states, verdict) => {
    expect(verdictOf(states)).toEqual(verdict);
  });

  test('waits while there is time and names the first missing evidence', () => {
    expect(verdictOf({ ...good, manager: 'missing', canary: 'unknown' }, false)).toEqual({
      kind: 'waiting',
      reasons: ['manager is missing'],
    });
  });

  test('counts a shard as unhealthy at once if a wait cannot fix the finding', () => {
    expect(verdictOf({ ...good, canary: 'bad' }, false)).toEqual({
      kind: 'unhealthy',
      reasons: ['canary is bad'],
    });
  });

  test.each(['optional', 'off'] as const)('ignores evidence that is %s', (requirement) => {
    const states: States = { ...good, workload: 'bad' };
    expect(verdictOf(states, true, { workload: requirement }).kind).toBe('healthy');
  });

  test('never counts a shard as healthy if nothing is required', () => {
    const nothing = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'optional']));
    expect(verdictOf(good, true, nothing)).toEqual({
      kind: 'inconclusive',
      reasons: ['no evidence is required, so nothing can prove health'],
    });
  });
});

describe('the time limit of one kind of evidence', () => {
  const expired = new Set(['manager'] as const);
  const evidence = [
    ['instance', 'good'],
    ['manager', 'missing'],
  ].map(([kind, state]) => ({
    kind,
    state,
    detail: `${kind} is ${state}`,
    source: 'GitLab',
    at: '2026-11-02T08:00:00.000Z',
  })) as Evidence[];
  const requirements = allRequired;

  test('ends the check before the deadline of all kinds', () => {
    expect(judgeHealth({ evidence, requirements, final: false, expired })).toEqual({
      kind: 'unhealthy',
      reasons: ['manager is missing'],
    });
  });

  test('ends nothing if earlier evidence could not be queried', () => {
    const hidden = evidence.map((one) =>
      one.kind === 'instance' ? { ...one, state: 'unknown' as const } : one,
    );
    expect(judgeHealth({ evidence: hidden, requirements, final: false, expired }).kind).toBe(
      'waiting',
    );
  });
});
