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

/**
 * Returns a check of job requests. Each host is queried at a separate time, and the verdict waits
 * for the slowest response.
 */
function counting() {
  const counts = new Map<string, Counted>();
  return ({
    requestedAt: queriedAt,
    now,
    jobs = 0,
    ...requests
  }: Partial<JobRequests> & { requestedAt: number; now: number; jobs?: number }) => {
    const context = { ports: { clock: { elapsed: () => now } } } as unknown as StageContext;
    const report = {
      process: 'running',
      jobs: Array.from(
        { length: jobs },
        (_, one) => `url=https://gitlab.example.com/-/jobs/${one}`,
      ),
      requests: { answered: 0, refused: 0, slots: 2, ...requests },
    } as unknown as HostReport;
    return requestSigns(context, [{ host, report, requestedAt: queriedAt }], counts);
  };
}

test('slots that are all taken are as old as the query of their host', () => {
  const listSigns = counting();
  expect(listSigns({ requestedAt: 1000, now: 91_000, jobs: 2 })).toEqual([
    { kind: 'job', what: `all 2 slots of ${host} were taken by jobs`, ageMs: 90_000 },
  ]);
  expect(listSigns({ requestedAt: 95_000, now: 95_400, jobs: 1 })).toEqual([]);
});

test('an answered request is as old as the query of the check before', () => {
  const listSigns = counting();
  expect(listSigns({ requestedAt: 1000, now: 91_000, answered: 7 })).toEqual([]);
  expect(listSigns({ requestedAt: 95_000, now: 96_000, answered: 8 })).toEqual([
    { kind: 'request', what: `a job request of ${host} was answered`, ageMs: 95_000 },
  ]);
  // The requests are unchanged, so the sign is older.
  expect(listSigns({ requestedAt: 100_000, now: 101_000, answered: 8 })).toMatchObject([
    { ageMs: 100_000 },
  ]);
});

test('signs from GitLab are as old as the query, and a job began before its list arrived', async () => {
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
  const sources = openShardSources(context, purple);
  now = 5000;
  expect(await workSigns(sources, { registration, canaries: [] })).toEqual([
    { kind: 'request', what: 'GitHub held a connection to the runner', ageMs: 7000 },
    { kind: 'job', what: 'job 812 "build" started', ageMs: 1000 },
  ]);
});

describe('a job that the runner itself has failed', () => {
  const registration = { id: '48214', contacted: true } as Registration;
  const wall = Date.parse('2026-11-02T12:00:00Z');
  const begun = (id: string, name: string) => ({ id, name, startedAt: '2026-11-02T11:59:00Z' });
  const listing = (
    endings: readonly Pick<FinishedJob, 'status' | 'failureReason'>[],
    canaries: readonly TakenCanary[] = [],
    /** First page of a runner with more jobs; undefined if one page has all of them. */
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
  const running = { kind: 'job', what: 'job 813 "test" started', ageMs: 60_000 };
  const fault = { status: 'failed', failureReason: 'runner_system_failure' } as const;

  test('proves nothing, unlike one that runs or ended otherwise', async () => {
    expect(await listing([{ status: 'success' }, fault])).toEqual([
      expect.objectContaining({ what: 'canary job 811 ran on purple' }),
      running,
      { kind: 'job', what: 'job 811 "build" started', ageMs: 60_000 },
    ]);
    const script = { status: 'failed', failureReason: 'script_failure' } as const;
    expect(await listing([script, fault])).toContainEqual({
      kind: 'job',
      what: 'job 811 "build" started',
      ageMs: 60_000,
    });
  });

  test('proves nothing as a canary that was seen to begin or that the record keeps', async () => {
    const taken = { job: '812', at: 40_000, workers: [92] };
    expect(await listing([{ status: 'success' }], [taken])).toContainEqual({
      kind: 'canary',
      what: 'canary job 812 started on purple',
      ageMs: 60_000,
      workers: [92],
    });
    expect(await listing([fault, fault], [taken])).toEqual([running]);
  });

  test('leads to a full list if the newest of many jobs show no sign', async () => {
    const old = { ...begun('900', 'build'), startedAt: '2026-11-02T11:00:00Z' };
    const faulty = { ...begun('901', 'build'), ...fault };
    expect(await listing([fault], [], [faulty, old])).toEqual([running]);
    expect(await listing([{ status: 'success' }], [], [])).toHaveLength(3);
  });

  test('leaves one of the newest jobs as a sufficient sign, without a canary outside of that list', async () => {
    const taken = { job: '812', at: 40_000, workers: [92] };
    const newest = begun('914', 'deploy');
    const sign = { kind: 'job', what: 'job 914 "deploy" started', ageMs: 60_000 };
    expect(await listing([], [taken], [newest])).toEqual([sign]);
    expect(await listing([], [taken], [newest, begun('812', 'canary')])).toContainEqual(
      expect.objectContaining({ what: 'canary job 812 started on purple' }),
    );
  });
});

describe('a query of GitLab that a hanging host has delayed', () => {
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
    const sources = openShardSources(context, purple);
    now = 97_000;
    return workSigns(sources, { registration, canaries: [] });
  };
  const sign = { kind: 'request', what: 'GitHub held a connection to the runner' };

  test('repeats, and its signs are as recent as the new response', async () => {
    expect(await held(async () => ({ kind: 'found', value: registration }))).toEqual([
      { ...sign, ageMs: 0 },
    ]);
  });

  test('leaves no sign if the runner no longer exists', async () => {
    const gone = { ...registration, contacted: false };
    expect(await held(async () => ({ kind: 'found', value: gone }))).toEqual([]);
    expect(await held(async () => ({ kind: 'absent' }))).toEqual([]);
  });

  test('keeps the earlier response if there is no new one', async () => {
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
