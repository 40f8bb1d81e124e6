import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
import { type RegistryWorld, stackShard } from './registry-world.ts';

const note = 'hosted-runner-deploy: 101-5001';
const pink = stackShard('pink', 'linux');
const purple = stackShard('purple', 'linux');

/** Tests the contract of every implementation of the RunnerRegistry port. */
export function registryContract(name: string, make: () => RegistryWorld | Promise<RegistryWorld>) {
  describe(`RunnerRegistry, ${name}`, () => {
    let world: RegistryWorld;
    let registry: RunnerRegistry;
    const executionOf = (reported: 'idle' | 'active') =>
      world.hidesExecution ? 'unknown' : reported;
    beforeEach(async () => {
      world = await make();
      registry = world.registry;
    });
    afterEach(() => world.close());

    function create(shard = pink, tags = ['canary-1-2-linux']) {
      return registry.create({ shard, settings: world.settings, tags, note });
    }
    async function read(id: RegistrationId) {
      const found = await registry.find(id);
      if (found.kind === 'absent') throw new Error(`registration ${id} is absent`);
      return found.value;
    }

    describe('create', () => {
      test('creates a runner in quarantine, with the mark of hosted-runner', async () => {
        const { id, token } = await create();
        expect(token).not.toBe('');
        expect(await read(id)).toMatchObject({
          id,
          description: 'pink-linux',
          note,
          paused: false,
          tags: ['canary-1-2-linux'],
          runUntagged: false,
          contacted: false,
          execution: executionOf('idle'),
        });
      });

      test('creates a second runner when called twice, or returns the same one for a fleet', async () => {
        const [one, other] = [await create(), await create()];
        expect(one.token).not.toBe(other.token);
        const found = await registry.findByShard(pink);
        const ids = [...new Set([one.id, other.id])].sort();
        expect(ids).toHaveLength(registry.traits.registrationsPer === 'shard' ? 2 : 1);
        expect(found.map((each) => each.id).sort()).toEqual(ids);
      });
    });

    describe('findByShard', () => {
      test('returns nothing if there is no runner', async () => {
        expect(await registry.findByShard(pink)).toEqual([]);
      });

      test('returns only runners with the exact description of the shard', async () => {
        const { id } = await create();
        for (const [shard, runner] of [
          ['purple', 'linux'],
          ['pink', 'linux-2'],
          ['hot-pink', 'linux'],
          ['pink', 'Linux'],
        ] as const) {
          await create(stackShard(shard, runner));
        }
        expect((await registry.findByShard(pink)).map((each) => each.id)).toEqual([id]);
      });

      test('returns all matches, however many other runners exist', async () => {
        const { id } = await create();
        for (let index = 0; index < 105; index += 1) {
          const { id: registrationId, token } = await create(stackShard('pink', `s${index}`));
          await world.contact({ registrationId, token, systemId: world.systemIds[0] });
        }
        const { id: second } = await create();
        const found = await registry.findByShard(pink);
        expect(found.map((each) => each.id).sort()).toEqual([...new Set([id, second])].sort());
      });
    });

    describe('route', () => {
      test('replaces the whole tag list', async () => {
        const { id } = await create();
        const runUntagged = world.takesUntagged;
        await registry.route(id, { tags: ['linux', 'docker'], runUntagged });
        const now = await read(id);
        expect([...now.tags].sort()).toEqual(['docker', 'linux']);
        expect(now.runUntagged).toBe(runUntagged);
        await registry.route(id, { tags: ['canary-3-4-linux'], runUntagged: false });
        expect(await read(id)).toMatchObject({ tags: ['canary-3-4-linux'], runUntagged: false });
      });

      test('keeps the intake and the other runners', async () => {
        const [one, other] = [await create(), await create(purple)];
        await registry.setIntake(one.id, 'closed');
        await registry.route(one.id, { tags: ['linux'], runUntagged: false });
        expect((await read(one.id)).paused).toBe(true);
        expect((await read(other.id)).tags).toEqual(['canary-1-2-linux']);
      });
    });

    describe('setIntake', () => {
      test('pauses and unpauses, and can be repeated', async () => {
        const { id } = await create();
        for (const intake of ['closed', 'closed', 'open', 'open'] as const) {
          await registry.setIntake(id, intake);
          expect((await read(id)).paused).toBe(intake === 'closed');
        }
        expect((await read(id)).tags).toEqual(['canary-1-2-linux']);
      });
    });

    describe('workers', () => {
      test('lists none before the first contact, and gives a later one the higher id', async () => {
        const { id, token } = await create();
        expect(await registry.listWorkers(id)).toEqual({ kind: 'found', value: [] });
        for (const systemId of world.systemIds)
          await world.contact({ registrationId: id, token, systemId });
        const workers = await registry.listWorkers(id);
        if (workers.kind === 'absent') throw new Error('the registration is absent');
        const byId = [...workers.value].sort((one, other) => one.id - other.id);
        expect(byId.map((worker) => worker.systemId)).toEqual(world.systemIds);
        expect(
          byId.every(
            (worker) =>
              worker.execution === executionOf('idle') && worker.contactedAt !== undefined,
          ),
        ).toBe(true);
        expect((await read(id)).contacted).toBe(true);
      });
    });

    describe('jobs', () => {
      test('lists a job, whatever its status', async () => {
        const { id, token } = await create(pink, ['linux']);
        const manager = { registrationId: id, token, systemId: world.systemIds[0] };
        for (const status of world.jobStatuses) {
          const jobId = await world.startJob(manager, { tag: 'linux', status });
          const jobs = await registry.listJobs(id);
          expect(jobs).toMatchObject({ kind: 'found', value: [{ id: jobId, status }] });
          await world.finishJob(jobId);
        }
      });

      test('counts as busy while a job runs, and then forgets it', async () => {
        const { id, token } = await create(pink, ['linux']);
        const manager = { registrationId: id, token, systemId: world.systemIds[0] };
        const jobId = await world.startJob(manager, { tag: 'linux', status: 'running' });
        expect((await read(id)).execution).toBe(executionOf('active'));
        await world.finishJob(jobId);
        expect((await read(id)).execution).toBe(executionOf('idle'));
        expect(await registry.listJobs(id)).toEqual({ kind: 'found', value: [] });
      });

      test('excludes jobs of another runner', async () => {
        const [one, other] = [await create(pink, ['linux']), await create(purple, ['docker'])];
        const manager = { registrationId: one.id, token: one.token, systemId: world.systemIds[0] };
        await world.startJob(manager, { tag: 'linux', status: 'running' });
        expect(await registry.listJobs(other.id)).toEqual({ kind: 'found', value: [] });
      });
    });

    test('never counts a missing response as absent, empty or idle', async () => {
      const { id } = await create();
      world.setReads('down');
      const failure = { name: 'PortFailure', effect: 'none' };
      await expect(registry.find(id)).rejects.toMatchObject(failure);
      await expect(registry.findByShard(pink)).rejects.toMatchObject(failure);
      await expect(registry.listWorkers(id)).rejects.toMatchObject(failure);
      await expect(registry.listJobs(id)).rejects.toMatchObject(failure);
      world.setReads('up');
      expect(await read(id)).toMatchObject({ id });
    });
  });
}
