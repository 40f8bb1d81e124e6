import { purple, stackSettings } from '../fakes/builders.ts';
import { absorb } from '../fakes/checker.ts';
import { terminateHost } from '../fakes/hosts.ts';
import { hostsOf, registrationsOf } from '../fakes/serving.ts';
import type { World } from '../fakes/world.ts';

/** As GitLab up to 18.0 does once the last manager of a runner is removed from its list. */
export function forgetContact(world: World): void {
  for (const host of hostsOf(world, stackSettings(), purple)) terminateHost(world, host, 'world');
  for (const registration of registrationsOf(world, stackSettings(), purple)) {
    registration.managers = [];
    registration.contacted = false;
  }
  absorb(world);
}
