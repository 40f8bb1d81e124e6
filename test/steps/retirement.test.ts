import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import { judgeDrain } from '../../src/domain/drain/drain-check.ts';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { HostReport } from '../../src/ports/runner-host.ts';
import { listHostReadings, observeDrain } from '../../src/stages/observe/drain-observation.ts';
import { removeRegistration } from '../../src/stages/steps/removal/deregister.ts';
import { destroy } from '../../src/stages/steps/removal/destroy.ts';
import { stop } from '../../src/stages/steps/removal/stop.ts';
import { pink, recordAt, registrationOf } from '../domain/samples.ts';
import { type Answers, report, standAlone, unreachable } from './standing.ts';

const retiring = recordAt({ phase: 'draining' }, { pink: { registration: '1' as RegistrationId } });
const drained = recordAt({ phase: 'drained' }, { pink: { registration: '1' as RegistrationId } });
const found = {
  kind: 'found',
  value: registrationOf({ id: '1' as RegistrationId, description: 'pink-linux', paused: true }),
};
const sight = {
  list: 'whole',
  reason: 'deployer is an administrator',
  execution: 'idle',
  hiddenMs: 1_800_000,
} as const;
const noJobs = {
  find: async () => found,
  listJobs: async () => ({ kind: 'found', value: [] }),
  readSight: async () => sight,
};

describe('a check of a draining shard', () => {
  const online = { id: 'i-1', agent: 'online' };

  test.each<[string, Answers['host'], unknown]>([
    [
      'reports no response of a host that does not respond',
      { list: async () => [online], look: async () => ({ kind: 'silent', reason: 'timed out' }) },
      [{ kind: 'silent', host: 'i-1', reason: 'timed out' }],
    ],
    [
      'reports no response of a host whose agent is lost',
      { list: async () => [{ id: 'i-1', agent: 'lost' }] },
      [{ kind: 'silent', host: 'i-1', reason: 'the SSM agent does not respond' }],
    ],
    [
      'reports no response if hosts cannot be listed',
      { list: () => Promise.reject(unreachable()) },
      [{ kind: 'silent', host: '(all)', reason: 'AWS: connection reset' }],
    ],
    [
      'reports a process that would start again as running',
      { list: async () => [online], look: async () => report({ process: 'stopped' }) },
      [{ kind: 'jobs', host: 'i-1', count: 0 }],
    ],
  ])('%s', async (_, host = {}, words) => {
    expect(await listHostReadings(standAlone({ host }).context, pink)).toEqual(words);
  });

  test.each([
    ['absent', 'running', { hostsGone: true }],
    ['present', 'running', { hostsGone: false, noHostListed: false }],
    ['present', 'stopped', { hostsGone: false, noHostListed: false }],
    ['present', 'terminated', { hostsGone: true }],
    ['present', 'none', { hostsGone: false, noHostListed: false }],
    ['present', 'no answer', { hostsGone: false, noHostListed: false }],
    ['unknown', 'none', { hostsGone: false, noHostListed: true }],
    ['unknown', 'terminated', { hostsGone: true }],
  ])(
    'decides whether the hosts are gone from infrastructure %s and EC2 %s',
    async (exists, ec2, expected) => {
      const host = { list: async () => [] };
      const machine = { id: 'i-1', state: ec2, launchedAt: '2026-11-02T08:00:00.000Z', tags: {} };
      const list = async () => {
        if (ec2 === 'no answer') throw unreachable();
        return ec2 === 'none' ? [] : [machine];
      };
      const infrastructure = { exists: async () => exists };
      const answers = { host, registry: noJobs, infrastructure, instances: { list } };
      const { context } = standAlone(answers, retiring);
      expect(await observeDrain(context, pink)).toMatchObject(expected);
    },
  );

  test('lists the jobs before it reads the pause', async () => {
    const host = { list: async () => [] };
    const answers = { host, registry: noJobs, infrastructure: { exists: async () => 'absent' } };
    const { context, requests: calls } = standAlone(answers, retiring);
    await observeDrain(context, pink);
    const order = ['registry.listJobs', 'registry.find'];
    expect(calls.filter((one) => order.includes(one))).toEqual(order);
  });

  test('relies on GitLab alone if one of two hosts does not respond', () => {
    const words = [
      { kind: 'jobs', host: 'i-1', count: 0 },
      { kind: 'silent', host: 'i-2', reason: 'timed out' },
    ] as const;
    const registration = { kind: 'seen', paused: true, execution: 'idle' } as const;
    const observation = { at: 0, registration, jobs: [], sight, hosts: words, hostsGone: false };
    const rules = {
      pollOfRunnerMs: 5000,
      confirmationMs: 60_000,
      words: gitlabTerms,
      idleSource: 'counts',
    } as const;
    expect(judgeDrain([observation, { ...observation, at: 6000 }], rules)).toMatchObject({
      kind: 'confirming',
      forMs: 54_000,
    });
  });
});

describe('the end of a runner process', () => {
  /** Creates a host with one report per check. The last report repeats. */
  function host(...reports: Partial<HostReport>[]) {
    let checks = 0;
    const next = () => reports[Math.min(checks++, reports.length - 1)];
    return {
      list: async () => [{ id: 'i-1', agent: 'online' }],
      look: async () => report(next()),
      quit: async () => ({ kind: 'sent' }),
    };
  }
  const ended = { process: 'stopped', restarts: false } as const;

  test.each<[string, Partial<HostReport>]>([
    ['a process that would start again has not ended', { process: 'stopped', restarts: true }],
    ['a process that is quitting has not ended', { process: 'quitting', restarts: false }],
  ])('%s', async (_, before) => {
    const { context, requests: calls } = standAlone(
      { host: host({}, before, before, ended) },
      drained,
    );
    await stop(context, pink);
    expect(calls.filter((call) => call === 'host.look')).toHaveLength(4);
  });

  test('needs no query of a machine that EC2 reports as terminated, if more hosts are listed than the shard has', async () => {
    const signalled = async (instances: () => Promise<readonly object[]>) => {
      const ids = new Set<string>();
      const two = {
        ...host(ended),
        list: async () => ['i-0', 'i-1'].map((id) => ({ id, agent: 'online' })),
        look: async (id: string) => report(ids.has(id) ? ended : {}),
        quit: async (id: string) => {
          ids.add(id);
          return { kind: 'sent' };
        },
      };
      const answers = { host: two, instances: { list: instances } } as Answers;
      await stop(standAlone(answers, drained).context, pink);
      return [...ids];
    };
    expect(await signalled(async () => [{ id: 'i-0', state: 'terminated' }])).toEqual(['i-1']);
    // The end must be proven for a running host, and for one that EC2 does not report.
    expect(await signalled(async () => [{ id: 'i-0', state: 'running' }])).toEqual(['i-0', 'i-1']);
    expect(await signalled(() => Promise.reject(unreachable()))).toEqual(['i-0', 'i-1']);
  });

  test('stays unproven while nothing changes, and the signal is repeated', async () => {
    const { context, requests: calls } = standAlone({ host: host({}) }, drained);
    await expect(stop(context, pink)).rejects.toMatchObject({ code: 'StopUnproven' });
    expect(calls.filter((call) => call === 'host.quit').length).toBeGreaterThan(3);
  });
});

describe('the removal of a shard', () => {
  const nothing = {
    host: { list: async () => [] },
    instances: { list: async () => [] },
    registry: { findByShard: async () => [] },
    infrastructure: { exists: async () => 'absent' },
    inventory: { list: async () => [] },
    hooks: { listWaiting: async () => [] },
  };

  test('fails if GitLab reports the runner as busy, and the runner stays', async () => {
    const registry = { ...noJobs, retire: async () => 'busy' };
    const { context } = standAlone({ ...nothing, registry }, drained);
    await expect(removeRegistration(context, pink)).rejects.toMatchObject({
      kind: 'refused',
      detail: 'the runner is busy',
    });
  });

  test('destroys infrastructure that cannot be queried', async () => {
    const infrastructure = {
      exists: async () => 'unknown',
      async *destroy() {
        yield { kind: 'done', counts: { destroyed: 4 }, outputs: {} };
      },
    };
    const { context, requests: calls } = standAlone({ infrastructure }, drained);
    await destroy(context, pink).catch(() => undefined);
    expect(calls).toContain('infrastructure.destroy');
  });

  test.each([
    [
      'a host that still exists',
      { host: { list: async () => [{ id: 'i-9', agent: 'lost' }] } },
      'host i-9',
    ],
    [
      'a runner of its description',
      { registry: { findByShard: async () => [registrationOf({ id: '77' as RegistrationId })] } },
      'runner 77',
    ],
  ])('fails if it finds %s', async (_, answers, named) => {
    const all = {
      ...nothing,
      ...answers,
    };
    const { context } = standAlone(all as Answers, drained);
    await expect(destroy(context, pink)).rejects.toMatchObject({
      fields: { why: expect.arrayContaining([expect.stringContaining(named)]) },
    });
  });

  test('counts a host as gone if EC2 reports it as terminated, although Systems Manager still lists it', async () => {
    const host = { list: async () => [{ id: 'i-9', agent: 'online' }] };
    const instances = { list: async () => [{ id: 'i-9', state: 'terminated' }] };
    const { context, requests: calls } = standAlone(
      { ...nothing, host, instances } as Answers,
      drained,
    );
    await destroy(context, pink);
    expect(calls.filter((call) => call === 'host.list')).toHaveLength(1);
  });
});
