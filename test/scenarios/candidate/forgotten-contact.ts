import { purple, stackSettings } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';

/** As GitLab up to 18.0 does once the last manager of a runner is removed from its list. */
export function forgetContact(world: World): void {
  for (const host of hostsOf(world, stackSettings(), purple)) terminateHost(world, host, 'world');
  for (const registration of registrationsOf(world, stackSettings(), purple)) {
    registration.managers = [];
    registration.contacted = false;
  }
  absorb(world);
}
