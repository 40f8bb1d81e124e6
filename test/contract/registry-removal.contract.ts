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

    describe('retire', () => {
      test('removes the registration with its workers, once', async () => {
        const [{ id, token }, other] = [await create(), await create(purple)];
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        expect(await registry.retire(id)).toBe('retired');
        expect(await registry.retire(id)).toBe('absent');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
        expect(await registry.listWorkers(id)).toEqual({ kind: 'absent' });
        expect(await registry.listJobs(id)).toEqual({ kind: 'absent' });
        expect(await registry.findByShard(pink)).toEqual([]);
        expect((await registry.findByShard(purple)).map((each) => each.id)).toEqual([other.id]);
      });

      test('leaves a busy worker where it is, if a removal is to prove that it is idle', async () => {
        if (!registry.traits.removalProvesIdle) return;
        const { id, token } = await create(pink, ['linux']);
        const manager = { registrationId: id, token, systemId: world.systemIds[0] };
        const jobId = await world.startJob(manager, { tag: 'linux', status: 'running' });
        expect(await registry.retire(id)).toBe('busy');
        expect(await registry.listJobs(id)).toMatchObject({ value: [{ id: jobId }] });
        await world.finishJob(jobId);
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
      test('answers for each worker by itself; a busy one stays, and one that is spared is not tried', async () => {
        const { id, token } = await create(pink, ['linux']);
        const managers = world.systemIds.map((systemId) => ({
          registrationId: id,
          token,
          systemId,
        }));
        const [busy, idle] = [managers[0], managers[1]] as const;
        if (busy === undefined || idle === undefined) throw new Error('two workers are wanted');
        const jobId = await world.startJob(busy, { tag: 'linux', status: 'running' });
        await world.contact(idle);
        const first = await registry.retireWorkers(id);
        if (!registry.traits.removalProvesIdle) return expect(first).toEqual([]);
        expect(first.map(({ outcome }) => outcome)).toEqual(['busy', 'removed']);
        const spare = first.flatMap(({ worker, outcome }) =>
          outcome === 'busy' ? [worker.id] : [],
        );
        const second = await registry.retireWorkers(id, { spare });
        expect(second.map(({ outcome }) => outcome)).toEqual(['spared']);
        await world.finishJob(jobId);
        const third = await registry.retireWorkers(id);
        expect(third.map(({ outcome }) => outcome)).toEqual(['removed']);
        expect(await registry.listWorkers(id)).toEqual({ kind: 'found', value: [] });
        return expect(await registry.retireWorkers(id)).toEqual([]);
      });

      test('has nothing to do for a registration that is not there', async () => {
        const { id } = await create();
        await registry.retire(id);
        expect(await registry.retireWorkers(id)).toEqual([]);
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
