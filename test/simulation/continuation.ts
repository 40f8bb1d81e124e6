import type { Place } from '../../model/outcome.ts';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { due, newerId } from '../cells/fire.ts';
import { deploymentOf, placeOf } from '../fakes/deployment-of.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { happened } from '../fakes/world/happened.ts';
import { lockHolder } from '../fakes/world/lock-holder.ts';
import {
  activeShard,
  listAcceptingShards,
  parametersOf,
  parameterValue,
} from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command, Ending } from '../stages/drive.ts';
import type { Beginning } from './beginnings/scenario.ts';
import { troubled } from './beginnings/variants.ts';
import type { RunOrder } from './one-run.ts';

/** Id for commands of an operator during another deployment. */
const typedId = '1-400';
/** Id of the pipeline after all others. */
const nextId = '1-500';

/** State besides the world that decides the next run. */
export interface Going {
  readonly beginning: Beginning;
  readonly run: number;
  /** Command that an error printed for the operator. */
  readonly command?: Command | undefined;
  /** Whether machines were struck since. */
  readonly struck?: boolean;
  /** Whether a request is still in flight. */
  readonly late?: boolean;
}

/**
 * Returns the next run: the command that an error printed, or the pipeline's command for the phase.
 */
export function nextOrder(world: World, going: Going): RunOrder | undefined {
  const { beginning, run, command: advice } = going;
  const stack = world.stacks[0] as StackSettings;
  const { phase, id } = deployment(world);
  const jobId = `job ${run}`;
  if (run === 0) {
    // After a finished deployment, the next deployment starts.
    const begins = beginning.record === 'adopted' || (phase === 'done' && isEdited(beginning));
    const command = firstCommand(beginning, phase);
    // `doctor` runs under a separate id, not as the job that it examines.
    const own = command.startsWith('doctor') ? typedId : (id ?? newerId);
    return { command, deploymentId: begins ? newerId : own, jobId };
  }
  if (advice !== undefined && !endsJobs(world, advice))
    return { command: advice, deploymentId: typedId, jobId };
  // No deployment can start without a status, so the operator runs `doctor --fix` until it is
  // fixed.
  if (phase === 'done' && parameterValue(world, parametersOf(stack).status) === undefined)
    return { command: 'doctor --fix', deploymentId: typedId, jobId };
  const { candidate } = deploymentOf(parameterValue(world, parametersOf(stack).record));
  // The next deployment finds the edit of a finished one and prints the command to type.
  if (phase === 'done' && isEdited(beginning) && candidate !== activeShard(world, stack))
    return { command: 'prepare', deploymentId: newerId, jobId };
  // All machines have died, so customer jobs wait for the next deployment.
  if (phase === 'done' && isTroubled(going) && listAcceptingShards(world, stack).length === 0)
    return { command: 'prepare', deploymentId: nextId, jobId };
  // The record is done. A job that died afterwards or lost its lock still runs again.
  if (phase === 'done' && lockHolder(world, stack) === undefined) return undefined;
  return { command: due[phase], deploymentId: id ?? newerId, jobId };
}

/**
 * Decides whether the printed command would end a machine with jobs. An operator checks this first.
 */
function endsJobs(world: World, advice: Command): boolean {
  return jobsOnWhatEnds(world, advice).length > 0;
}

/** Lists the jobs on the machine to be ended. A hanging machine runs none of its jobs. */
function jobsOnWhatEnds(world: World, advice: Command | undefined): readonly string[] {
  const host = world.hosts[hostThatEnds(advice) ?? ''];
  return host === undefined || host.cutOff === 'hangs' ? [] : host.jobs;
}

function hostThatEnds(advice: Command | undefined): string | undefined {
  return advice?.startsWith('recover terminate ') ? advice.split(' ').at(-1) : undefined;
}

/**
 * Returns how long an operator waits, in milliseconds, for the jobs and the network of a machine to
 * be ended.
 */
export function untilItsJobsEndMs(world: World, advice: Command | undefined): number {
  const jobs = jobsOnWhatEnds(world, advice);
  if (jobs.length === 0) return 0;
  const ends = world.events.filter(
    ({ event }) =>
      (event.kind === 'job_ends' && jobs.includes(event.jobId)) ||
      (event.kind === 'host_comes_back' && event.hostId === hostThatEnds(advice)),
  );
  return Math.max(0, ...ends.map(({ at }) => at - world.now));
}

/** Decides whether an operator has to decide. */
export function isTroubled({ beginning, struck }: Pick<Going, 'beginning' | 'struck'>): boolean {
  const { variant } = beginning;
  return struck === true || (variant !== undefined && troubled.includes(variant));
}

function firstCommand({ first, record, place }: Beginning, phase: Place): Command {
  if (first !== undefined) return first;
  if (record === 'adopted' || place === 'nothing') return 'prepare';
  return phase === 'done' && record === 'edited' ? 'prepare' : due[phase];
}

function isEdited({ record }: Beginning): boolean {
  return record === 'edited';
}

export function deployment(world: World): { phase: Place; id: string | undefined } {
  const { record } = parametersOf(world.stacks[0] as StackSettings);
  const text = parameterValue(world, record);
  return { phase: (placeOf(text) ?? 'none') as Place, id: deploymentOf(text).id };
}

/** Returns the command that an error prints for an edited status or a dead shard. */
export function findAdvice(ending: Ending): Command | undefined {
  if (ending.kind !== 'error') return undefined;
  if (ending.error.code === 'TakenBackBefore') return 'prepare --again';
  const text = (ending.error.fields.fix ?? []).join('\n');
  const shard = /hosted-runner activate .*--shard (pink|purple)/.exec(text)?.[1];
  if (shard !== undefined) return `activate ${shard}` as Command;
  if (text.includes('hosted-runner rollback ')) return 'rollback';
  if (text.includes('--although-nothing-serves')) return 'recover although';
  const [, method, instance] =
    /recover .*--method (cleanup|replace|terminate|auto)(?: --instance (\S+))?/.exec(text) ?? [];
  if (method === undefined) return undefined;
  return (
    instance === undefined ? `recover ${method}` : `recover ${method} ${instance}`
  ) as Command;
}

/** Reverts an edit that no printed command completes, and releases the hold, like an operator. */
export function revertStatus(world: World): void {
  const stack = world.stacks[0] as StackSettings;
  const names = parametersOf(stack);
  const versions = world.parameters[names.status]?.versions ?? [];
  const before = versions.at(-2);
  const last = versions.at(-1);
  if (before !== undefined && last !== undefined && before.value !== last.value) {
    const active = stack.shards.find((shard) =>
      before.value.startsWith(`{"active_shard":"${shard}"`),
    );
    if (active !== undefined)
      putParameter(world, { name: names.status, value: formatStatus(stack.shards, active) });
  }
  happened(world, { kind: 'person', did: 'took the edit of the status back' });
  absorb(world);
}
