import type { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Fleet } from '../hosts/fleet.ts';
import type { SandboxWindows } from '../options.ts';
import type { SandboxRandom } from '../world/random.ts';
import type { SandboxStore } from '../world/store.ts';
import { commandOperations } from './command-operations.ts';
import { Commands } from './commands.ts';
import type { Forward } from './forward.ts';
import { parameterOperations } from './parameter-operations.ts';
import { Parameters } from './parameters.ts';
import { createSsm } from './ssm.ts';
import { Throttle } from './throttle.ts';

/** Parameter Store, Run Command and STS behind one address. */
export function createAws(world: AwsWorld): { app: Hono; parameters: Parameters } {
  const { store, fleet, random, now, windows } = world;
  const parameters = new Parameters({ store, now, recreateAfterMs: windows.recreateAfterMs });
  const commands = new Commands({
    fleet,
    random,
    now,
    visibleAfterMs: windows.commandVisibleAfterMs,
  });
  const app = createSsm({
    operations: {
      ...parameterOperations(parameters),
      ...commandOperations(commands, fleet, now),
    },
    parameters,
    faults: world.faults,
    reads: new Throttle({ perSecond: windows.parameterReadsPerSecond, burst: 40, now }),
    writes: new Throttle({ perSecond: windows.parameterWritesPerSecond, burst: 10, now }),
    forward: world.forward,
  });
  return { app, parameters };
}

export interface AwsWorld {
  readonly store: SandboxStore;
  readonly random: SandboxRandom;
  readonly faults: Faults;
  readonly fleet: Fleet;
  readonly windows: SandboxWindows;
  readonly forward: Forward | undefined;
  now(): number;
}
