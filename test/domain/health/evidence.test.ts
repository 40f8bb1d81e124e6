import { describe, expect, test } from '@jest/globals';
import { type Evidence, evidenceKinds, judgeHealth } from '../../../src/domain/health/evidence.ts';
import type { Requirement } from '../../../src/domain/settings.ts';

type States = Partial<Record<(typeof evidenceKinds)[number], Evidence['state']>>;

const allRequired = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'required'])) as Record<
  (typeof evidenceKinds)[number],
  Requirement
>;
const good: States = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'good']));

function judged(states: States, final = true, requirements: Partial<typeof allRequired> = {}) {
  const evidence = Object.entries(states).map(([kind, state]) => ({
    kind,
    state,
    detail: `${kind} is ${state}`,
    source: 'GitLab',
    at: '2026-11-02T08:00:00.000Z',
  })) as Evidence[];
  return judgeHealth({ evidence, requirements: { ...allRequired, ...requirements }, final });
}

describe('a shard is', () => {
  test.each<[string, States, object]>([
    [
      'healthy when everything required was seen',
      good,
      { kind: 'healthy', reasons: evidenceKinds.map((kind) => `${kind} is good`) },
    ],
    [
      'unhealthy when something was asked for and is missing to the end',
      { ...good, canary: 'missing' },
      { kind: 'unhealthy', reasons: ['canary is missing'] },
    ],
    [
      'inconclusive when something could not be asked',
      { ...good, canary: 'unknown' },
      { kind: 'inconclusive', reasons: ['canary is unknown'] },
    ],
    [
      'inconclusive when what is missing comes after what could not be asked',
      { ...good, manager: 'unknown', canary: 'missing' },
      { kind: 'inconclusive', reasons: ['manager is unknown'] },
    ],
    [
      'unhealthy when what is missing comes before what could not be asked',
      { instance: 'missing' },
      { kind: 'unhealthy', reasons: ['instance is missing'] },
    ],
    [
      'inconclusive when nothing was looked at',
      {},
      { kind: 'inconclusive', reasons: evidenceKinds.map((kind) => `${kind}: not looked at`) },
    ],
  ])('%s', (_, states, verdict) => {
    expect(judged(states)).toEqual(verdict);
  });

  test('waited for while there is time, with the first thing that is missing', () => {
    expect(judged({ ...good, manager: 'missing', canary: 'unknown' }, false)).toEqual({
      kind: 'waiting',
      reasons: ['manager is missing'],
    });
  });

  test('unhealthy at once when waiting cannot mend what was seen', () => {
    expect(judged({ ...good, canary: 'bad' }, false)).toEqual({
      kind: 'unhealthy',
      reasons: ['canary is bad'],
    });
  });

  test.each(['optional', 'off'] as const)('judged without what is %s', (requirement) => {
    const states: States = { ...good, workload: 'bad' };
    expect(judged(states, true, { workload: requirement }).kind).toBe('healthy');
  });

  test('never healthy where nothing is required', () => {
    const nothing = Object.fromEntries(evidenceKinds.map((kind) => [kind, 'optional']));
    expect(judged(good, true, nothing)).toEqual({
      kind: 'inconclusive',
      reasons: ['no evidence is required, so nothing can prove health'],
    });
  });
});

describe('the time of one kind', () => {
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

  test('being over is a verdict before the deadline of all', () => {
    expect(judgeHealth({ evidence, requirements, final: false, expired })).toEqual({
      kind: 'unhealthy',
      reasons: ['manager is missing'],
    });
  });

  test('being over says nothing where something before it was hidden', () => {
    const hidden = evidence.map((one) =>
      one.kind === 'instance' ? { ...one, state: 'unknown' as const } : one,
    );
    expect(judgeHealth({ evidence: hidden, requirements, final: false, expired }).kind).toBe(
      'waiting',
    );
  });
});
