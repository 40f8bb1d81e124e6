import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault, Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import {
  hostsOf,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';

export const minute = 60_000;
export const hour = 60 * minute;

export const stackOf = (world: World) => world.stacks[0] as StackSettings;

/** Opens a stack with purple promoted and one job of five hours on pink before its drain. */
export async function openPromoted(
  change: (stack: StackSettings) => StackSettings = (one) => one,
  intercept?: Intercept,
) {
  const world = worldWithActive(pink, { stacks: [change(stackSettings())] });
  const scene = openScene(world, intercept);
  await scene.type('prepare');
  await scene.type('onboard');
  submitJob(world, { name: 'long build', tags: ['linux'], durationMs: 5 * hour, visible: true });
  await scene.simulation.advance(10_000);
  await scene.type('provision');
  return { scene, world };
}

export function end(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) terminateHost(world, host, 'world');
  absorb(world);
}

/** Pauses or unpauses the runners of a shard like an operator. */
export function pause(world: World, shard: typeof pink, paused: boolean): void {
  for (const registration of registrationsOf(world, stackOf(world), shard))
    registration.paused = paused;
  absorb(world);
}

/** Makes a shard's machines hang: neither agent nor runner does anything. */
export function hang(world: World, shard: typeof pink): void {
  for (const host of hostsOf(world, stackOf(world), shard)) {
    host.agent = 'lost';
    host.boot = 'never_takes_jobs';
  }
  absorb(world);
}

export function isOpen(world: World, shard: typeof pink): boolean | undefined {
  const [registration] = registrationsOf(world, stackOf(world), shard);
  return registration === undefined ? undefined : !registration.paused;
}

export function irreversibleCalls({ simulation }: Scene): readonly string[] {
  return simulation.trace
    .filter(({ port, method }) =>
      ['host.quit', 'registry.retire', 'infrastructure.destroy'].includes(`${port}.${method}`),
    )
    .map(({ port, method }) => `${port}.${method}`);
}

/** Removes the access to hosts. Jobs and canaries then verify a shard. */
export function removeHostAccess(stack: StackSettings): StackSettings {
  const { healthcheck, host } = stack;
  const evidence = {
    ...healthcheck.evidence,
    instance: 'off',
    host: 'off',
    workload: 'off',
  } as const;
  return { ...stack, host: { ...host, access: 'none' }, healthcheck: { ...healthcheck, evidence } };
}

/** Applies a fault to the first call that pauses a runner. */
export function atPause(fault: () => Fault | undefined): Intercept {
  let isFirst = true;
  return ({ port, method, args }) => {
    if (!isFirst || port !== 'registry' || method !== 'setIntake' || args[1] !== 'closed')
      return undefined;
    isFirst = false;
    return fault();
  };
}

export function noteOf(world: World): Record<string, unknown> {
  const record = parameterValue(world, parametersOf(stackOf(world)).record);
  return (JSON.parse(record ?? '') as { deployment: Record<string, unknown> }).deployment;
}

export function intakeIn(world: World, shard: typeof pink): unknown {
  const record = parameterValue(world, parametersOf(stackOf(world)).record);
  return JSON.parse(record ?? '').shards[shard]?.intake;
}

/** Decides whether the call writes a record in which a shard is confirmed as paused. */
export function notesPause({ port, args }: Call): boolean {
  return port === 'parameters' && JSON.stringify(args[0] ?? '').includes('state\\":\\"paused');
}

/** Kills the first run that stops the old shard's process, right before the stop. */
export function killedAtStop(): Intercept {
  let killed = false;
  return ({ port, method }) => {
    if (killed || port !== 'host' || method !== 'quit') return undefined;
    killed = true;
    return { kind: 'crash_before' };
  };
}
