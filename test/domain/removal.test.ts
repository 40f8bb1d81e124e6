import { describe, expect, test } from '@jest/globals';
import type { HostWord } from '../../src/domain/drain.ts';
import type { Worker } from '../../src/domain/registration.ts';
import { judgeRemoval, type RemovalLook, registrationGraceMs } from '../../src/domain/removal.ts';

const host = 'i-0123456789abcdef0';
const worker: Worker = {
  id: 301,
  systemId: `pink-linux-${host}`,
  version: '2.335.0',
  createdAt: '2026-11-02T08:00:00Z',
  execution: 'idle',
  hostId: host,
};
const ephemeral: Worker = { ...worker, ephemeral: true };
const idle: HostWord = { kind: 'jobs', host, count: 0 };
const stopped: HostWord = { kind: 'stopped', host };
const silent: HostWord = { kind: 'silent', host, reason: 'its agent is lost' };
const look: RemovalLook = {
  removals: [],
  hosts: [],
  deadHosts: [],
  seenHosts: [],
  sinceApplyMs: registrationGraceMs,
};
const name = `runner 301 "pink-linux-${host}"`;

describe('the removal of the workers of a shard', () => {
  test.each<[string, Partial<RemovalLook>, object]>([
    ['ends where there is none', {}, { kind: 'gone', leftOver: [] }],
    [
      'ends when each was removed',
      { removals: [{ worker, outcome: 'removed' }], hosts: [idle] },
      { kind: 'gone', leftOver: [] },
    ],
    [
      'asks a busy persistent one again each minute',
      { removals: [{ worker, outcome: 'busy' }], hosts: [{ ...idle, count: 1 }] },
      {
        kind: 'wait',
        reason: `${name} still runs a job; its removal was refused`,
        forMs: 60_000,
      },
    ],
    [
      'waits for a busy ephemeral one, which leaves by itself',
      { removals: [{ worker: ephemeral, outcome: 'spared' }], hosts: [idle] },
      {
        kind: 'wait',
        reason: `${name} still runs a job; it leaves by itself after it`,
        forMs: 60_000,
      },
    ],
    [
      'believes no host that says idle while GitHub refuses',
      { removals: [{ worker, outcome: 'busy' }], hosts: [idle] },
      { kind: 'wait', reason: `${name} still runs a job; its removal was refused`, forMs: 60_000 },
    ],
    [
      'waits for a busy one whose host is silent',
      { removals: [{ worker, outcome: 'busy' }], hosts: [silent] },
      { kind: 'wait', reason: `${name} still runs a job; its removal was refused`, forMs: 60_000 },
    ],
    [
      'leaves over a busy one whose process has ended',
      { removals: [{ worker, outcome: 'busy' }], hosts: [stopped] },
      { kind: 'gone', leftOver: [worker] },
    ],
    [
      'leaves over a busy one whose host is terminated',
      { removals: [{ worker, outcome: 'busy' }], deadHosts: [host] },
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
    [
      'waits for one that is busy, also beside one that is left over',
      {
        removals: [
          { worker, outcome: 'busy' },
          { worker: { ...worker, id: 302, hostId: 'i-0123456789abcdef1' }, outcome: 'busy' },
        ],
        hosts: [stopped],
      },
      {
        kind: 'wait',
        reason: `runner 302 "pink-linux-${host}" still runs a job; its removal was refused`,
        forMs: 60_000,
      },
    ],
  ])('%s', (_, change, judgement) => {
    expect(judgeRemoval({ ...look, ...change })).toEqual(judgement);
  });
});
