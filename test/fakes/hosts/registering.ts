import type { HostState, RegistrationState, World } from '../world/world.ts';
import { tokenParameter } from './token-parameter.ts';

/** Removes an ephemeral runner after its only job. Its host registers another one. */
export function leaveAfterJob(world: World, host: HostState): void {
  const registration = world.registrations[host.registrationId ?? ''];
  if (world.behaviour.runners !== 'github_ephemeral' || registration === undefined) return;
  const left = registration.managers.find(({ id }) => id === host.managerId);
  if (left === undefined) return;
  registration.managers = registration.managers.filter((one) => one !== left);
  delete host.managerId;
  registerRunner(world, host);
}

/**
 * Registers a runner like `prepare-runner.sh`: waits while the fleet is paused, and for an
 * unexpired token.
 */
function registerRunner(world: World, host: HostState): void {
  const registration = world.registrations[host.registrationId ?? ''];
  if (registration === undefined || registration.paused || host.managerId !== undefined) return;
  if (host.state !== 'running' || host.process !== 'running' || hasEnded(world, host)) return;
  world.counters.manager += 1;
  host.managerId = world.counters.manager;
  const { managerId: id, systemId, version, id: hostId } = host;
  const { now: createdAt } = world;
  registration.managers.push({ id, systemId, version, createdAt, contactedAt: createdAt, hostId });
}

const registeringMs = 55 * 60_000;

function hasEnded(world: World, host: HostState): boolean {
  if (world.behaviour.tokensEnd !== true) return false;
  const written = tokenParameter(world, host)?.modifiedAt ?? Number.NEGATIVE_INFINITY;
  return world.now - written >= registeringMs;
}

/**
 * Registers a host that read its fleet right before the pause. The runner has the labels but stays
 * offline, because the host reads the fleet again before it starts the runner.
 */
export function registerLate(world: World, host: HostState): void {
  const registration = world.registrations[host.registrationId ?? ''];
  if (registration === undefined) return;
  world.counters.manager += 1;
  const { systemId, version, id: hostId } = host;
  const late = { id: world.counters.manager, systemId, version, hostId, createdAt: world.now };
  registration.managers.push({ ...late, keepsLabels: true });
}

export function isLeftOpen({ managers }: RegistrationState): boolean {
  return managers.some(({ keepsLabels }) => keepsLabels === true);
}

export function closeLatecomers({ managers }: RegistrationState): void {
  for (const manager of managers) delete manager.keepsLabels;
}

/** Registers the hosts that waited for an unpaused fleet or a token. */
export function letHostsRegister(world: World): void {
  if (world.behaviour.runners !== 'github_ephemeral') return;
  for (const host of Object.values(world.hosts)) registerRunner(world, host);
}

/** Adds a manager that runs on a machine outside the stack and has just requested jobs. */
export function addStranger(world: World, registration: RegistrationState): void {
  registration.managers.push({
    id: 900,
    systemId: 's_0123456789ab',
    version: '19.2.0',
    createdAt: world.now,
    contactedAt: world.now,
    hostId: 'a laptop',
  });
}
