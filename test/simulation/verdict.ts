import type { StackSettings } from '../../src/domain/settings.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { submitJob } from '../fakes/world/jobs.ts';
import { parametersOf, servingShards } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import type { Ending } from '../stages/drive.ts';
import { deployment } from './going-on.ts';

const hourMs = 3_600_000;

/** What is wrong right after a run of ours, whatever came of it. */
export function judgeRun(world: World, ending: Ending): string[] {
  const told =
    ending.kind === 'error' && ending.error.code === 'Bug'
      ? [`Bug: ${ending.error.fields.why?.join(' ')}`]
      : [];
  return [...world.violations, ...told];
}

/** What is wrong once everything has been finished: lost jobs, leftovers, a shard that takes none. */
export async function judgeRest(world: World): Promise<string[]> {
  const { advance } = createSimulation({ world });
  await advance(3 * hourMs);
  const probe = submitJob(world, { name: 'probe', tags: ['linux'], durationMs: 1000 });
  await advance(300_000);
  const found = [...world.violations, ...leftBehind(world), ...lostJobs(world)];
  if (probe.status !== 'success') found.push(`L1: a job submitted at rest is ${probe.status}`);
  return found;
}

/** The visible canary of a pipeline whose deployment is another's by now belongs to that pipeline. */
function leftBehind(world: World): string[] {
  const { id } = deployment(world);
  const others = Object.values(world.jobs).filter(
    ({ kind, deployment: of }) => kind === 'canary' && of !== id,
  );
  return atRest(world).filter((text) => !others.some((job) => text.includes(`job ${job.id} `)));
}

function lostJobs(world: World): string[] {
  return Object.values(world.jobs)
    .filter(({ kind, status }) => kind === 'customer' && status !== 'success')
    .filter(({ interruptedBy: by }) => by !== 'world')
    .filter(({ interruptedBy: by }) => by !== 'force' || !world.behaviour.killAllowed)
    .map(({ id, name, status }) => `S3: job ${id} "${name}" is ${status}`);
}

export function serves(world: World): boolean {
  return servingShards(world, world.stacks[0] as StackSettings).length > 0;
}

export function lockHolder(world: World): string | undefined {
  const { lock } = parametersOf(world.stacks[0] as StackSettings);
  return world.parameters[lock]?.versions.at(-1)?.value;
}
