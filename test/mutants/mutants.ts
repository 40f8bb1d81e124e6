import { answers } from './list/answers.ts';
import { aws } from './list/aws.ts';
import { bake } from './list/bake.ts';
import { bakeStep } from './list/bake-step.ts';
import { canaries } from './list/canaries.ts';
import { cloud } from './list/cloud.ts';
import { configuration } from './list/configuration.ts';
import { destruction } from './list/destruction.ts';
import { entries } from './list/entries.ts';
import { faults } from './list/faults.ts';
import { github } from './list/github.ts';
import { gitlab } from './list/gitlab.ts';
import { guardless } from './list/guards.ts';
import { hosts } from './list/hosts.ts';
import { lock } from './list/lock.ts';
import { operators } from './list/operators.ts';
import { order } from './list/order.ts';
import { owners } from './list/owners.ts';
import { plans } from './list/plans.ts';
import { promises } from './list/promises.ts';
import { promotion } from './list/promotion.ts';
import { recovery } from './list/recovery.ts';
import { removal } from './list/removal.ts';
import { retirement } from './list/retirement.ts';
import { service } from './list/service.ts';
import { state } from './list/state.ts';
import { statusSwitch } from './list/switch.ts';
import { takeovers } from './list/takeovers.ts';
import { terraform } from './list/terraform.ts';
import { transport } from './list/transport.ts';
import { witnesses } from './list/witnesses.ts';
import { workers } from './list/workers.ts';
import type { Mutant } from './mutant.ts';

/** Every breakage that a test has to notice. */
export const mutants: readonly Mutant[] = [
  ...guardless,
  ...order,
  ...state,
  ...lock,
  ...promotion,
  ...faults,
  ...bake,
  ...bakeStep,
  ...statusSwitch,
  ...retirement,
  ...destruction,
  ...removal,
  ...recovery,
  ...service,
  ...witnesses,
  ...entries,
  ...operators,
  ...takeovers,
  ...aws,
  ...gitlab,
  ...answers,
  ...terraform,
  ...github,
  ...hosts,
  ...cloud,
  ...canaries,
  ...owners,
  ...plans,
  ...transport,
  ...configuration,
  ...promises,
  ...workers,
];
