import { type CanaryJobs, canaryEffects } from './canary.ts';
import { type Clock, clockEffects } from './clock.ts';
import { type Access, type Account, accessEffects, accountEffects } from './cloud/account.ts';
import { type Alarms, alarmEffects } from './cloud/alarms.ts';
import { type Instances, instanceEffects } from './cloud/instances.ts';
import { type Inventory, inventoryEffects } from './cloud/inventory.ts';
import { hookEffects, type LifecycleHooks } from './cloud/lifecycle-hooks.ts';
import type { EffectKind, Effects } from './effect.ts';
import { type Infrastructure, infrastructureEffects } from './infrastructure.ts';
import { type Pipelines, pipelineEffects } from './pipelines.ts';
import { type Random, randomEffects } from './random.ts';
import { type RunnerRegistry, registryEffects } from './registry.ts';
import { type ProcessTable, processEffects } from './run.ts';
import { hostEffects, type RunnerHost } from './runner-host.ts';
import { type Signals, signalEffects } from './signals.ts';
import { parameterEffects, type StateStore } from './state-store.ts';

/**
 * All external systems in hosted-runner's terms: one set per stack, each port wrapped for
 * cancellation and logging.
 */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly parameters: StateStore;
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
  readonly alarms: Alarms;
  readonly signals: Signals;
}

/** Effects of all methods of all ports, for code that wraps them. */
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
  alarms: alarmEffects,
  signals: signalEffects,
} as const satisfies { readonly [Name in keyof Ports]: Effects<Ports[Name]> };

/** Returns the effect of a method; undefined if the port has no such method. */
export function effectOf(port: string, method: string): EffectKind | undefined {
  const methods: Readonly<Record<string, EffectKind>> | undefined =
    portEffects[port as keyof Ports];
  return methods !== undefined && Object.hasOwn(methods, method) ? methods[method] : undefined;
}

type Declared = typeof portEffects;

type Irreversible<Name extends keyof Ports> = {
  [Method in keyof Declared[Name]]: Declared[Name][Method] extends 'irreversible' ? Method : never;
}[keyof Declared[Name]];

/**
 * Name of every declared method as `port.method`: code that uses a renamed one no longer compiles.
 */
export type CallName = {
  [Name in keyof Ports]: `${Name}.${keyof Declared[Name] & string}`;
}[keyof Ports];

export type IrreversibleCall = {
  [Name in keyof Ports]: `${Name}.${Irreversible<Name> & string}`;
}[keyof Ports];

/** Arguments of the named method. */
export type ArgumentsOf<Call extends CallName> = Call extends `${infer Name}.${infer Method}`
  ? Parameters<Extract<MethodOf<Name, Method>, (...args: never[]) => unknown>>
  : never;

type MethodOf<Name, Method> = Name extends keyof Ports
  ? Method extends keyof Ports[Name]
    ? Ports[Name][Method]
    : never
  : never;

export function portOf(call: CallName): keyof Ports {
  return call.slice(0, call.indexOf('.')) as keyof Ports;
}

/**
 * Ports without irreversible methods, as stages receive them. The methods left out are available
 * from `src/stages/service/irreversible.ts`, which first checks that a shard accepts jobs.
 */
export type BarredPorts = {
  readonly [Name in keyof Ports]: Omit<Ports[Name], Irreversible<Name> & string>;
};

/** Method of a port, as seen by code that wraps all of them. */
export type PortMethod = (...args: unknown[]) => unknown;

export interface NamedMethod {
  readonly port: string;
  readonly method: string;
  /** Undefined if no port declares the method. */
  readonly effect: EffectKind | undefined;
}

/**
 * Wraps every method of the ports with `wrap`. A proxy is used because a port may be no plain
 * object and cannot be copied. The type system cannot prove that the result has all methods, so
 * this function has the only cast.
 */
export function wrapMethods<Wrapped extends BarredPorts>(
  ports: Wrapped,
  wrap: (call: PortMethod, named: NamedMethod) => PortMethod,
): Wrapped {
  const wrapped = Object.entries<object>(ports).map(([port, methods]) => [
    port,
    new Proxy(methods, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method);
        if (typeof value !== 'function' || typeof method !== 'string') return value;
        return wrap(value.bind(target), { port, method, effect: effectOf(port, method) });
      },
    }),
  ]);
  return Object.fromEntries(wrapped) as Wrapped;
}
