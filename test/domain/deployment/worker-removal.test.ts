import { describe, expect, test } from '@jest/globals';
import {
  judgeRemoval,
  type ProcessFacts,
  planRemoval,
  type RemovalObservation,
  registrationGraceMs,
} from '../../../src/domain/deployment/guards/worker-removal.ts';
import type { HostReading } from '../../../src/domain/drain/drain-check.ts';
import type { Worker } from '../../../src/domain/registration.ts';

const host = 'i-0123456789abcdef0';
const worker: Worker = {
  id: 301,
  systemId: `pink-linux-${host}`,
  version: '2.337.0',
  createdAt: '2026-11-02T08:00:00Z',
  contactedAt: '2026-11-02T08:00:00Z',
  execution: 'idle',
  hostId: host,
};
const idle: HostReading = { kind: 'jobs', host, count: 0 };
const stopped: HostReading = { kind: 'stopped', host };
const unresponsive: HostReading = {
  kind: 'silent',
  host,
  reason: 'the SSM agent does not respond',
};
const facts: ProcessFacts = {
  hosts: [],
  machines: new Map(),
  sinceApplyMs: registrationGraceMs,
  endedForMs: () => 90_000,
  redeliveryMs: 90_000,
};
const observation: RemovalObservation = {
  ...facts,
  held: [],
  resting: [],
  removals: [],
  seenHosts: [],
};
const name = `runner 301 "pink-linux-${host}"`;
const { contactedAt: _, ...offline } = worker;
const { hostId: __, ...unnamed } = worker;

describe('the plan to remove workers from GitHub', () => {
  test.each<[string, Partial<ProcessFacts>, Worker?]>([
    ['whose host reports that its process has ended', { hosts: [stopped] }],
    [
      'whose process has ended, although GitHub reports it as busy',
      { hosts: [stopped] },
      {
        ...worker,
        execution: 'active',
      },
    ],
    ['whose machine is dead', { hosts: [unresponsive], machines: new Map([[host, 'dead']]) }],
    [
      'that is offline and has no machine any more',
      {
        machines: new Map([[host, 'not_found']]),
      },
      offline,
    ],
  ])('removes a worker %s', (_, change, one = worker) => {
    expect(planRemoval([one], { ...facts, ...change })).toEqual({
      ended: [one],
      held: [],
      resting: [],
    });
  });

  test.each<[string, Partial<ProcessFacts>, string, Worker?]>([
    ['that runs a job', { hosts: [{ ...idle, count: 1 }] }, `its host ${host} runs a job`],
    [
      'whose listener runs, although every source reports it as idle',
      { hosts: [idle] },
      `its listener on ${host} still runs`,
    ],
    [
      'whose host does not respond while its machine is alive',
      { hosts: [unresponsive], machines: new Map([[host, 'alive']]) },
      `its host ${host} does not respond (the SSM agent does not respond) and may still run`,
    ],
    ['whose host is not queried', {}, `its host ${host} is not queried and may still run`],
    [
      'that is online although EC2 does not know its machine',
      { machines: new Map([[host, 'not_found']]) },
      `its host ${host} is not queried and may still run`,
    ],
    [
      'whose machine may only be too new to be known',
      { machines: new Map([[host, 'not_found']]), sinceApplyMs: 1000 },
      `its host ${host} is not queried and may still run`,
      offline,
    ],
    [
      'whose machine is unknown while the hosts cannot be listed',
      {
        hosts: [{ kind: 'silent', host: '(all)', reason: 'AWS: connection reset' }],
        machines: new Map([[host, 'not_found']]),
      },
      `its host ${host} is not queried and may still run`,
      offline,
    ],
    [
      'whose name contains no host',
      { hosts: [stopped] },
      'its name does not contain the host that it runs on',
      unnamed,
    ],
  ])('keeps a worker %s', (_, change, why, one = worker) => {
    const plan = planRemoval([one], { ...facts, ...change });
    expect(plan).toEqual({ ended: [], held: [{ worker: one, why }], resting: [] });
  });
});

describe('the removal of the workers of a shard', () => {
  test.each<[string, Partial<RemovalObservation>, object]>([
    ['ends if no worker exists', {}, { kind: 'gone', leftOver: [] }],
    [
      'ends after each worker was removed',
      { removals: [{ worker, outcome: 'removed' }], hosts: [stopped] },
      { kind: 'gone', leftOver: [] },
    ],
    [
      'waits for a held worker and names the reason',
      { held: [{ worker, why: 'its host runs a job' }] },
      { kind: 'wait', reason: `${name} may still run a job: its host runs a job`, forMs: 10_000 },
    ],
    [
      'waits for a held worker beside one that is left over',
      {
        held: [
          { worker, why: 'its host runs a job' },
          { worker, why: 'its host runs a job' },
        ],
        removals: [{ worker: { ...worker, id: 302 }, outcome: 'busy' }],
      },
      {
        kind: 'wait',
        reason: `${name} and 1 more may still run a job: its host runs a job`,
        forMs: 10_000,
      },
    ],
    [
      'leaves over a worker that GitHub reports as busy although its process has ended',
      { removals: [{ worker, outcome: 'busy' }], hosts: [stopped] },
      { kind: 'gone', leftOver: [worker] },
    ],
    [
      'never counts a refused check as gone',
      { removals: [{ worker, outcome: 'unknown', detail: '403 Forbidden' }], hosts: [stopped] },
      {
        kind: 'wait',
        reason: `it is unknown whether ${name} still exists: 403 Forbidden`,
        forMs: 30_000,
      },
    ],
    [
      'reads the list again after a 404',
      { removals: [{ worker, outcome: 'absent' }] },
      {
        kind: 'wait',
        reason: `${name} left the list by itself; the list is read again`,
        forMs: 10_000,
      },
    ],
    [
      'waits for a host that may be about to register',
      { hosts: [idle], sinceApplyMs: 1000 },
      {
        kind: 'wait',
        reason: `host ${host} runs and has not registered its runner yet`,
        forMs: 10_000,
      },
    ],
    [
      'does not wait for a host whose runner existed and is gone',
      { hosts: [idle], sinceApplyMs: 1000, seenHosts: [host] },
      { kind: 'gone', leftOver: [] },
    ],
    [
      'waits at most ten minutes for a host that never registers',
      { hosts: [idle], sinceApplyMs: registrationGraceMs },
      { kind: 'gone', leftOver: [] },
    ],
  ])('%s', (_, change, verdict) => {
    expect(judgeRemoval({ ...observation, ...change })).toEqual(verdict);
  });
});

describe('a job that arrived unread while its listener ended', () => {
  const young: ProcessFacts = { ...facts, hosts: [stopped], endedForMs: () => 30_000 };

  test('keeps the runner registered until GitHub assigns the job to another runner', () => {
    expect(planRemoval([worker], young)).toEqual({ ended: [], held: [], resting: [worker] });
    expect(judgeRemoval({ ...observation, ...young, resting: [worker] })).toEqual({
      kind: 'wait',
      reason: `a job that ${name} had not read before it ended goes to another runner within 1m 30s`,
      forMs: 60_000,
    });
  });

  test('appears with the number of other runners that wait', () => {
    const verdict = judgeRemoval({ ...observation, ...young, resting: [worker, offline] });
    expect(verdict).toMatchObject({ reason: expect.stringContaining(`${name} and 1 more had`) });
  });
});
