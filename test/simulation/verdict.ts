import type { ErrorCode } from '../../src/domain/error-codes.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { submitJob } from '../fakes/world/jobs.ts';
import { listAcceptingShards, parametersOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import type { Ending } from '../stages/drive.ts';
import { deployment, findAdvice, type Going, isTroubled } from './continuation.ts';

const hourMs = 3_600_000;

/** Lists violations right after a run, with any result. */
export function judgeRun(world: World, ending: Ending): string[] {
  const bugs =
    ending.kind === 'error' && ending.error.code === 'Bug'
      ? [`Bug: ${ending.error.fields.why?.join(' ')}`]
      : [];
  return [...world.violations, ...bugs];
}

/**
 * Errors that a machine's death, or a customer's use of the canary's tag, may leave to an operator.
 * A command may also be refused because a fault prevented its query. A candidate whose machine
 * ended or became unresponsive is correctly undone, whatever an earlier run verified.
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
 * Decides whether health may stay inconclusive. If customer jobs are the only evidence, a hanging
 * machine gives none until it counts as unresponsive. Every other case ends in a verdict.
 */
function mayStayUnproven({ beginning, struck }: Going): boolean {
  return struck === true && beginning.variant === 'observe';
}

/** Checks L5: after a temporary fault, the next run needs no operator. */
export function judgeRerun(
  going: Going,
  { ending, faulty }: { ending: Ending; faulty: boolean },
): string[] {
  const { beginning, run } = going;
  if (ending.kind !== 'error' || faulty || run === 0) return [];
  const { code, exitCode, fields } = ending.error;
  if (exitCode === 75 || beginning.record === 'edited' || code === 'Held') return [];
  // A deployment that its bake rolled back never succeeds, but still runs to its end.
  if (code === 'TakenBack') return [];
  // An older record that arrives during a run ends this run, and the next one continues.
  if (going.late === true && code === 'ForeignWrite') return [];
  if (code === 'HealthInconclusive' && mayStayUnproven(going)) return [];
  if (isTroubled(going) && (leftToPeople.has(code) || findAdvice(ending) !== undefined)) return [];
  return [`L5: run ${run} ended in ${code}: ${fields.why?.join(' ')}`];
}

/** Lists violations in the final state: lost jobs, leftovers, a shard that takes no job. */
export async function judgeRest(world: World): Promise<string[]> {
  const { advance } = createSimulation({ world });
  await advance(3 * hourMs);
  const probe = submitJob(world, { name: 'probe', tags: ['linux'], durationMs: 1000 });
  await advance(300_000);
  const found = [...world.violations, ...leftBehind(world), ...lostJobs(world)];
  if (probe.status !== 'success') found.push(`L1: a job submitted at rest is ${probe.status}`);
  return found;
}

/**
 * Lists leftovers. The visible canary of a pipeline whose deployment has a new owner belongs to
 * that pipeline.
 */
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

export function acceptsJobs(world: World): boolean {
  return listAcceptingShards(world, world.stacks[0] as StackSettings).length > 0;
}

export function lockHolder(world: World): string | undefined {
  const { lock } = parametersOf(world.stacks[0] as StackSettings);
  return world.parameters[lock]?.versions.at(-1)?.value;
}
