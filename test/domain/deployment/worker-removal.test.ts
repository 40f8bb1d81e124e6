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
const silent: HostReading = { kind: 'silent', host, reason: 'its agent is lost' };
const facts: ProcessFacts = {
  hosts: [],
  machines: new Map(),
  sinceApplyMs: registrationGraceMs,
  endedForMs: () => 90_000,
  redeliveryMs: 90_000,
};
const look: RemovalObservation = { ...facts, held: [], resting: [], removals: [], seenHosts: [] };
const name = `runner 301 "pink-linux-${host}"`;
const { contactedAt: _, ...offline } = worker;
const { hostId: __, ...unnamed } = worker;

describe('who may be removed', () => {
  test.each<[string, Partial<ProcessFacts>, Worker?]>([
    ['one whose process has ended, by its host’s own word', { hosts: [stopped] }],
    [
      'one whose process has ended, though GitHub calls it busy',
      { hosts: [stopped] },
      {
        ...worker,
        execution: 'active',
      },
    ],
    ['one whose machine is dead', { hosts: [silent], machines: new Map([[host, 'dead']]) }],
    [
      'one that is offline, whose machine nobody knows any more',
      {
        machines: new Map([[host, 'not_found']]),
      },
      offline,
    ],
  ])('%s', (_, change, one = worker) => {
    expect(planRemoval([one], { ...facts, ...change })).toEqual({
      ended: [one],
      held: [],
      resting: [],
    });
  });

  test.each<[string, Partial<ProcessFacts>, string, Worker?]>([
    ['one that runs a job', { hosts: [{ ...idle, count: 1 }] }, `its host ${host} runs a job`],
    [
      'one whose listener runs, idle by everybody’s word',
      { hosts: [idle] },
      `its listener on ${host} still runs`,
    ],
    [
      'one whose host is silent, and its machine alive',
      { hosts: [silent], machines: new Map([[host, 'alive']]) },
      `its host ${host} is silent (its agent is lost) and is not proven dead`,
    ],
    ['one whose host nobody asks', {}, `its host ${host} is not asked and is not proven dead`],
    [
      'one that is online, whose machine EC2 does not know',
      { machines: new Map([[host, 'not_found']]) },
      `its host ${host} is not asked and is not proven dead`,
    ],
    [
      'one whose machine may only be too new to be known',
      { machines: new Map([[host, 'not_found']]), sinceApplyMs: 1000 },
      `its host ${host} is not asked and is not proven dead`,
      offline,
    ],
    [
      'one whose machine is not known, while the hosts cannot be listed',
      {
        hosts: [{ kind: 'silent', host: '(all)', reason: 'AWS: connection reset' }],
        machines: new Map([[host, 'not_found']]),
      },
      `its host ${host} is not asked and is not proven dead`,
      offline,
    ],
    [
      'one whose name tells no host',
      { hosts: [stopped] },
      'its name does not say which host it runs on',
      unnamed,
    ],
  ])('nobody else: %s', (_, change, why, one = worker) => {
    const plan = planRemoval([one], { ...facts, ...change });
    expect(plan).toEqual({ ended: [], held: [{ worker: one, why }], resting: [] });
  });
});

describe('the removal of the workers of a shard', () => {
  test.each<[string, Partial<RemovalObservation>, object]>([
    ['ends where there is none', {}, { kind: 'gone', leftOver: [] }],
    [
      'ends when each was removed',
      { removals: [{ worker, outcome: 'removed' }], hosts: [stopped] },
      { kind: 'gone', leftOver: [] },
    ],
    [
      'waits for one that is held, and says why',
      { held: [{ worker, why: 'its host runs a job' }] },
      { kind: 'wait', reason: `${name} may still run a job: its host runs a job`, forMs: 10_000 },
    ],
    [
      'waits for one that is held, also beside one that is left over',
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
      'leaves over one that GitHub calls busy, though its process has ended',
      { removals: [{ worker, outcome: 'busy' }], hosts: [stopped] },
      { kind: 'gone', leftOver: [worker] },
    ],
    [
      'never reads a refusal to look as gone',
      { removals: [{ worker, outcome: 'unknown', detail: '403 Forbidden' }], hosts: [stopped] },
      {
        kind: 'wait',
        reason: `whether ${name} is gone is not known: 403 Forbidden`,
        forMs: 30_000,
      },
    ],
    [
      'reads the list once more after a 404',
      { removals: [{ worker, outcome: 'absent' }] },
      {
        kind: 'wait',
        reason: `${name} left the list by itself; the list is read once more`,
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
      'does not wait for a host whose runner was there and is gone',
      { hosts: [idle], sinceApplyMs: 1000, seenHosts: [host] },
      { kind: 'gone', leftOver: [] },
    ],
    [
      'waits no longer than ten minutes for a host that never registers',
      { hosts: [idle], sinceApplyMs: registrationGraceMs },
      { kind: 'gone', leftOver: [] },
    ],
  ])('%s', (_, change, judgement) => {
    expect(judgeRemoval({ ...look, ...change })).toEqual(judgement);
  });
});

describe('a job that came in the moment in which a listener ended, and was not read', () => {
  const young: ProcessFacts = { ...facts, hosts: [stopped], endedForMs: () => 30_000 };

  test('has its runner registered for as long as GitHub takes to give it to another one', () => {
    expect(planRemoval([worker], young)).toEqual({ ended: [], held: [], resting: [worker] });
    expect(judgeRemoval({ ...look, ...young, resting: [worker] })).toEqual({
      kind: 'wait',
      reason: `a job that ${name} had not read before it ended goes to another one within 1m 30s`,
      forMs: 60_000,
    });
  });

  test('is named with how many other runners are waited for', () => {
    const judgement = judgeRemoval({ ...look, ...young, resting: [worker, offline] });
    expect(judgement).toMatchObject({ reason: expect.stringContaining(`${name} and 1 more had`) });
  });
});
