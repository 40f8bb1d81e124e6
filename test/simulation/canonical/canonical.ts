import { createHash } from 'node:crypto';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Parameter } from '../../../src/ports/state-store.ts';
import { holdIn } from '../../../src/stages/record/hold-parameter.ts';
import { isSeenAfterEnd } from '../../fakes/hosts/hosts.ts';
import { lockHolder } from '../../fakes/world/lock-holder.ts';
import { parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { HostState, RegistrationState, World } from '../../fakes/world/world.ts';
import type { WorldEvent } from '../../fakes/world/world-event.ts';
import { age, createNames, type Names } from './canonical-names.ts';
import { canonicalRecord } from './canonical-record.ts';

/**
 * Hashes a world. Worlds with the same hash continue alike: ids become ordinals and times become
 * ages up to the thresholds. Customer jobs count only as present or absent. History, finished jobs
 * and removed hosts have no effect and are left out.
 */
export function canonicalHash(world: World): string {
  return createHash('sha1').update(canonicalText(world)).digest('base64').slice(0, 16);
}

/** Hashes everything, to prove that the same seed gives the same world. */
export function exactHash(...values: readonly unknown[]): string {
  return createHash('sha1').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

export function canonicalText(world: World): string {
  const names = createNames();
  const stack = world.stacks[0] as StackSettings;
  return JSON.stringify([
    canonicalRecord(world, stack, names),
    parameters(world, stack, names),
    Object.values(world.registrations).map((one) => registration(world, one, names)),
    Object.values(world.hosts)
      .filter(({ state }) => state === 'running')
      .map((one) => host(world, one, names)),
    Object.values(world.hosts)
      .filter((one) => isSeenAfterEnd(world, one))
      .map(({ name, createdAt }) => [name, age(world, createdAt)]),
    Object.values(world.infrastructure),
    Object.entries(world.pipelines).map(([id, { state, jobs }]) => [
      names.of('pipeline', id),
      state,
      Object.values(jobs).includes('running'),
    ]),
    jobs(world, names),
    events(world, names),
    behaviour(world),
    world.tagged.map(({ shard, resource }) => [shard, resource.kind]),
    world.hooks.map(({ shard, hook }) => [shard, hook.hook, hook.instance]),
    Object.entries(world.checks.switches).map(([id, count]) => [
      names.of('pipeline', id.split(' ')[1] ?? ''),
      count,
    ]),
    Object.entries(world.checks.directions).map(([id, to]) => [
      names.of('pipeline', id.split(' ')[1] ?? ''),
      to,
    ]),
    Math.round(world.skewMs / 60_000),
  ]);
}

function parameters(world: World, stack: StackSettings, names: Names): unknown {
  const known = parametersOf(stack);
  const holder = lockHolder(world, stack);
  return [
    parameterValue(world, known.status),
    holder === undefined ? '' : names.of('pipeline', holder.deployment),
    holdIn(world.parameters[known.hold]?.versions.at(-1) as Parameter | undefined) === undefined,
    stack.shards.map((shard) => {
      const token = parameterValue(world, known.token(shard));
      return token === undefined ? '' : names.of('token', token);
    }),
    Object.entries(world.removed).flatMap(([name, { at }]) =>
      world.now - at < world.behaviour.nameFreeAfterMs ? [name] : [],
    ),
  ];
}

function registration(world: World, state: RegistrationState, names: Names): unknown {
  return [
    names.of('registration', state.id),
    state.description,
    state.note.replace(/\d+-\d+/g, (id) => names.of('pipeline', id)),
    state.paused,
    state.tags.map((tag) => tag.replace(/\d+-\d+/, (id) => names.of('pipeline', id))),
    state.runUntagged,
    names.of('token', state.token),
    // Only GitHub's tokens expire.
    world.behaviour.runners === undefined ? '' : age(world, state.createdAt),
    state.contacted,
    state.managers.map(({ id, hostId, contactedAt }) => [
      names.of('manager', String(id)),
      contactedAt !== undefined,
      world.hosts[hostId]?.state === 'running' ? names.of('host', hostId) : 'gone',
    ]),
  ];
}

function host(world: World, state: HostState, names: Names): unknown {
  return [
    names.of('host', state.id),
    state.name,
    state.agent,
    state.cutOff ?? '',
    (state.unheard ?? []).length,
    state.process,
    state.restarts,
    state.boot,
    state.token === undefined ? '' : names.of('token', state.token),
    state.registrationId === undefined ? '' : names.of('registration', state.registrationId),
    state.managed,
    state.jobs.some((id) => world.jobs[id]?.kind === 'customer'),
    state.jobs.filter((id) => world.jobs[id]?.kind === 'canary').map((id) => names.of('job', id)),
  ];
}

/** Returns the canaries of unfinished pipelines, newest last. */
function jobs(world: World, names: Names): unknown {
  const canaries = Object.values(world.jobs).filter(({ kind }) => kind === 'canary');
  const waiting = world.queue.some((id) => world.jobs[id]?.kind === 'customer');
  const alive = world.alive
    .map((id) => world.jobs[id])
    .filter((job) => job?.kind === 'customer')
    .map((job) => [job?.status, job?.interruptedBy, job?.registrationId])
    .map(([status, by, id]) => [status, by, names.of('registration', id ?? '')].join(' '));
  return [
    canaries.map((job) => [
      names.of('job', job.id),
      names.of('pipeline', job.deployment ?? ''),
      job.status,
      job.managerId === undefined ? '' : names.of('manager', String(job.managerId)),
    ]),
    waiting,
    [...new Set(alive)].sort(),
  ];
}

function events(world: World, names: Names): unknown {
  return world.events.flatMap(({ at, event }) => {
    if (event.kind === 'manager_polls' || !canStillHappen(world, event)) return [];
    if (event.kind === 'effect_arrives')
      return [[event.kind, event.port, event.method, JSON.stringify(event.args), age(world, at)]];
    if ('hostId' in event) return [[event.kind, names.of('host', event.hostId), age(world, at)]];
    if (!('jobId' in event) || world.jobs[event.jobId]?.kind !== 'canary') return [];
    return [[event.kind, names.of('job', event.jobId), age(world, at)]];
  });
}

/**
 * Decides whether an event can still have an effect. It has none for a removed host or an earlier
 * attempt.
 */
function canStillHappen({ hosts, jobs }: World, event: WorldEvent): boolean {
  if ('hostId' in event) return hosts[event.hostId]?.state === 'running';
  if (!('jobId' in event)) return true;
  const job = jobs[event.jobId];
  if (job?.attempt !== event.attempt) return false;
  const isOfAssignment = event.kind === 'job_acknowledged' || event.kind === 'job_requeued';
  return !isOfAssignment || job.status === 'assigned';
}

function behaviour({ behaviour: of }: World): unknown {
  return [
    of.revision,
    of.plans,
    of.boots,
    of.applyFailures,
    of.destroyFailures,
    of.taken,
    of.staleReads,
    of.pipelines,
    of.runners,
    of.gitlab,
    of.graphQl,
    of.jobsVisible,
  ];
}
