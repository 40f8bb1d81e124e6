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

/** Everything outside of us, in our words; one set for each stack, each wrapped by the seam. */
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
  alarms: alarmEffects,
  signals: signalEffects,
} as const satisfies { readonly [Name in keyof Ports]: Effects<Ports[Name]> };

/** Undefined for what is no method of the port. */
export function effectOf(port: string, method: string): EffectKind | undefined {
  const methods: Readonly<Record<string, EffectKind>> | undefined =
    portEffects[port as keyof Ports];
  return methods !== undefined && Object.hasOwn(methods, method) ? methods[method] : undefined;
}

type Declared = typeof portEffects;

type Irreversible<Name extends keyof Ports> = {
  [Method in keyof Declared[Name]]: Declared[Name][Method] extends 'irreversible' ? Method : never;
}[keyof Declared[Name]];

/** `port.method` of everything that is declared: who decides by such a name no longer compiles once it is renamed. */
export type CallName = {
  [Name in keyof Ports]: `${Name}.${keyof Declared[Name] & string}`;
}[keyof Ports];

export type IrreversibleCall = {
  [Name in keyof Ports]: `${Name}.${Irreversible<Name> & string}`;
}[keyof Ports];

/** What the method of that name is asked with. */
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
 * The ports without what no call takes back: all that a stage is handed. The rest is had from
 * `src/stages/service/irreversible.ts`, which asks the judge of service first.
 */
export type BarredPorts = {
  readonly [Name in keyof Ports]: Omit<Ports[Name], Irreversible<Name> & string>;
};

/** A method of a port, as whoever wraps them all knows it. */
export type PortMethod = (...args: unknown[]) => unknown;

export interface NamedMethod {
  readonly port: string;
  readonly method: string;
  /** Undefined for what no port declares. */
  readonly effect: EffectKind | undefined;
}

/**
 * The same ports, each method in what `wrap` makes of it. A port may be no plain object, so that it
 * cannot be copied; and that each has its own methods again is more than a type can follow through all
 * of them, so that the one cast of it stands here.
 */
export function wrapMethods<Wrapped extends BarredPorts>(
  ports: Wrapped,
  wrap: (ask: PortMethod, named: NamedMethod) => PortMethod,
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
