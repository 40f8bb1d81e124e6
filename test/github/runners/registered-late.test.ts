import { describe, expect, test } from '@jest/globals';
import type { GitHubClient } from '../../../src/adapters/github/github-client.ts';
import { createGitHubRegistry } from '../../../src/adapters/github/runners/github-registry.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { StateStore } from '../../../src/ports/state-store.ts';
import { createVirtualClock } from '../../transport/virtual-clock.ts';

const id = 'pink-linux' as RegistrationId;

interface Runner {
  readonly id: number;
  labels: readonly string[];
  readonly status?: 'online' | 'offline';
  readonly busy?: boolean;
  readonly ephemeral?: boolean;
}

/** Opens an unpaused fleet with the listed runners. More may register at any time. */
function openFleet(runners: Runner[], fleet: object = {}) {
  const clock = createVirtualClock();
  let version = 1;
  let value = JSON.stringify({ schema: 1, labels: ['linux'], intake: 'open', note: '', ...fleet });
  let failing: number | undefined;
  const shown = ({ id: number, labels, status = 'online', busy = false, ephemeral }: Runner) => ({
    id: number,
    name: `${id}-i-0123456789abcde${String(number).padStart(2, '0')}`,
    status,
    busy,
    ephemeral: ephemeral ?? true,
    labels: labels.map((name) => ({ name, type: 'custom' })),
  });
  const client: GitHubClient = {
    redactor: createRedactor(),
    clock,
    async request(route, given = {}) {
      const source = `GitHub ${route}`;
      if (route.startsWith('GET'))
        return {
          status: 200,
          data: { total_count: runners.length, runners: runners.map(shown) },
          source,
        };
      const runner = runners.find((one) => one.id === given['runner_id']);
      if (runner?.id === failing) throw new Error('killed');
      if (runner !== undefined) runner.labels = given['labels'] as string[];
      return { status: 200, data: {}, source };
    },
  };
  const parameters = {
    find: async () => ({ version, value }),
    create: async () => ({ kind: 'taken' }),
    overwrite: async (written: { value: string }) => {
      value = written.value;
      version += 1;
      return { version };
    },
  } as unknown as StateStore;
  const registry = createGitHubRegistry({
    client,
    clock,
    scope: { kind: 'organization', organization: 'acme' },
    groups: { production: 'Default' },
    canaryLabel: 'canary-1-2-linux',
    fleets: { parameters, nameOf: (one) => `/${one}/runner_fleet` },
  });
  const read = async () => {
    const found = await registry.find(id);
    if (found.kind === 'absent') throw new Error('no fleet');
    const { paused, unclosed } = found.value;
    return { paused, unclosed };
  };
  const failAt = (number: number | undefined) => {
    failing = number;
  };
  return { registry, runners, read, failAt };
}

const openedByOther = { paused: false };
const stillToClose = { paused: true, unclosed: true };
const closed = { paused: true, unclosed: undefined };

describe('a runner that registers while the intake of its fleet is being paused', () => {
  test.each([
    ['ephemeral and offline', { ephemeral: true, status: 'offline' }],
    ['persistent and offline', { ephemeral: false, status: 'offline' }],
    ['online, by a host whose second read was late', { status: 'online' }],
  ] as const)('does not count as unpaused, and remains to be paused: %s', async (_, late) => {
    const { registry, runners, read } = openFleet([{ id: 5, labels: ['linux'] }]);
    await registry.setIntake(id, 'closed');
    expect(await read()).toEqual(closed);
    runners.push({ id: 6, labels: ['linux'], ...late });
    expect(await read()).toEqual(stillToClose);
    await registry.setIntake(id, 'closed');
    expect(runners.map(({ labels }) => labels)).toEqual([[], []]);
    expect(await read()).toEqual(closed);
  });

  test('remains to be paused if it took the id of an ephemeral runner that left', async () => {
    const { registry, runners, read } = openFleet([{ id: 5, labels: ['linux'], ephemeral: true }]);
    await registry.setIntake(id, 'closed');
    runners.splice(0, 1, { id: 5, labels: ['linux'], ephemeral: true, status: 'offline' });
    expect(await read()).toEqual(stillToClose);
  });

  test('remains to be paused after the pausing run ended early', async () => {
    const { registry, runners, read, failAt } = openFleet([{ id: 5, labels: ['linux'] }]);
    await registry.setIntake(id, 'closed');
    runners.push({ id: 6, labels: ['linux'] });
    failAt(6);
    await expect(registry.setIntake(id, 'closed')).rejects.toThrow('killed');
    expect(await read()).toEqual(stillToClose);
  });
});

describe('an unpause by an operator', () => {
  test.each([
    ['a runner that was paused', 5, {}],
    ['a runner that registered late and was then paused', 6, {}],
    ['a persistent runner that is offline', 5, { ephemeral: false, status: 'offline' }],
    ['an ephemeral runner that has a job', 5, { status: 'offline', busy: true }],
  ] as const)('shows as a label that is put back on %s', async (_, number, changes) => {
    const { registry, runners, read } = openFleet([{ id: 5, labels: ['linux'] }]);
    await registry.setIntake(id, 'closed');
    runners.push({ id: 6, labels: ['linux'] });
    await registry.setIntake(id, 'closed');
    const index = runners.findIndex((one) => one.id === number);
    runners.splice(index, 1, { id: number, labels: ['linux'], ...changes });
    expect(await read()).toMatchObject(openedByOther);
  });

  test('shows as a label on a fleet that was paused before the paused range was recorded', async () => {
    const { read } = openFleet([{ id: 5, labels: ['linux'] }], { intake: 'closed' });
    expect(await read()).toMatchObject(openedByOther);
  });

  test.each([
    ['the last of several runners', [[], ['linux']]],
    ['the first of several runners', [['linux'], []]],
  ])('shows as a label of %s', async (_, labels) => {
    const runners = labels.map((of, index) => ({ id: 5 + index, labels: of }));
    const closedBefore = { intake: 'closed', closedUpTo: 6 };
    expect(await openFleet(runners, closedBefore).read()).toMatchObject(openedByOther);
    for (const runner of runners) runner.labels = [];
    expect(await openFleet(runners, closedBefore).read()).toEqual(closed);
  });

  test('shows in the intake of the fleet, whatever runner registers later', async () => {
    const { registry, runners, read } = openFleet([{ id: 5, labels: ['linux'] }]);
    await registry.setIntake(id, 'closed');
    await registry.setIntake(id, 'open');
    runners.push({ id: 6, labels: ['linux'] });
    expect(await read()).toEqual({ paused: false, unclosed: undefined });
  });
});
