import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { linux, pink } from '../../fakes/builders.ts';
import {
  createParameters,
  createSandboxGitHub,
  registryOf,
  type SandboxGitHub,
} from '../sandbox-github.ts';

const shard = { runnerName: linux, shard: pink };
const canary = 'canary-1-2-linux';
const groups = {
  production: 'hosted-runners',
  apart: { quarantine: 'hosted-runners-quarantine', closed: 'hosted-runners-closed' },
};
const production = { tags: ['linux'], runUntagged: false };
const quarantine = { tags: [canary], runUntagged: false };
/** Time until GitHub applies a change. */
const lagMs = 5000;

let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

/** Opens a shard in quarantine, with a host that registers as its fleet requires. */
async function openShard(parameters = createParameters()) {
  const registry = registryOf(sandbox, { parameters, groups, canaryRepository: 'acme/app' });
  const { id, token } = await registry.create({ shard, ...quarantine, note: '' } as never);
  const text = (await parameters.find(`/runners/${id}/runner_fleet`))?.value ?? '';
  const { labels, group } = JSON.parse(text) as { labels: string[]; group: string };
  const name = `${id}-i-0123456789abcdef0`;
  const { credential } = sandbox.github.runnerSide.register({ token, name, labels, group });
  return { registry, id, credential };
}

const ofGroup = (group: string) =>
  sandbox.github.submitJob({ labels: [], group, repository: 'acme/shop', script: ['true'] }).jobId;
const groupOf = () => sandbox.github.runners().map(({ groupId }) => groupId);
const [inProduction, inQuarantine, inClosed] = [2, 3, 4];

describe('a job that names a group and no label', () => {
  test('reaches no runner in quarantine, and every runner that accepts jobs', async () => {
    const { registry, id, credential } = await openShard();
    const { take } = sandbox.github.runnerSide;
    const jobId = ofGroup('hosted-runners');
    expect(groupOf()).toEqual([inQuarantine]);
    expect(take(credential)).toBeUndefined();
    await registry.route(id, production);
    await sandbox.clock.sleep(lagMs);
    expect(groupOf()).toEqual([inProduction]);
    expect(take(credential)).toMatchObject({ id: jobId });
  });

  test('reaches no draining runner, even if it names the quarantine group', async () => {
    const { registry, id, credential } = await openShard();
    await registry.route(id, production);
    await registry.setIntake(id, 'closed');
    await sandbox.clock.sleep(lagMs);
    ofGroup('hosted-runners');
    ofGroup('hosted-runners-quarantine');
    ofGroup('hosted-runners-closed');
    expect(groupOf()).toEqual([inClosed]);
    expect(sandbox.github.runnerSide.take(credential)).toBeUndefined();
  });
});

describe('the groups of a shard', () => {
  test('return to the production group if a drained shard is reopened', async () => {
    const { registry, id } = await openShard();
    await registry.route(id, production);
    await registry.setIntake(id, 'closed');
    await registry.setIntake(id, 'open');
    expect(groupOf()).toEqual([inProduction]);
  });

  test('return to the quarantine group at a retreat of the candidate', async () => {
    const { registry, id } = await openShard();
    await registry.route(id, production);
    await registry.route(id, quarantine);
    expect(groupOf()).toEqual([inQuarantine]);
  });

  test('stay in the production group if an active shard gets the canary label', async () => {
    const { registry, id } = await openShard();
    await registry.route(id, { tags: ['linux', canary], runUntagged: false });
    expect(groupOf()).toEqual([inProduction]);
  });

  test('leave the intake open while one of its runners is in a different group', async () => {
    const { registry, id } = await openShard();
    await registry.setIntake(id, 'closed');
    expect(await registry.find(id)).toMatchObject({ value: { paused: true } });
    await sandbox.client.request('PUT /orgs/acme/actions/runner-groups/2/runners/301');
    expect(await registry.find(id)).toMatchObject({ value: { paused: false } });
  });

  test('remove the tags while one of its runners is in a different group', async () => {
    const { registry, id } = await openShard();
    await registry.route(id, production);
    await sandbox.client.request('PUT /orgs/acme/actions/runner-groups/1/runners/301');
    expect(await registry.find(id)).toMatchObject({ value: { tags: [] } });
    await registry.route(id, production);
    expect(await registry.find(id)).toMatchObject({ value: { tags: ['linux'] } });
  });

  test('reach hosts that have yet to register, even if the labels are already right', async () => {
    const parameters = createParameters();
    const before = registryOf(sandbox, { parameters });
    const { id } = await before.create({ shard, ...quarantine, note: '' } as never);
    const registry = registryOf(sandbox, { parameters, groups });
    expect(await registry.find(id)).toMatchObject({ value: { tags: [] } });
    await registry.route(id, quarantine);
    expect(await registry.find(id)).toMatchObject({ value: { tags: [canary] } });
  });

  test('default to the default group for a fleet that was written without a group', async () => {
    const parameters = createParameters();
    const { registry, id } = await openShard(parameters);
    await sandbox.client.request('PUT /orgs/acme/actions/runner-groups/1/runners/301');
    await sandbox.client.request('PUT /orgs/acme/actions/runners/301/labels', {
      labels: ['linux'],
    });
    const value = JSON.stringify({ schema: 1, labels: ['linux'], intake: 'open', note: '' });
    await parameters.overwrite({ name: `/runners/${id}/runner_fleet`, value });
    expect(await registry.find(id)).toMatchObject({ value: { tags: ['linux'] } });
  });

  test('stay unchanged for a fleet without a parameter, until its next change', async () => {
    const parameters = createParameters();
    const { registry, id } = await openShard(parameters);
    await registry.route(id, production);
    await sandbox.client.request('PUT /orgs/acme/actions/runner-groups/1/runners/301');
    await parameters.remove(`/runners/${id}/runner_fleet`);
    // An earlier read that lacks the parameter may be older than the write.
    await sandbox.clock.sleep(30_000);
    expect(await registry.find(id)).toMatchObject({ value: { tags: ['linux'] } });
    await registry.route(id, production);
    expect(groupOf()).toEqual([inProduction]);
  });

  test('cause one read in a run', async () => {
    const { registry, id } = await openShard();
    await registry.find(id);
    await registry.find(id);
    const reads = sandbox.sent.filter((call) => call === 'GET /orgs/acme/actions/runner-groups');
    expect(reads).toHaveLength(1);
  });

  test('cause no call if the configuration names no separate groups', async () => {
    const registry = registryOf(sandbox);
    await registry.create({ shard, ...quarantine, note: '' } as never);
    await registry.route('pink-linux' as RegistrationId, production);
    expect(sandbox.sent.filter((call) => call.includes('runner-groups'))).toEqual([]);
  });
});

describe('the check of the groups before a deployment', () => {
  const probe = async (scope = { kind: 'organization', organization: 'acme' } as never) => {
    const registry = registryOf(sandbox, { scope, groups, canaryRepository: 'acme/app' });
    return (await registry.probe({ kind: 'instance' }))[0];
  };
  const what = 'separate runners of organization acme by their groups';
  const [apart, closed] = [groups.apart.quarantine, groups.apart.closed];
  const usual = [
    { name: 'hosted-runners', repositories: 'all' as const },
    { name: apart, repositories: ['acme/app'] },
    { name: closed, repositories: [] },
  ];

  test('accepts groups that are open to the intended jobs', async () => {
    expect(await probe()).toEqual({ what, outcome: 'granted', detail: 'answered' });
  });

  test.each([
    ['a quarantine that is open to all', 1, 'all' as const, 'has the visibility all'],
    ['a quarantine of customers', 1, ['acme/app', 'acme/shop'], 'admits acme/shop'],
    ['a closed group that is open to jobs', 2, ['acme/app'], 'admits acme/app'],
  ])('refuses %s', async (_, place, repositories, detail) => {
    sandbox.github.setGroups(
      usual.map((one, index) => (index === place ? { ...one, repositories } : one)),
    );
    expect(await probe()).toMatchObject({
      outcome: 'missing',
      detail: expect.stringContaining(detail),
    });
  });

  test('refuses a missing group', async () => {
    sandbox.github.setGroups(usual.slice(0, 2));
    expect(await probe()).toMatchObject({
      outcome: 'missing',
      detail: 'it has no own runner group "hosted-runners-closed"',
    });
  });

  test('refuses groups that the token may not read', async () => {
    sandbox.faults.add({
      id: 'refused',
      service: 'github',
      match: { path: '/runner-groups' },
      effect: { kind: 'status', status: 403 },
    });
    expect(await probe()).toMatchObject({ outcome: 'missing' });
  });

  test('accepts an enterprise group that is open to the canary by its workflow', async () => {
    const scope = { kind: 'enterprise', enterprise: 'acme' } as never;
    const whole = 'group "hosted-runners-quarantine" admits 1 organization as a whole';
    expect(await probe(scope)).toMatchObject({ outcome: 'missing', detail: whole });
    const workflows = ['acme/app/.github/workflows/canary.yml@refs/heads/main'];
    sandbox.github.setGroups(
      usual.map((one) => (one.name === apart ? { ...one, workflows } : one)),
    );
    expect(await probe(scope)).toMatchObject({ outcome: 'granted' });
    const foreign = ['acme/apple/.github/workflows/canary.yml@refs/heads/main'];
    sandbox.github.setGroups(
      usual.map((one) => (one.name === apart ? { ...one, workflows: foreign } : one)),
    );
    expect(await probe(scope)).toMatchObject({ outcome: 'missing' });
  });
});
