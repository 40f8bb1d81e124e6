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
  parametersOf,
  parameterValue,
  servingShards,
} from '../fakes/world/serving.ts';
import type { World } from '../fakes/world/world.ts';
import type { Command, Ending } from '../stages/drive.ts';
import type { Beginning } from './beginnings/scenario.ts';
import { troubled } from './beginnings/variants.ts';
import type { RunOrder } from './one-run.ts';

/** An id for what a person types while the deployment of another id stands. */
const typedId = '1-400';
/** Of the pipeline that comes after everything. */
const nextId = '1-500';

/** What has to be known beside the world to say what is run next. */
export interface Going {
  readonly beginning: Beginning;
  readonly run: number;
  /** What an error told a person to type. */
  readonly told?: Command | undefined;
  /** Something has happened to machines since. */
  readonly struck?: boolean;
  /** A request has been left under way. */
  readonly late?: boolean;
}

/** What is run next: what a person was told to type, or what the pipeline does at this place. */
export function nextOrder(world: World, going: Going): RunOrder | undefined {
  const { beginning, run, told } = going;
  const stack = world.stacks[0] as StackSettings;
  const { phase, id } = deployment(world);
  const jobId = `job ${run}`;
  if (run === 0) {
    // Who comes next at a finished deployment is the next one.
    const begins = beginning.record === 'adopted' || (phase === 'done' && isEdited(beginning));
    const command = firstCommand(beginning, phase);
    // Who examines a stack is not the job that he asks after.
    const own = command.startsWith('doctor') ? typedId : (id ?? newerId);
    return { command, deploymentId: begins ? newerId : own, jobId };
  }
  if (told !== undefined && !endsJobs(world, told))
    return { command: told, deploymentId: typedId, jobId };
  // Nobody can begin anything: a person asks the doctor, until it is mended.
  if (phase === 'done' && parameterValue(world, parametersOf(stack).status) === undefined)
    return { command: 'doctor --fix', deploymentId: typedId, jobId };
  const { candidate } = deploymentOf(parameterValue(world, parametersOf(stack).record));
  // An edit of a finished deployment is found by the next one, which says what to type.
  if (phase === 'done' && isEdited(beginning) && candidate !== activeShard(world, stack))
    return { command: 'prepare', deploymentId: newerId, jobId };
  // Every machine has died: customers' jobs wait for the next deployment.
  if (phase === 'done' && isTroubled(going) && servingShards(world, stack).length === 0)
    return { command: 'prepare', deploymentId: nextId, jobId };
  // The record is done; a job that died after that, or lost its lock, is run again all the same.
  if (phase === 'done' && lockHolder(world, stack) === undefined) return undefined;
  return { command: due[phase], deploymentId: id ?? newerId, jobId };
}

/** Whoever is asked to end a machine once no job runs there looks first. */
function endsJobs(world: World, told: Command): boolean {
  return jobsOnWhatEnds(world, told).length > 0;
}

/** A machine that hangs runs none of its jobs any more. */
function jobsOnWhatEnds(world: World, told: Command | undefined): readonly string[] {
  const host = world.hosts[hostThatEnds(told) ?? ''];
  return host === undefined || host.cutOff === 'hangs' ? [] : host.jobs;
}

function hostThatEnds(told: Command | undefined): string | undefined {
  return told?.startsWith('recover terminate ') ? told.split(' ').at(-1) : undefined;
}

/** A person who is asked to end a machine waits for its jobs, and for its network: so long, in milliseconds. */
export function untilItsJobsEndMs(world: World, told: Command | undefined): number {
  const jobs = jobsOnWhatEnds(world, told);
  if (jobs.length === 0) return 0;
  const ends = world.events.filter(
    ({ event }) =>
      (event.kind === 'job_ends' && jobs.includes(event.jobId)) ||
      (event.kind === 'host_comes_back' && event.hostId === hostThatEnds(told)),
  );
  return Math.max(0, ...ends.map(({ at }) => at - world.now));
}

/** Whether it is one in which a person has to decide. */
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

/** The command that an error prints for an edit by hand, or for a shard that has died. */
export function toldBy(ending: Ending): Command | undefined {
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

/** A person takes an edit back that no printed command makes whole, and lets go of a hold. */
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
