import type { Place } from '../../model/outcome.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { deploymentOf, placeOf } from '../fakes/deployment-of.ts';
import { atRest } from '../fakes/invariants/at-rest.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { countJobs } from '../fakes/world/job-counts.ts';
import { parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { type Command, drive, type Ending } from '../stages/drive.ts';
import { due, newerId } from './fire.ts';

const hour = 3_600_000;

/**
 * Runs the pipeline's next jobs to the end. Lists errors, violations and leftovers; empty if none.
 */
export async function finishDeployment(world: World): Promise<string[]> {
  const stack = world.stacks[0] as StackSettings;
  const trouble: string[] = [];
  for (let runs = 0; runs < 12 && phaseOf(world, stack) !== 'done'; runs += 1) {
    const phase = phaseOf(world, stack);
    const command = isDueForApproval(world, stack) ? 'promote' : due[phase];
    const ending = await run(world, command, idOf(world, stack) ?? newerId);
    if (ending.kind === 'error') trouble.push(`${phase}: ${ending.error.code} ${ending.text}`);
  }
  await createSimulation({ world }).advance(3 * hour);
  return [...trouble, ...world.violations, ...leftBehind(world), ...jobsLost(world)];
}

/**
 * Lists leftovers. The visible canary of a pipeline whose deployment has a new owner belongs to
 * that pipeline.
 */
function leftBehind(world: World): string[] {
  const others = Object.values(world.jobs).filter(
    ({ kind, deployment }) =>
      kind === 'canary' && deployment !== idOf(world, world.stacks[0] as StackSettings),
  );
  return atRest(world).filter(
    (text) => !others.some(({ id }) => text.startsWith(`O5: canary job ${id} `)),
  );
}

/** Fixes the status and ends a hold, like an operator. */
export function fixStack(world: World, status: string | undefined): void {
  const stack = world.stacks[0] as StackSettings;
  const names = parametersOf(stack);
  world.behaviour.pipelines = 'known';
  removeParameter(world, names.hold);
  for (const pipeline of Object.values(world.pipelines)) pipeline.state = 'finished';
  if (status !== undefined && parameterValue(world, names.status) !== status)
    putParameter(world, { name: names.status, value: status });
  absorb(world);
}

/** Runs the command that an error prints, to its end. */
export async function follow(world: World, command: string): Promise<string[]> {
  const shard = command.replace(/^.*--shard /, '');
  const typed = await run(world, `activate ${shard}` as Command, newerId);
  const finished = await run(world, 'finalize', newerId);
  const trouble = [typed, finished].flatMap((ending) =>
    ending.kind === 'error' ? [`${ending.error.code}: ${ending.error.fields.why?.join(' ')}`] : [],
  );
  await createSimulation({ world }).advance(3 * hour);
  return [...trouble, ...world.violations, ...leftBehind(world), ...jobsLost(world)];
}

function run(world: World, command: Command, deploymentId: string): Promise<Ending> {
  const jobId = `${command} at ${world.now} ${world.counters.random}`;
  return drive(createSimulation({ world }), command, { deploymentId, jobId });
}

function phaseOf(world: World, stack: StackSettings): Place {
  return (placeOf(parameterValue(world, parametersOf(stack).record)) ?? 'none') as Place;
}

/** Decides whether `provision` stopped at `healthy` to wait for an operator's `promote`. */
function isDueForApproval(world: World, stack: StackSettings): boolean {
  const deployment = deploymentOf(parameterValue(world, parametersOf(stack).record));
  return deployment.phase === 'healthy' && deployment.awaits_approval === true;
}

function idOf(world: World, stack: StackSettings): string | undefined {
  return deploymentOf(parameterValue(world, parametersOf(stack).record)).id;
}

function jobsLost(world: World): string[] {
  const { interrupted, lost } = countJobs(world);
  return interrupted + lost === 0 ? [] : [`S3: ${interrupted} interrupted, ${lost} lost`];
}
