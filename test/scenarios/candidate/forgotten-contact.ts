import { purple, stackSettings } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';

/** Clears the contact like GitLab up to 18.0 after the last manager's removal. */
export function forgetContact(world: World): void {
  for (const host of hostsOf(world, stackSettings(), purple)) terminateHost(world, host, 'world');
  for (const registration of registrationsOf(world, stackSettings(), purple)) {
    registration.managers = [];
    registration.contacted = false;
  }
  absorb(world);
}
