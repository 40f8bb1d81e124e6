import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import type { ProcessReading } from '../../src/domain/health/service-observation.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { Registration, RunnerRegistry } from '../../src/ports/registry.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { attributeToManagers } from '../../src/stages/observe/shard/job-attribution.ts';

const now = Date.parse('2026-11-02T12:00:00Z');
const job = { kind: 'job', what: 'job 812 "build" began', ageMs: 60_000 } as const;
const canary = { kind: 'canary', what: 'canary job 7 ran there', ageMs: 1000 } as const;
const begun = { id: '812', name: 'build', startedAt: '2026-11-02T11:59:00Z' };
const refused = new PortFailure({
  kind: 'denied',
  effect: 'none',
  source: 'GitLab GET /runners/48214/jobs',
  detail: '403 Forbidden - No access granted',
});

/** Two managers are listed, and the host of the second one runs. */
function asked(
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
        { host: 'i-0lost', state: 'silent', detail: 'its agent is lost', refused: false },
      ],
    },
    reports: [{ host: 'i-0abc', report: report as never, askedAt: 0 }],
    proofAge: () => proofAge,
  });
}

const none = async () => ({ kind: 'found', value: [] }) as const;

test('a job that began on the manager that runs is its own', async () => {
  const signs = await asked([job], async (_, systemId) => ({
    kind: 'found',
    value: systemId === 's_two' ? [begun] : [],
  }));
  expect(signs).toEqual([job]);
});

test('a job that the manager itself has failed is no sign of it', async () => {
  const failed = { ...begun, id: '813', failureReason: 'runner_system_failure' };
  const script = { ...begun, id: '814', failureReason: 'script_failure' };
  const signs = await asked([job], async () => ({
    kind: 'found',
    value: [begun, failed, script],
  }));
  expect(signs).toEqual([job, { ...job, what: 'job 814 "build" began' }]);
});

test('a job that began on none of those that run is told to be of another', async () => {
  expect(await asked([job], none)).toEqual([
    { ...job, what: 'job 812 "build" began, on no manager that runs,', elsewhere: 'unseen' },
  ]);
});

test.each([
  ['where the jobs of a manager cannot be listed', () => Promise.reject(refused), 's_two'],
  ['where the host does not say who it is', none, ''],
  ['where the host is not on the list of managers', none, 's_three'],
] as const)('a job stands for any manager %s', async (_, listed, systemId) => {
  expect(await asked([job], listed, { systemId })).toEqual([job]);
});

test('a job that began before what proves it already is not looked for on its manager', async () => {
  const proof = { ...canary, workers: [92] };
  const unasked = () => Promise.reject(new Error('the jobs of a manager were listed'));
  expect(await asked([proof, job], unasked, { proofAge: 1000 })).toEqual([proof]);
  const later = { ...job, ageMs: 500 };
  await expect(asked([proof, later], unasked, { proofAge: 1000 })).rejects.toThrow('were listed');
});

test.each([
  ['the manager that runs', [91, 92], false],
  ['a manager that does not run', [91], true],
  ['a manager that nobody named', [], false],
])('a canary of %s', async (_, workers, isElsewhere) => {
  const [sign] = await asked([{ ...canary, workers }], () => Promise.reject(refused));
  expect(sign?.elsewhere !== undefined).toBe(isElsewhere);
});

describe.each(['ended', 'unready'] as const)('while the second one says that it %s', (state) => {
  const what = 'on a manager that takes none,';

  test.each([
    ['one that it began itself', [begun], 'ended'],
    ['one that it did not begin', [], undefined],
  ] as const)('a job is of it alone: %s', async (_, its, elsewhere) => {
    const listed = async (__: unknown, systemId?: string) => ({
      kind: 'found' as const,
      value: systemId === 's_two' ? its : [],
    });
    const [sign] = await asked([job], listed, { state });
    expect(sign?.elsewhere).toBe(elsewhere);
    expect(sign?.what.endsWith(what)).toBe(elsewhere !== undefined);
  });

  test.each([
    ['it alone', [92], 'ended'],
    ['it and another', [91, 92], undefined],
    ['another', [91], undefined],
    ['nobody named', [], undefined],
  ] as const)('a canary of %s', async (_, workers, elsewhere) => {
    const [sign] = await asked([{ ...canary, workers }], none, { state });
    expect(sign?.elsewhere).toBe(elsewhere);
  });
});
