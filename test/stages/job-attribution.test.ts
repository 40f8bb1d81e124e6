import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import type { ProcessReading } from '../../src/domain/health/service-observation.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { Registration, RunnerRegistry } from '../../src/ports/registry.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { attributeToManagers } from '../../src/stages/observe/shard/job-attribution.ts';

const now = Date.parse('2026-11-02T12:00:00Z');
const job = { kind: 'job', what: 'job 812 "build" started', ageMs: 60_000 } as const;
const canary = { kind: 'canary', what: 'canary job 7 ran on purple', ageMs: 1000 } as const;
const begun = { id: '812', name: 'build', startedAt: '2026-11-02T11:59:00Z' };
const refused = new PortFailure({
  kind: 'denied',
  effect: 'none',
  source: 'GitLab GET /runners/48214/jobs',
  detail: '403 Forbidden - No access granted',
});

/** Returns the queries for two listed managers, the second with a running host. */
function attribute(
  signs: Parameters<typeof attributeToManagers>[1],
  listBegunJobs: RunnerRegistry['listBegunJobs'],
  {
    systemId = 's_two',
    state = 'runs',
    proofAge,
  }: { systemId?: string; state?: ProcessReading['state']; proofAge?: number } = {},
) {
  const ports = {
    registry: { listBegunJobs, traits: { words: gitlabTerms } },
    clock: { now: () => now },
  };
  const report = { process: 'running', ...(systemId === '' ? {} : { systemId }) };
  return attributeToManagers({ ports } as unknown as StageContext, signs, {
    registration: { id: '48214' } as Registration,
    managers: {
      workers: new Map([
        ['s_one', 91],
        ['s_two', 92],
      ]),
    },
    hosts: {
      kind: 'seen',
      processes: [
        { host: 'i-0abc', state, detail: state, refused: false },
        {
          host: 'i-0lost',
          state: 'silent',
          detail: 'the SSM agent does not respond',
          refused: false,
        },
      ],
    },
    reports: [{ host: 'i-0abc', report: report as never, requestedAt: 0 }],
    proofAge: () => proofAge,
  });
}

const none = async () => ({ kind: 'found', value: [] }) as const;

test('a job that began on the running manager counts for that manager', async () => {
  const signs = await attribute([job], async (_, systemId) => ({
    kind: 'found',
    value: systemId === 's_two' ? [begun] : [],
  }));
  expect(signs).toEqual([job]);
});

test('a job that the manager itself has failed does not count for that manager', async () => {
  const failed = { ...begun, id: '813', failureReason: 'runner_system_failure' };
  const script = { ...begun, id: '814', failureReason: 'script_failure' };
  const signs = await attribute([job], async () => ({
    kind: 'found',
    value: [begun, failed, script],
  }));
  expect(signs).toEqual([job, { ...job, what: 'job 814 "build" started' }]);
});

test('a job that began on none of the running managers counts for another one', async () => {
  expect(await attribute([job], none)).toEqual([
    { ...job, what: 'job 812 "build" started, on no running manager,', elsewhere: 'unseen' },
  ]);
});

test.each([
  ['if the jobs of a manager cannot be listed', () => Promise.reject(refused), 's_two'],
  ['if the host does not report its system id', none, ''],
  ['if the host is not in the list of managers', none, 's_three'],
] as const)('a job counts for any manager %s', async (_, listed, systemId) => {
  expect(await attribute([job], listed, { systemId })).toEqual([job]);
});

test('a job that is older than the existing proof needs no list of the jobs of its manager', async () => {
  const proof = { ...canary, workers: [92] };
  const unasked = () => Promise.reject(new Error('the jobs of a manager were listed'));
  expect(await attribute([proof, job], unasked, { proofAge: 1000 })).toEqual([proof]);
  const later = { ...job, ageMs: 500 };
  await expect(attribute([proof, later], unasked, { proofAge: 1000 })).rejects.toThrow(
    'were listed',
  );
});

test.each([
  ['the manager that runs', [91, 92], false],
  ['a manager that does not run', [91], true],
  ['an unnamed manager', [], false],
])('a canary counts for its own manager alone: %s', async (_, workers, isElsewhere) => {
  const [sign] = await attribute([{ ...canary, workers }], () => Promise.reject(refused));
  expect(sign?.elsewhere !== undefined).toBe(isElsewhere);
});

describe.each(['ended', 'unready'] as const)('a second manager in the state %s', (state) => {
  const what = 'on a manager that accepts none,';

  test.each([
    ['one that began on it', [begun], 'ended'],
    ['one that did not begin on it', [], undefined],
  ] as const)('gets a job attributed to it alone: %s', async (_, its, elsewhere) => {
    const listed = async (__: unknown, systemId?: string) => ({
      kind: 'found' as const,
      value: systemId === 's_two' ? its : [],
    });
    const [sign] = await attribute([job], listed, { state });
    expect(sign?.elsewhere).toBe(elsewhere);
    expect(sign?.what.endsWith(what)).toBe(elsewhere !== undefined);
  });

  test.each([
    ['it alone', [92], 'ended'],
    ['it and another', [91, 92], undefined],
    ['another', [91], undefined],
    ['no named manager', [], undefined],
  ] as const)('gets a canary attributed to it alone: %s', async (_, workers, elsewhere) => {
    const [sign] = await attribute([{ ...canary, workers }], none, { state });
    expect(sign?.elsewhere).toBe(elsewhere);
  });
});
