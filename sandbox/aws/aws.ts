import type { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Fleet } from '../hosts/fleet.ts';
import type { SandboxWindows } from '../options.ts';
import type { SandboxRandom } from '../world/random.ts';
import type { SandboxStore } from '../world/store.ts';
import { type Admit, wishesOf } from './authorization.ts';
import { autoScalingOperations, Groups } from './auto-scaling-operations.ts';
import { commandOperations } from './command-operations.ts';
import { Commands } from './commands.ts';
import { ec2Operations } from './ec2-operations.ts';
import type { Forward } from './forward.ts';
import { createFront } from './front.ts';
import { iamOperations } from './iam-operations.ts';
import { Leftovers } from './leftovers.ts';
import { parameterOperations } from './parameter-operations.ts';
import { Parameters } from './parameters.ts';
import { stsOperations } from './sts-operations.ts';
import { taggingOperations } from './tagging-operations.ts';
import { Throttle } from './throttle.ts';

export interface Aws {
  readonly app: Hono;
  readonly parameters: Parameters;
  readonly leftovers: Leftovers;
  readonly groups: Groups;
  readonly commands: Commands;
}

/** Everything of AWS behind one address. */
export function createAws(world: AwsWorld): Aws {
  const { store, fleet, random, now, windows } = world;
  const parameters = new Parameters({ store, now, recreateAfterMs: windows.recreateAfterMs });
  const commands = new Commands({
    fleet,
    random,
    now,
    visibleAfterMs: windows.commandVisibleAfterMs,
  });
  const leftovers = new Leftovers(store);
  const groups = new Groups(store);
  const app = createFront({
    json: {
      ...parameterOperations(parameters),
      ...commandOperations(commands, fleet, now),
      ...taggingOperations({ fleet, leftovers }),
    },
    query: {
      ec2: ec2Operations({ fleet, leftovers }),
      autoscaling: autoScalingOperations(groups),
      sts: stsOperations,
      iam: iamOperations(world.admit, leftovers),
    },
    parameters,
    faults: world.faults,
    access: {
      wishes: (call) => wishesOf({ fleet, leftovers, groups, parameters }, call),
      admit: world.admit,
    },
    reads: new Throttle({ perSecond: windows.parameterReadsPerSecond, burst: 40, now }),
    writes: new Throttle({ perSecond: windows.parameterWritesPerSecond, burst: 10, now }),
    forward: world.forward,
  });
  return { app, parameters, leftovers, groups, commands };
}

export interface AwsWorld {
  readonly store: SandboxStore;
  readonly random: SandboxRandom;
  readonly faults: Faults;
  readonly fleet: Fleet;
  readonly windows: SandboxWindows;
  readonly forward: Forward | undefined;
  readonly admit: Admit;
  now(): number;
}
