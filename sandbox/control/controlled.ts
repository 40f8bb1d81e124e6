import type { Faults } from '../faults.ts';
import type { GitHub } from '../github/github.ts';
import type { GitLab } from '../gitlab/answers/surface.ts';
import type { Fleet } from '../hosts/fleet.ts';
import type { StackSettings } from '../hosts/stack-settings.ts';
import type { Stacks } from '../hosts/stacks.ts';
import type { Signals } from '../signals/signals.ts';
import type { SandboxClock } from '../surroundings/clock.ts';

/** Parts of the sandbox that the control API changes. */
export interface Controlled {
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly gitlab: GitLab;
  readonly github: GitHub;
  readonly fleet: Fleet;
  readonly stacks: Stacks;
  readonly settings: StackSettings;
  readonly signals: Signals;
  readonly address: { readonly url: string; readonly ssmUrl: string; readonly folder: string };
}
