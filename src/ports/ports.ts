import type { Access } from './access.ts';
import type { Account } from './account.ts';
import type { CanaryJobs } from './canary.ts';
import type { Clock } from './clock.ts';
import type { ProcessTable } from './host.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Instances } from './instances.ts';
import type { Inventory } from './inventory.ts';
import type { LifecycleHooks } from './lifecycle-hooks.ts';
import type { ParameterStore } from './parameters.ts';
import type { Pipelines } from './pipelines.ts';
import type { Random } from './random.ts';
import type { RunnerRegistry } from './registry.ts';
import type { RunnerHost } from './runner-host.ts';

/** Everything outside of us, in our words; one set for each stack, each wrapped by the seam. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly parameters: ParameterStore;
  readonly registry: RunnerRegistry;
  readonly canary: CanaryJobs;
  readonly pipelines: Pipelines;
  readonly host: RunnerHost;
  readonly infrastructure: Infrastructure;
  readonly processes: ProcessTable;
  readonly access: Access;
  readonly account: Account;
  readonly instances: Instances;
  readonly inventory: Inventory;
  readonly hooks: LifecycleHooks;
}
