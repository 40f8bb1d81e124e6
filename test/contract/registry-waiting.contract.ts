import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isPortFailure } from '../../src/ports/failure.ts';
import type { RunnerRegistry, WaitingJobs } from '../../src/ports/registry.ts';
import { type RegistryWorld, stackShard } from './registry-world.ts';

const pink = stackShard('pink', 'linux');

/** Tests the contract of `listWaitingJobs`: an unknown result never appears as an empty one. */
export function registryWaitingContract(
  name: string,
  make: () => RegistryWorld | Promise<RegistryWorld>,
  { lists = true }: { readonly lists?: boolean } = {},
) {
  describe(`RunnerRegistry.listWaitingJobs, ${name}`, () => {
    let world: RegistryWorld;
    let registry: RunnerRegistry;
    let waits: NonNullable<RegistryWorld['waits']>;
    beforeEach(async () => {
      world = await make();
      registry = world.registry;
      if (lists) waits = world.waits as NonNullable<RegistryWorld['waits']>;
    });
    afterEach(() => world.close());

    if (!lists) {
      test('refuses, because no source lists waiting jobs', async () => {
        await expect(registry.listWaitingJobs(['acme/app'])).rejects.toMatchObject({
          name: 'PortFailure',
          kind: 'refused',
          effect: 'none',
        });
      });
      return;
    }

    test('lists waiting jobs with their tags', async () => {
      const ids = [await waits.submit(['linux', 'docker']), await waits.submit([])];
      const { jobs, unread, missing } = await registry.listWaitingJobs([waits.project]);
      expect([unread, missing]).toEqual([[], []]);
      expect(jobs).toEqual([
        { id: ids[1], name: expect.any(String), project: waits.project, tags: [] },
        { id: ids[0], name: expect.any(String), project: waits.project, tags: expect.anything() },
      ]);
      expect([...(jobs[1]?.tags ?? [])].sort()).toEqual(['docker', 'linux']);
    });

    test('lists no job that was given to a runner, whatever its status', async () => {
      const { id, token } = await registry.create({
        shard: pink,
        settings: world.settings,
        tags: ['linux'],
        note: '',
      });
      const manager = { registrationId: id, token, systemId: world.systemIds[0] };
      for (const status of world.jobStatuses) {
        const jobId = await world.startJob(manager, { tag: 'linux', status });
        expect(await registry.listWaitingJobs([waits.project])).toEqual({
          jobs: [],
          unread: [],
          missing: [],
        });
        await world.finishJob(jobId);
      }
    });

    test('names an invisible project, and lists the waiting jobs of the others', async () => {
      const id = await waits.submit(['linux']);
      const listed = await registry.listWaitingJobs([waits.project, 'nobody/nothing']);
      expect(listed).toMatchObject({ jobs: [{ id }], unread: [], missing: ['nobody/nothing'] });
    });

    test('never counts a missing response as no waiting job', async () => {
      const { project } = waits;
      await waits.submit(['linux']);
      world.setReads('down');
      const result = await registry.listWaitingJobs([project]).catch((error: unknown) => error);
      if (isPortFailure(result)) return expect(result).toMatchObject({ effect: 'none' });
      expect((result as WaitingJobs).unread).toMatchObject([{ project }]);
    });
  });
}
