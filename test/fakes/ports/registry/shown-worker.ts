import type { RegistrationId } from '../../../../src/domain/shard.ts';
import type { Worker } from '../../../../src/ports/registry.ts';
import { iso } from '../../clock/virtual-clock.ts';
import { lastContact } from '../../hosts/hosts.ts';
import { aliveJobs } from '../../hosts/runner-removal.ts';
import type { ManagerState, World } from '../../world/world.ts';
import { executionInRest } from '../execution.ts';

/** Returns a manager as the registry lists it. */
export function shownWorker(world: World, id: RegistrationId, manager: ManagerState): Worker {
  const host = world.hosts[manager.hostId];
  const contactedAt =
    (host === undefined ? undefined : lastContact(world, host)) ?? manager.contactedAt;
  const jobs = aliveJobs(world, id).filter(({ managerId }) => managerId === manager.id);
  return {
    id: manager.id,
    systemId: manager.systemId,
    version: manager.version,
    ...(contactedAt === undefined ? {} : { contactedAt: iso(contactedAt) }),
    createdAt: iso(manager.createdAt),
    execution: executionInRest(world, jobs),
    ...(world.behaviour.runners === undefined ? {} : { hostId: manager.hostId }),
  };
}
