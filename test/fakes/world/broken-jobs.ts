import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Shard } from '../../../src/domain/shard.ts';
import { submitJob } from './jobs.ts';
import { registrationsOf } from './shards.ts';
import type { World } from './world.ts';

/** Ends jobs of these projects on the shard, a minute apart, by a runner system failure. */
export function breakJobs(
  world: World,
  shard: Shard,
  projects: readonly string[],
  names: readonly string[] = ['build'],
): void {
  for (const [index, project] of projects.entries()) {
    const name = names[index % names.length] ?? '';
    const job = submitJob(world, { name, tags: ['nobody'], durationMs: 1000, project });
    const end = world.now - (projects.length - 1 - index) * 90_000;
    Object.assign(job, {
      status: 'failed',
      failureReason: 'runner_system_failure',
      interruptedBy: 'world',
      registrationId: registrationsOf(world, world.stacks[0] as StackSettings, shard)[0]?.id,
      startedAt: end - 1000,
      finishedAt: end,
    });
  }
}
