import { type RegistrationId, shardDescription } from '../../../../src/domain/shard.ts';
import type { NewRegistration, NewToken } from '../../../../src/ports/registry.ts';
import { iso } from '../../clock/virtual-clock.ts';
import type { RegistrationState, World } from '../../world/world.ts';

/** Adds a registration like `create`. */
export function addRegistration(
  world: World,
  request: NewRegistration,
): { id: RegistrationId } & NewToken {
  const { shard, settings, tags, note } = request;
  world.counters.registration += 1;
  const id = String(world.counters.registration) as RegistrationId;
  const description = shardDescription(shard);
  const token = tokenOfNow(world);
  const { maximumTimeoutSeconds, scope } = settings;
  world.registrations[id] = {
    id,
    description,
    note,
    paused: false,
    tags: [...tags],
    runUntagged: false,
    locked: scope.kind !== 'project' && settings.locked,
    accessLevel: settings.accessLevel,
    scope,
    ...(maximumTimeoutSeconds === undefined ? {} : { maximumTimeoutSeconds }),
    projects: scope.kind === 'project' ? [scope.projectId] : [],
    ...token,
    createdAt: world.now,
    contacted: false,
    managers: [],
  };
  world.history.push({ at: world.now, kind: 'registration_created', id, description });
  return { id, ...token };
}

/** Writes a shard's settings for GitHub's runners once. Each write creates a token. */
export function writeFleet(
  world: World,
  request: NewRegistration,
): { id: RegistrationId; token: string } {
  const description = shardDescription(request.shard);
  const all = Object.values(world.registrations);
  const known = all.find((one) => one.description === description);
  if (known === undefined) return addRegistration(world, request);
  Object.assign(known, { tags: [...request.tags], note: request.note, paused: false });
  return { id: known.id as RegistrationId, token: tokenBeside(world, known) };
}

export function tokenBeside(world: World, registration: RegistrationState): string {
  registration.olderTokens = [...(registration.olderTokens ?? []), registration.token];
  registration.token = newToken(world);
  return registration.token;
}

/** Creates a GitLab token with its expiry time. */
export function tokenOfNow(world: World): NewToken {
  const { tokenLifeMs } = world.behaviour;
  const token = newToken(world);
  return tokenLifeMs === undefined ? { token } : { token, expiresAt: iso(world.now + tokenLifeMs) };
}

export function newToken(world: World): string {
  world.counters.token += 1;
  return `glrt-fake${String(world.counters.token).padStart(16, '0')}`;
}
