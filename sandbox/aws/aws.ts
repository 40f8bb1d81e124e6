import type { Hono } from 'hono';
import type { Faults } from '../faults.ts';
import type { Fleet } from '../hosts/fleet.ts';
import type { SandboxWindows } from '../options.ts';
import type { Signals } from '../signals/signals.ts';
import type { SandboxRandom } from '../surroundings/random.ts';
import type { SandboxStore } from '../surroundings/store.ts';
import { type Admit, wishesOf } from './access/authorization.ts';
import { iamOperations, stsOperations } from './access/iam-operations.ts';
import { alarmOperations } from './alarm-operations.ts';
import { commandOperations } from './commands/command-operations.ts';
import { Commands } from './commands/commands.ts';
import { Documents } from './commands/documents.ts';
import { createFront } from './front.ts';
import { autoScalingOperations, Groups } from './machines/auto-scaling-operations.ts';
import { ec2Operations } from './machines/ec2-operations.ts';
import { Leftovers } from './machines/leftovers.ts';
import { taggingOperations } from './machines/tagging-operations.ts';
import type { Forward } from './parameters/forward.ts';
import { parameterOperations } from './parameters/parameter-operations.ts';
import { Parameters } from './parameters/parameters.ts';
import { Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';

export interface Aws {
  readonly app: Hono;
  readonly parameters: Parameters;
  readonly leftovers: Leftovers;
  readonly groups: Groups;
  readonly commands: Commands;
  readonly sessions: Sessions;
}

/** Creates all AWS services at one address. */
export function createAws(world: AwsWorld): Aws {
  const { store, fleet, random, now, windows } = world;
  const { recreateAfterMs, updateMs } = windows;
  const parameters = new Parameters({ store, now, recreateAfterMs, updateMs });
  const commands = new Commands({
    fleet,
    random,
    now,
    visibleAfterMs: windows.commandVisibleAfterMs,
    undeliveredAfterMs: windows.undeliveredAfterMs,
  });
  const leftovers = new Leftovers(store);
  const groups = new Groups(store, now);
  const sessions = new Sessions({
    random,
    now,
    longestSessionSeconds: windows.longestSessionSeconds,
  });
  const app = createFront({
    json: {
      ...parameterOperations(parameters),
      ...commandOperations(commands, new Documents(store), {
        fleet,
        now,
        seenOnlineMs: windows.agentSeenOnlineMs,
        listedAfterMs: windows.commandVisibleAfterMs * 2,
      }),
      ...taggingOperations({ fleet, leftovers }),
      ...alarmOperations(world.signals),
    },
    query: {
      ec2: ec2Operations({ fleet, leftovers, groups, lagMs: windows.ec2LagMs, now }),
      autoscaling: autoScalingOperations(groups),
      sts: stsOperations(sessions),
      iam: iamOperations(world.admit, leftovers),
    },
    parameters,
    sessions,
    chooseLagMs: () => (random.fraction() < 0.5 ? windows.readsLagMs : 0),
    faults: world.faults,
    access: {
      wishes: (call) => wishesOf({ fleet, leftovers, groups, parameters }, call),
      admit: world.admit,
    },
    reads: new Throttle({ perSecond: windows.parameterReadsPerSecond, burst: 40, now }),
    writes: new Throttle({ perSecond: windows.parameterWritesPerSecond, burst: 10, now }),
    forward: world.forward,
  });
  return { app, parameters, leftovers, groups, commands, sessions };
}

export interface AwsWorld {
  readonly store: SandboxStore;
  readonly random: SandboxRandom;
  readonly faults: Faults;
  readonly fleet: Fleet;
  readonly signals: Signals;
  readonly windows: SandboxWindows;
  readonly forward: Forward | undefined;
  readonly admit: Admit;
  now(): number;
}
