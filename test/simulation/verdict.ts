import type { ErrorCode } from '../../src/domain/error-codes.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { submitJob } from '../fakes/world/jobs.ts';
import { parametersOf, servingShards } from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import type { Ending } from '../stages/drive.ts';
import { deployment, type Going, isTroubled, toldBy } from './going-on.ts';

const hourMs = 3_600_000;

/** What is wrong right after a run of ours, whatever came of it. */
export function judgeRun(world: World, ending: Ending): string[] {
  const told =
    ending.kind === 'error' && ending.error.code === 'Bug'
      ? [`Bug: ${ending.error.fields.why?.join(' ')}`]
      : [];
  return [...world.violations, ...told];
}

/**
 * What a machine's death, or somebody's use of our tag, leaves to be decided or waited for. What a
 * fault kept from being asked may be refused once it is typed. A candidate whose machine has ended or
 * fallen silent is rightly taken back, whatever the run before it had proven.
 */
const leftToPeople = new Set<ErrorCode>([
  'CannotRecover',
  'NothingToRollBack',
  'ServiceLost',
  'ServiceUnproven',
  'NothingServes',
  'InactiveShardHealthy',
  'Retreated',
]);

/**
 * Where customers' jobs are the proof, a machine that hangs gives none for as long as it does not count as
 * silent. Anything else can be found out, or is found to be bad.
 */
function mayStayUnproven({ beginning, struck }: Going): boolean {
  return struck === true && beginning.variant === 'observe';
}

/** L5: whoever goes on after a passing fault needs no person. */
export function judgeRerun(
  going: Going,
  { ending, faulty }: { ending: Ending; faulty: boolean },
): string[] {
  const { beginning, run } = going;
  if (ending.kind !== 'error' || faulty || run === 0) return [];
  const { code, exitCode, fields } = ending.error;
  if (exitCode === 75 || beginning.record === 'edited' || code === 'Held') return [];
  // Whose deployment its bake took back never ends well, and goes on to its end all the same.
  if (code === 'TakenBack') return [];
  // An older record that arrives in a run ends it, and the next one goes on.
  if (going.late === true && code === 'ForeignWrite') return [];
  if (code === 'HealthInconclusive' && mayStayUnproven(going)) return [];
  if (isTroubled(going) && (leftToPeople.has(code) || toldBy(ending) !== undefined)) return [];
  return [`L5: run ${run} ended in ${code}: ${fields.why?.join(' ')}`];
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
