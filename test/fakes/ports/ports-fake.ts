import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { effectOf, type Ports } from '../../../src/ports/ports.ts';
import type { CheckLimit } from '../../../src/ports/runner-host.ts';
import { type Call, type CallHooks, performCall } from '../faults/fault-wrapper.ts';
import type { World } from '../world/world.ts';
import { createCanaryFake } from './canary-fake.ts';
import {
  createAccountFake,
  createInstancesFake,
  createInventoryFake,
  createLifecycleHooksFake,
} from './cloud-fakes.ts';
import { createInfrastructureFake } from './infrastructure-fake.ts';
import { createProcessTableFake, createRandomFake } from './machine-fakes.ts';
import { createParametersFake } from './parameters-fake.ts';
import { createPipelinesFake } from './pipelines-fake.ts';
import { createRegistryFake } from './registry/registry-fake.ts';
import { createRunnerHostFake } from './runner-host-fake.ts';
import { createAlarmsFake, createSignalsFake } from './signals-fake.ts';

function isEffect(port: string, method: string): boolean {
  const effect = effectOf(port, method);
  return effect === 'writes' || effect === 'irreversible';
}

export interface PortsRequest {
  readonly world: World;
  readonly clock: Clock;
  readonly stack: StackSettings;
  readonly deploymentId: string;
  readonly jobId: string;
  readonly process: string;
}

/** Creates the fakes without interception, for contract suites. */
export function createBarePorts({
  world,
  clock,
  stack,
  deploymentId,
  jobId,
  process,
}: PortsRequest): Ports {
  return {
    clock,
    random: createRandomFake(world),
    access: { probe: () => Promise.resolve([]) },
    account: createAccountFake(world),
    instances: createInstancesFake(world),
    inventory: createInventoryFake(world),
    hooks: createLifecycleHooksFake(world),
    signals: createSignalsFake(world),
    alarms: createAlarmsFake(world),
    parameters: createParametersFake(world),
    registry: createRegistryFake(world),
    canary: createCanaryFake(world, stack, deploymentId),
    pipelines: createPipelinesFake(world, { deploymentId, jobId }),
    host: createRunnerHostFake(world, clock),
    infrastructure: createInfrastructureFake(world, clock),
    processes: createProcessTableFake(world, process),
  };
}

/**
 * Performs a call in another state of the world; undefined for a call that takes time by itself.
 */
export function performOn(
  world: World,
  { port, method, args }: Pick<Call, 'port' | 'method' | 'args'>,
  request: PortsRequest,
): Promise<unknown> | undefined {
  if (port === 'clock' || (port === 'infrastructure' && isEffect(port, method))) return undefined;
  if (port === 'host' && (args[1] as CheckLimit | undefined)?.untilIdleMs) return undefined;
  const ports = createBarePorts({ ...request, world });
  const methods = ports[port as keyof Ports] as unknown as Record<
    string,
    (...args: readonly unknown[]) => Promise<unknown>
  >;
  return methods[method]?.(...args);
}

/**
 * Wraps the fakes with interception. Synchronous methods (times, random values, processes) stay
 * unwrapped.
 */
export function wrapPorts(ports: Ports, hooks: CallHooks): Ports {
  const wrap = <P extends object>(port: keyof Ports, methods: P): P =>
    wrapMethods({ port, methods, hooks });
  const { clock } = ports;
  return {
    ...ports,
    clock: {
      now: clock.now,
      elapsed: clock.elapsed,
      sleep: (durationMs, signal) =>
        performCall(
          hooks,
          { port: 'clock', method: 'sleep', args: [durationMs], effect: false },
          () => clock.sleep(durationMs, signal),
        ),
    },
    parameters: wrap('parameters', ports.parameters),
    registry: wrap('registry', ports.registry),
    canary: wrap('canary', ports.canary),
    pipelines: wrap('pipelines', ports.pipelines),
    host: wrap('host', ports.host),
    account: wrap('account', ports.account),
    instances: wrap('instances', ports.instances),
    inventory: wrap('inventory', ports.inventory),
    hooks: wrap('hooks', ports.hooks),
    signals: wrap('signals', ports.signals),
    alarms: wrap('alarms', ports.alarms),
    infrastructure: wrap('infrastructure', ports.infrastructure),
    access: wrap('access', ports.access),
  };
}

function wrapMethods<P extends object>({
  port,
  methods,
  hooks,
}: {
  port: string;
  methods: P;
  hooks: CallHooks;
}): P {
  const wrapped = Object.entries(methods).map(([method, member]) => {
    if (typeof member !== 'function') return [method, member];
    if (effectOf(port, method) === 'remembers') return [method, member];
    const effect = isEffect(port, method);
    const invoke = member as (...args: unknown[]) => unknown;
    if (port === 'infrastructure' && effect) {
      return [
        method,
        (...args: unknown[]) =>
          eachStep({
            hooks,
            port,
            method,
            args,
            steps: () => invoke(...args) as AsyncIterable<unknown>,
          }),
      ];
    }
    return [
      method,
      (...args: unknown[]) =>
        performCall(
          hooks,
          { port, method, args, effect },
          () => invoke(...args) as Promise<unknown>,
        ),
    ];
  });
  return Object.fromEntries(wrapped) as P;
}

/**
 * Treats every step of a stream as a separate call: these are the crash points of a partial apply.
 */
async function* eachStep(request: {
  hooks: CallHooks;
  port: string;
  method: string;
  args: readonly unknown[];
  steps: () => AsyncIterable<unknown>;
}): AsyncGenerator<unknown> {
  const { hooks, port, method, args, steps } = request;
  const iterator = steps()[Symbol.asyncIterator]();
  for (let step = 1; ; step += 1) {
    const site = { port, method, args: [args[0], `step ${step}`], whole: args, effect: true };
    const next = await performCall(hooks, site, () => iterator.next());
    if (next.done === true) return;
    yield next.value;
    if ((next.value as { kind?: unknown }).kind === 'done') return;
  }
}
