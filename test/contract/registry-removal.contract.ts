import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistrationId } from '../../src/domain/shard.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
import { type RegistryWorld, stackShard } from './registry-world.ts';

const note = 'hosted-runner-deploy: 101-5001';
const pink = stackShard('pink', 'linux');
const purple = stackShard('purple', 'linux');

/** Tests the contract of every implementation for removals and lost responses. */
export function registryRemovalContract(
  name: string,
  make: () => RegistryWorld | Promise<RegistryWorld>,
) {
  describe(`RunnerRegistry, ${name}: removal and lost responses`, () => {
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
      test('removes the runner with its workers, once', async () => {
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

      test('keeps the fleet parameter while workers that registered themselves are listed', async () => {
        if (registry.traits.registrationsPer === 'shard') return;
        const { id, token } = await create(pink, ['linux']);
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        expect(await registry.retire(id)).toBe('busy');
        await registry.retireWorkers(id, await workersOf(id));
        expect(await registry.retire(id)).toBe('retired');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
      });

      test('leaves nothing that a change could reach', async () => {
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
      test('removes only the given workers, and returns a result for each', async () => {
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

      test('proves no idleness: a worker is removed under the job that it has just started', async () => {
        const { id, token } = await create(pink, ['linux']);
        const manager = { registrationId: id, token, systemId: world.systemIds[0] };
        await world.startJob(manager, { tag: 'linux', status: 'running', fresh: true });
        const answers = await registry.retireWorkers(id, await workersOf(id));
        if (registry.traits.registrationsPer === 'shard') return expect(answers).toEqual([]);
        return expect(answers.map(({ outcome }) => outcome)).toEqual(['removed']);
      });

      test('does nothing for a runner that does not exist', async () => {
        const { id } = await create();
        await registry.retire(id);
        expect(await registry.retireWorkers(id, [1])).toEqual([]);
      });
    });

    describe('resetToken', () => {
      test('returns a new token for the same runner', async () => {
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

    describe('a lost response', () => {
      /** Accepts a write that was confirmed by a read, or that reports an unknown effect. */
      async function tolerate(write: Promise<unknown>): Promise<void> {
        const error = await write.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(isPortFailure(error)).toBe(true);
        expect(error).toMatchObject({ effect: 'unknown' });
      }

      test('leaves, after create, one runner that findByShard finds', async () => {
        world.loseNextAnswer();
        const lost = create();
        await expect(lost).rejects.toMatchObject({ effect: 'unknown' });
        expect(await registry.findByShard(pink)).toHaveLength(1);
      });

      test('leaves the effect of route and setIntake visible in the next read', async () => {
        const { id, token } = await create();
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        world.loseNextAnswer();
        await tolerate(registry.route(id, { tags: ['linux'], runUntagged: false }));
        expect((await read(id)).tags).toEqual(['linux']);
        world.loseNextAnswer();
        await tolerate(registry.setIntake(id, 'closed'));
        expect((await read(id)).paused).toBe(true);
      });

      test('needs, after retire, a second retire', async () => {
        const { id, token } = await create();
        await world.contact({ registrationId: id, token, systemId: world.systemIds[0] });
        await registry.retireWorkers(id, await workersOf(id));
        world.loseNextAnswer();
        await tolerate(registry.retire(id));
        await registry.retire(id);
        expect(await registry.retire(id)).toBe('absent');
        expect(await registry.find(id)).toEqual({ kind: 'absent' });
      });

      test('needs, after resetToken, another reset', async () => {
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
