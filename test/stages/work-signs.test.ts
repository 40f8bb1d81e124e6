import { describe, expect, test } from '@jest/globals';
import { PortFailure } from '../../src/ports/failure.ts';
import type { FinishedJob, Found, Registration } from '../../src/ports/registry.ts';
import type { HostReport, JobRequests } from '../../src/ports/runner-host.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import {
  type Counted,
  requestSigns,
  type TakenCanary,
  workSigns,
} from '../../src/stages/observe/shard/work-signs.ts';
import { openShardSources } from '../../src/stages/observe/shard-sources.ts';
import { purple, recordAt } from '../domain/samples.ts';

const host = 'i-0abc';
const settings = { healthcheck: { evidenceMaxAgeMs: 900_000 } };

/** Each host was asked at a moment of its own, and all are judged once the slowest has answered. */
function counting() {
  const counts = new Map<string, Counted>();
  return ({
    askedAt,
    now,
    jobs = 0,
    ...requests
  }: Partial<JobRequests> & { askedAt: number; now: number; jobs?: number }) => {
    const context = { ports: { clock: { elapsed: () => now } } } as unknown as StageContext;
    const report = {
      process: 'running',
      jobs: Array.from(
        { length: jobs },
        (_, one) => `url=https://gitlab.example.com/-/jobs/${one}`,
      ),
      requests: { answered: 0, refused: 0, slots: 2, ...requests },
    } as unknown as HostReport;
    return requestSigns(context, [{ host, report, askedAt }], counts);
  };
}

test('slots that are all taken are as old as the question to the host that says so', () => {
  const look = counting();
  expect(look({ askedAt: 1000, now: 91_000, jobs: 2 })).toEqual([
    { kind: 'job', what: `all 2 slots of ${host} were taken by jobs`, ageMs: 90_000 },
  ]);
  expect(look({ askedAt: 95_000, now: 95_400, jobs: 1 })).toEqual([]);
});

test('a request was answered after the question of the look before, and not after that look’s end', () => {
  const look = counting();
  expect(look({ askedAt: 1000, now: 91_000, answered: 7 })).toEqual([]);
  expect(look({ askedAt: 95_000, now: 96_000, answered: 8 })).toEqual([
    { kind: 'request', what: `a request of ${host} for a job was answered`, ageMs: 95_000 },
  ]);
  // Nothing new: the same answer is older.
  expect(look({ askedAt: 100_000, now: 101_000, answered: 8 })).toMatchObject([{ ageMs: 100_000 }]);
});

test('what the registry holds is as old as the question to it, and a job began before its list came', async () => {
  const registration = { id: '48214', contacted: true } as Registration;
  const wall = Date.parse('2026-11-02T12:00:00Z');
  let now = 2000;
  const listNewestJobs = async () => {
    now += 4000;
    const startedAt = new Date(wall + now - 1000).toISOString();
    const jobs = [{ id: '812', name: 'build', startedAt }];
    return { kind: 'found', value: { jobs, finished: [], isWhole: true } };
  };
  const context = {
    settings,
    journal: { version: () => 1, current: () => recordAt({ phase: 'promoted' }, {}) },
    ports: {
      clock: { now: () => wall + now, elapsed: () => now },
      registry: {
        traits: { contactIsLive: true, words: { registry: 'GitHub' } },
        listNewestJobs,
      },
    },
  } as unknown as StageContext;
  const look = openShardSources(context, purple);
  now = 5000;
  expect(await workSigns(look, { registration, canaries: [] })).toEqual([
    { kind: 'request', what: 'GitHub held a connection of it', ageMs: 7000 },
    { kind: 'job', what: 'job 812 "build" began', ageMs: 1000 },
  ]);
});

describe('what the runner itself has failed is no sign that work is possible there', () => {
  const registration = { id: '48214', contacted: true } as Registration;
  const wall = Date.parse('2026-11-02T12:00:00Z');
  const begun = (id: string, name: string) => ({ id, name, startedAt: '2026-11-02T11:59:00Z' });
  const listing = (
    endings: readonly Pick<FinishedJob, 'status' | 'failureReason'>[],
    canaries: readonly TakenCanary[] = [],
    /** Of a runner that has more jobs: undefined for one whose page has them all. */
    page?: readonly object[],
  ) => {
    const evidence = { at: '2026-11-02T11:50:00Z', workers: [92], canary: '811' };
    const jobs = [begun('813', 'test')];
    const finished = endings.map((one, at) => ({ ...begun(String(811 + at), 'build'), ...one }));
    const isWhole = page === undefined;
    const newest = isWhole ? { jobs, finished, isWhole } : { jobs: page, finished: [], isWhole };
    const context = {
      settings,
      journal: {
        version: () => 1,
        current: () => recordAt({ phase: 'promoted' }, { purple: { evidence } }),
      },
      ports: {
        clock: { now: () => wall, elapsed: () => 100_000 },
        registry: {
          traits: { contactIsLive: false },
          listNewestJobs: async () => ({ kind: 'found', value: newest }),
          listJobs: async () => ({ kind: 'found', value: jobs }),
          listFinishedJobs: async () => ({ kind: 'found', value: finished }),
        },
      },
    } as unknown as StageContext;
    return workSigns(openShardSources(context, purple), { registration, canaries });
  };
  const running = { kind: 'job', what: 'job 813 "test" began', ageMs: 60_000 };
  const fault = { status: 'failed', failureReason: 'runner_system_failure' } as const;

  test('a job, and not one that runs or has ended otherwise', async () => {
    expect(await listing([{ status: 'success' }, fault])).toEqual([
      expect.objectContaining({ what: 'canary job 811 ran there' }),
      running,
      { kind: 'job', what: 'job 811 "build" began', ageMs: 60_000 },
    ]);
    const script = { status: 'failed', failureReason: 'script_failure' } as const;
    expect(await listing([script, fault])).toContainEqual({
      kind: 'job',
      what: 'job 811 "build" began',
      ageMs: 60_000,
    });
  });

  test('a canary that was seen to begin, or that the record keeps', async () => {
    const taken = { job: '812', at: 40_000, workers: [92] };
    expect(await listing([{ status: 'success' }], [taken])).toContainEqual({
      kind: 'canary',
      what: 'canary job 812 began there',
      ageMs: 60_000,
      workers: [92],
    });
    expect(await listing([fault, fault], [taken])).toEqual([running]);
  });

  test('and what the newest jobs of many do not show is listed', async () => {
    const old = { ...begun('900', 'build'), startedAt: '2026-11-02T11:00:00Z' };
    const faulty = { ...begun('901', 'build'), ...fault };
    expect(await listing([fault], [], [faulty, old])).toEqual([running]);
    expect(await listing([{ status: 'success' }], [], [])).toHaveLength(3);
  });

  test('and one of the newest jobs of many is enough, without a canary that is not among them', async () => {
    const taken = { job: '812', at: 40_000, workers: [92] };
    const newest = begun('914', 'deploy');
    const sign = { kind: 'job', what: 'job 914 "deploy" began', ageMs: 60_000 };
    expect(await listing([], [taken], [newest])).toEqual([sign]);
    expect(await listing([], [taken], [newest, begun('812', 'canary')])).toContainEqual(
      expect.objectContaining({ what: 'canary job 812 began there' }),
    );
  });
});

describe('what the registry holds is asked for once more where a host that hangs kept it waiting', () => {
  const registration = { id: '48214', contacted: true } as Registration;
  const held = (find: () => Promise<Found<Registration>>) => {
    let now = 2000;
    const context = {
      settings,
      journal: { version: () => 1, current: () => recordAt({ phase: 'promoted' }, {}) },
      ports: {
        clock: { now: () => 0, elapsed: () => now },
        registry: {
          traits: { contactIsLive: true, words: { registry: 'GitHub' } },
          find,
          listNewestJobs: async () => ({ kind: 'absent' }),
        },
      },
    } as unknown as StageContext;
    const look = openShardSources(context, purple);
    now = 97_000;
    return workSigns(look, { registration, canaries: [] });
  };
  const sign = { kind: 'request', what: 'GitHub held a connection of it' };

  test('and is as young as that answer', async () => {
    expect(await held(async () => ({ kind: 'found', value: registration }))).toEqual([
      { ...sign, ageMs: 0 },
    ]);
  });

  test('and is nothing where it is not held any more', async () => {
    const gone = { ...registration, contacted: false };
    expect(await held(async () => ({ kind: 'found', value: gone }))).toEqual([]);
    expect(await held(async () => ({ kind: 'absent' }))).toEqual([]);
  });

  test('and is what was said before where nobody answers', async () => {
    const facts = {
      kind: 'unreachable',
      effect: 'none',
      source: 'GitHub',
      detail: 'mute',
    } as const;
    expect(await held(() => Promise.reject(new PortFailure(facts)))).toEqual([
      { ...sign, ageMs: 95_000 },
    ]);
  });
});
