import { describe, expect, test } from '@jest/globals';
import { PortFailure } from '../../src/ports/failure.ts';
import { listPresentHosts } from '../../src/stages/observe/host-ends.ts';
import { checkInstances } from '../../src/stages/steps/healthcheck/host-evidence.ts';
import { startWatch } from '../../src/stages/steps/healthcheck/watch.ts';
import { pink } from '../domain/samples.ts';
import { type Answers, standAlone } from '../steps/standing.ts';

const old = { id: 'i-0', agent: 'online' };
const fresh = { id: 'i-1', agent: 'online' };
const report = { kind: 'report', process: 'running', log: [] };
const gone = new PortFailure({
  kind: 'unavailable',
  effect: 'none',
  source: 'Systems Manager',
  detail: 'it does not know i-0',
});

async function checkHosts(hosts: readonly object[], instances: () => Promise<readonly object[]>) {
  const { context, requests: calls } = standAlone({
    host: {
      list: async () => hosts,
      look: async (id: string) => {
        if (id === 'i-0') throw gone;
        return report;
      },
    },
    instances: { list: instances },
  } as Answers);
  const watch = startWatch(context, pink);
  const { state, detail } = await checkInstances(context, watch);
  return { state, detail, looks: watch.hostChecks.map(({ id }) => id), calls };
}

const credentialsOut = (['ended', 'unauthenticated'] as const).map(
  (kind) => new PortFailure({ kind, effect: 'none', source: 'AWS', detail: 'the token is over' }),
);

const terminated = async () => [{ id: 'i-0', state: 'terminated' }];

test('a terminated host of the deployment before is ignored, even if it counts as online', async () => {
  expect(await checkHosts([old, fresh], terminated)).toMatchObject({
    state: 'good',
    detail: 'i-1 runs and responds',
    looks: ['i-1'],
  });
});

test('a shard whose only listed host is terminated has no host', async () => {
  expect(await checkHosts([old], terminated)).toMatchObject({
    state: 'missing',
    detail: 'no host is registered with Systems Manager (0 of 1)',
    looks: [],
  });
});

test.each([
  ['that EC2 reports as running', async () => [{ id: 'i-0', state: 'running' }]],
  ['that EC2 cannot report', () => Promise.reject(gone)],
])('an old host %s is still checked', async (_, instances) => {
  expect(await checkHosts([old], instances)).toMatchObject({ state: 'good', looks: ['i-0'] });
});

test.each(credentialsOut)('lost credentials end the check: $kind', async (out) => {
  await expect(checkHosts([old], () => Promise.reject(out))).rejects.toBe(out);
});

test('EC2 is not queried while every host responds', async () => {
  expect((await checkHosts([fresh], terminated)).calls).not.toContain('instances.list');
});

describe('hosts that are listed as present', () => {
  const present = async (hosts: readonly object[], instances = terminated) => {
    const answers = { host: { list: async () => hosts }, instances: { list: instances } };
    const { context, requests: calls } = standAlone(answers as Answers);
    return { listed: await listPresentHosts(context, pink), calls };
  };

  test('leave out a machine of an earlier deployment', async () => {
    expect((await present([old, fresh])).listed).toEqual([fresh]);
  });

  test('include every listed host if EC2 does not respond', async () => {
    const { listed } = await present([old, fresh], () => Promise.reject(gone));
    expect(listed).toEqual([old, fresh]);
  });

  test.each(credentialsOut)('end in an error if the credentials are lost: $kind', async (out) => {
    await expect(present([old, fresh], () => Promise.reject(out))).rejects.toBe(out);
    const answers = { host: { list: () => Promise.reject(out) } };
    const { context } = standAlone(answers as Answers);
    await expect(listPresentHosts(context, pink)).rejects.toBe(out);
  });

  test('exclude the only listed host if it has ended', async () => {
    expect((await present([old])).listed).toEqual([]);
  });

  test('need no query of EC2 if no host is listed', async () => {
    expect((await present([])).calls).not.toContain('instances.list');
  });
});
