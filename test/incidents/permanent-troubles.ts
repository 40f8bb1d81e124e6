import { shardDescription } from '../../src/domain/shard.ts';
import type { FailureKind } from '../../src/ports/failure.ts';
import { strikeMachines } from '../fakes/faults/disturbance.ts';
import type { Call, Intercept } from '../fakes/faults/fault-wrapper.ts';
import { hostsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../scenarios/service/promoted.ts';

/** Trouble that lasts from the first command to the last. */
export interface Lasting {
  readonly strike?: (world: World) => void;
  readonly still?: Intercept;
  /** Whether stale reads show the world at the start of the trouble. */
  readonly isOlder?: boolean;
}

const ofGitLab = ['registry', 'canary', 'pipelines'];

function fails(ports: readonly string[], failure: FailureKind, status: number): Intercept {
  return ({ port }: Call) =>
    ports.includes(port) ? { kind: 'error_before', failure, status } : undefined;
}

export const lasting: Readonly<Record<string, Lasting>> = {
  'GitLab is down': { still: fails(ofGitLab, 'unavailable', 502) },
  'the token for GitLab is revoked': { still: fails(ofGitLab, 'unauthenticated', 401) },
  'Systems Manager may not be asked': { still: fails(['host'], 'denied', 403) },
  'EC2 may not be asked': { still: fails(['instances', 'inventory'], 'denied', 403) },
  'Parameter Store answers as it was': {
    strike: (world) => {
      world.behaviour.staleForMs = 2000;
    },
  },
  'the active machine hangs, and GitLab is down': {
    strike: (world) => strikeMachines(world, stackOf(world), { of: 'active', what: 'hangs' }),
    still: fails(ofGitLab, 'unavailable', 502),
  },
  'the disks are full': {
    strike: (world) => {
      for (const shard of stackOf(world).shards)
        for (const host of hostsOf(world, stackOf(world), shard))
          host.workloadFault = 'docker: no space left on device';
      const { runnerName, shards } = stackOf(world);
      for (const shard of shards)
        world.behaviour.boots[shardDescription({ runnerName, shard })] =
          Array(20).fill('broken_workload');
    },
  },
  'GitLab shows its runners as they were': {
    isOlder: true,
    still: ({ port, effect }) => (port === 'registry' && !effect ? { kind: 'stale' } : undefined),
  },
};
