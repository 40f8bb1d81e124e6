import { type CanaryJobs, canaryEffects } from './canary.ts';
import { type Clock, clockEffects } from './clock.ts';
import { type Access, accessEffects } from './cloud/access.ts';
import { type Account, accountEffects } from './cloud/account.ts';
import { type Instances, instanceEffects } from './cloud/instances.ts';
import { type Inventory, inventoryEffects } from './cloud/inventory.ts';
import { hookEffects, type LifecycleHooks } from './cloud/lifecycle-hooks.ts';
import type { Effect, Effects } from './effect.ts';
import { type Infrastructure, infrastructureEffects } from './infrastructure.ts';
import { type Pipelines, pipelineEffects } from './pipelines.ts';
import { type Random, randomEffects } from './random.ts';
import { type RunnerRegistry, registryEffects } from './registry.ts';
import { type ProcessTable, processEffects } from './run.ts';
import { hostEffects, type RunnerHost } from './runner-host.ts';
import { type ParameterStore, parameterEffects } from './state-store.ts';

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

/** What each method of each port does, in one place for those who wrap them all. */
export const portEffects = {
  clock: clockEffects,
  random: randomEffects,
  parameters: parameterEffects,
  registry: registryEffects,
  canary: canaryEffects,
  pipelines: pipelineEffects,
  host: hostEffects,
  infrastructure: infrastructureEffects,
  processes: processEffects,
  access: accessEffects,
  account: accountEffects,
  instances: instanceEffects,
  inventory: inventoryEffects,
  hooks: hookEffects,
} as const satisfies { readonly [Name in keyof Ports]: Effects<Ports[Name]> };

/** Undefined for what is no method of the port. */
export function effectOf(port: string, method: string): Effect | undefined {
  const methods: Readonly<Record<string, Effect>> | undefined = portEffects[port as keyof Ports];
  return methods !== undefined && Object.hasOwn(methods, method) ? methods[method] : undefined;
}

type Declared = typeof portEffects;

type Irreversible<Name extends keyof Ports> = {
  [Method in keyof Declared[Name]]: Declared[Name][Method] extends 'irreversible' ? Method : never;
}[keyof Declared[Name]];

/**
 * The ports without what no call takes back: all that a stage is handed. The rest is had from
 * `stages/irreversible.ts`, which asks the judge of service first.
 */
export type BarredPorts = {
  readonly [Name in keyof Ports]: Omit<Ports[Name], Irreversible<Name> & string>;
};
