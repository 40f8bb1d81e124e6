import { PortFailure } from '../../../src/ports/failure.ts';
import type { NewParameter, Parameter, StateStore } from '../../../src/ports/state-store.ts';
import { letHostsStart } from '../hosts/hosts.ts';
import { letHostsRegister } from '../hosts/registering.ts';
import { wakeManagers } from '../world/jobs.ts';
import type { ParameterState, World } from '../world/world.ts';

const standardTierBytes = 4096;
const keptVersions = 100;

type Version = ParameterState['versions'][number];

/**
 * Creates Parameter Store with versions, patterns, limits, blocked names after a deletion, and
 * stale reads.
 */
export function createParametersFake(world: World): StateStore {
  function put(parameter: NewParameter): number {
    const version = putParameter(world, parameter);
    if (parameter.name.endsWith('/runner_token')) {
      letHostsRegister(world);
      letHostsStart(world);
      wakeManagers(world);
    }
    return version;
  }

  return {
    async find(name) {
      const version = versionShown(world, name);
      return version === undefined ? undefined : shown(version);
    },
    async create(parameter) {
      const removed = world.removed[parameter.name];
      const resting =
        removed !== undefined && world.now - removed.at < world.behaviour.nameFreeAfterMs;
      if (resting || world.parameters[parameter.name] !== undefined) return { kind: 'taken' };
      return { kind: 'created', version: put(parameter) };
    },
    async overwrite(parameter) {
      return { version: put(parameter) };
    },
    async remove(name) {
      if (world.behaviour.runners !== undefined) forgetFleet(world, name);
      const state = world.parameters[name];
      if (state === undefined) return 'absent';
      removeParameter(world, name);
      return 'removed';
    },
    async findVersion(name, number) {
      const version = world.parameters[name]?.versions.find((one) => one.version === number);
      return version === undefined ? undefined : shown(version);
    },
    async listVersions(name) {
      const versions = versionsShown(world, name);
      return versions.length === 0 ? undefined : versions.map(shown);
    },
  };
}

/**
 * Removes the model's registration of a fleet. The desired state of GitHub's runners exists only in
 * Parameter Store.
 */
function forgetFleet(world: World, name: string): void {
  const shard = /([^/]+)\/runner_fleet$/.exec(name)?.[1];
  for (const { id, description } of Object.values(world.registrations))
    if (shard !== undefined && description.startsWith(`${shard}-`)) delete world.registrations[id];
}

/** Writes a parameter as the store does, for the product or for an operator in the console. */
export function putParameter(world: World, parameter: NewParameter): number {
  const { name, value, allowedPattern, secret = false } = parameter;
  const state = world.parameters[name];
  const pattern = state?.allowedPattern ?? allowedPattern;
  if (value === '') throw refused('ValidationException: the value must have length at least 1');
  if (Buffer.byteLength(value) > standardTierBytes) {
    throw refused(
      'ValidationException: Standard tier parameters support a maximum parameter value of 4096 characters',
    );
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    throw refused(
      'ParameterPatternMismatchException: Parameter value, cannot be validated against allowedPattern',
    );
  }
  const before = state?.versions.at(-1);
  const version = (before?.version ?? 0) + 1;
  const written = {
    value,
    version,
    modifiedAt: world.now,
    secret: secret || (before?.secret ?? false),
  };
  if (state === undefined) {
    world.parameters[name] = {
      versions: [written],
      ...(allowedPattern === undefined ? {} : { allowedPattern }),
    };
  } else {
    state.versions.push(written);
  }
  delete world.removed[name];
  world.history.push({
    at: world.now,
    kind: 'parameter_written',
    name,
    version,
    value,
    secret: written.secret,
    ...(before === undefined ? {} : { before: before.value }),
  });
  return version;
}

export function removeParameter(world: World, name: string): void {
  const value = world.parameters[name]?.versions.at(-1);
  if (value === undefined) return;
  delete world.parameters[name];
  world.removed[name] = { at: world.now, value };
  world.history.push({ at: world.now, kind: 'parameter_removed', name, before: value.value });
}

/** Returns the version that a stale read shows: the previous one, or none before the creation. */
function versionShown(world: World, name: string): Version | undefined {
  return versionsShown(world, name).at(-1);
}

function versionsShown(world: World, name: string): readonly Version[] {
  const versions = world.parameters[name]?.versions ?? [];
  const removed = world.removed[name];
  const newest = versions.at(-1);
  const changedAt = newest?.modifiedAt ?? removed?.at;
  const kept = versions.slice(-keptVersions);
  if (changedAt === undefined || !isStale(world, world.now - changedAt)) return kept;
  if (newest === undefined) return removed === undefined ? [] : [removed.value];
  return kept.slice(0, -1);
}

function isStale({ behaviour }: World, ageMs: number): boolean {
  if (ageMs < behaviour.staleForMs) return true;
  if (behaviour.staleReads === 0) return false;
  behaviour.staleReads -= 1;
  return ageMs < behaviour.settledMs;
}

function shown({ value, version, modifiedAt }: Version): Parameter {
  return { value, version, modifiedAt: new Date(modifiedAt).toISOString() };
}

function refused(detail: string): PortFailure {
  return new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'SSM PutParameter',
    detail,
    status: 400,
  });
}
