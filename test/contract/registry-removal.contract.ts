import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
import { type RegistryWorld, stackShard } from './registry-world.ts';

const note = 'hosted-runner-deploy: 101-5001';
const pink = stackShard('pink', 'linux');
const purple = stackShard('purple', 'linux');

/** What every implementation keeps when something is taken away, or an answer does not arrive. */
export function registryRemovalContract(
  name: string,
  make: () => RegistryWorld | Promise<RegistryWorld>,
) {
  describe(`RunnerRegistry, ${name}: removal and lost answers`, () => {
    let world: RegistryWorld;
    let registry: RunnerRegistry;
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

    async function workersOf(id: RegistrationId): Promise<number[]> {
      const found = await registry.listWorkers(id);
      return found.kind === 'found' ? found.value.map((worker) => worker.id) : [];
    }

    describe('retire', () => {
      test('removes the registration with its workers, once', async () => {
        const [{ id, token }, other] = [await create(), await create(purple)];
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        await registry.retireWorkers(id, await workersOf(id));
        expect(await registry.retire(id)).toBe('retired');
        expect(await registry.retire(id)).toBe('absent');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
        expect(await registry.listWorkers(id)).toEqual({ kind: 'absent' });
        expect(await registry.listJobs(id)).toEqual({ kind: 'absent' });
        expect(await registry.findByShard(pink)).toEqual([]);
        expect((await registry.findByShard(purple)).map((each) => each.id)).toEqual([other.id]);
      });

      test('leaves what is written of workers that are registered by themselves and still listed', async () => {
        if (registry.traits.registrationsPer === 'shard') return;
        const { id, token } = await create(pink, ['linux']);
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        expect(await registry.retire(id)).toBe('busy');
        await registry.retireWorkers(id, await workersOf(id));
        expect(await registry.retire(id)).toBe('retired');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
      });

      test('leaves nothing that could be changed', async () => {
        const { id } = await create();
        await registry.retire(id);
        const refused = { kind: 'refused', effect: 'none' };
        await expect(registry.setIntake(id, 'closed')).rejects.toMatchObject(refused);
        await expect(
          registry.route(id, { tags: ['linux'], runUntagged: false }),
        ).rejects.toMatchObject(refused);
        await expect(registry.resetToken(id)).rejects.toMatchObject(refused);
      });
    });

    describe('retireWorkers', () => {
      test('tries those that it is given and nobody else, and answers for each by itself', async () => {
        const { id, token } = await create(pink, ['linux']);
        for (const systemId of world.systemIds)
          await world.contact({ registrationId: id, token, systemId });
        const [one, other] = (await workersOf(id)) as [number, number];
        const first = await registry.retireWorkers(id, [one]);
        if (registry.traits.registrationsPer === 'shard') return expect(first).toEqual([]);
        expect(first.map(({ worker, outcome }) => [worker.id, outcome])).toEqual([
          [one, 'removed'],
        ]);
        expect(await workersOf(id)).toEqual([other]);
        expect(await registry.retireWorkers(id, [])).toEqual([]);
        expect(await workersOf(id)).toEqual([other]);
        await registry.retireWorkers(id, [one, other]);
        return expect(await workersOf(id)).toEqual([]);
      });

      test('proves nothing: a worker goes under the job that it has just begun', async () => {
        const { id, token } = await create(pink, ['linux']);
        const manager = { registrationId: id, token, systemId: world.systemIds[0] };
        await world.startJob(manager, { tag: 'linux', status: 'running', fresh: true });
        const answers = await registry.retireWorkers(id, await workersOf(id));
        if (registry.traits.registrationsPer === 'shard') return expect(answers).toEqual([]);
        return expect(answers.map(({ outcome }) => outcome)).toEqual(['removed']);
      });

      test('has nothing to do for a registration that is not there', async () => {
        const { id } = await create();
        await registry.retire(id);
        expect(await registry.retireWorkers(id, [1])).toEqual([]);
      });
    });

    describe('resetToken', () => {
      test('gives a new token to the same registration', async () => {
        const { id, token } = await create();
        const reset = await registry.resetToken(id);
        expect(reset.token).not.toBe(token);
        await world.contact({
          registrationId: id,
          token: reset.token,
          systemId: world.systemIds[0],
        });
        expect((await read(id)).contacted).toBe(true);
      });
    });

    describe('a lost answer', () => {
      /** Either it was settled by reading back, or it says honestly that it does not know. */
      async function tolerate(write: Promise<unknown>): Promise<void> {
        const error = await write.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(isPortFailure(error)).toBe(true);
        expect(error).toMatchObject({ effect: 'unknown' });
      }

      test('of create leaves one registration that findByShard finds', async () => {
        world.loseNextAnswer();
        const lost = create();
        await expect(lost).rejects.toMatchObject({ effect: 'unknown' });
        expect(await registry.findByShard(pink)).toHaveLength(1);
      });

      test('of route and setIntake shows in the next read', async () => {
        const { id, token } = await create();
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        world.loseNextAnswer();
        await tolerate(registry.route(id, { tags: ['linux'], runUntagged: false }));
        expect((await read(id)).tags).toEqual(['linux']);
        world.loseNextAnswer();
        await tolerate(registry.setIntake(id, 'closed'));
        expect((await read(id)).paused).toBe(true);
      });

      test('of retire is settled by calling it again', async () => {
        const { id, token } = await create();
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        await registry.retireWorkers(id, await workersOf(id));
        world.loseNextAnswer();
        await tolerate(registry.retire(id));
        await registry.retire(id);
        expect(await registry.retire(id)).toBe('absent');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
      });

      test('of resetToken is settled by another reset', async () => {
        const { id } = await create();
        world.loseNextAnswer();
        await expect(registry.resetToken(id)).rejects.toMatchObject({ effect: 'unknown' });
        const { token } = await registry.resetToken(id);
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        expect((await read(id)).contacted).toBe(true);
      });
    });
  });
}
