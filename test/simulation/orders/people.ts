import type { StackSettings } from '../../../src/domain/settings.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { clearManagers } from '../../fakes/hosts/runner-removal.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { happened } from '../../fakes/world/happened.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import {
  activeShard,
  hostsOf,
  listAcceptingShards,
  parametersOf,
  parameterValue,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { turnStatusAround } from '../beginnings/status-edit.ts';

/** Actions of operators, customers and GitLab itself during a deployment. */
export const deeds = {
  'submits a job': (world: World) => {
    submitJob(world, { name: 'late build', tags: ['linux'], durationMs: 90_000 });
  },
  'puts a hold': (world: World) => {
    const { hold } = parametersOf(stackOf(world));
    const since = new Date(world.now).toISOString();
    if (parameterValue(world, hold)?.includes('"why"') !== true)
      putParameter(world, {
        name: hold,
        value: JSON.stringify({ by: 'on-call', why: 'an incident', since }),
      });
  },
  'lets go of the hold': (world: World) =>
    removeParameter(world, parametersOf(stackOf(world)).hold),
  'turns the status around': turnStatusAround,
  'terminates the instance of the inactive shard': (world: World) => {
    const stack = stackOf(world);
    const active = activeShard(world, stack);
    const inactive = stack.shards.find((shard) => shard !== active);
    const host = inactive === undefined ? undefined : hostsOf(world, stack, inactive)[0];
    // Ending the last shard that accepts jobs would be an outage by the operator.
    const last = listAcceptingShards(world, stack);
    if (
      host !== undefined &&
      host.jobs.length === 0 &&
      !(last.length === 1 && last[0] === inactive)
    )
      terminateHost(world, host, 'world');
  },
  'clears managers whose host is gone': (world: World) => {
    for (const registration of Object.values(world.registrations))
      clearManagers(world, registration);
  },
  'deletes pipelines that are over': (world: World) => {
    for (const pipeline of Object.values(world.pipelines))
      if (pipeline.state === 'finished') pipeline.state = 'deleted';
  },
} as const satisfies Record<string, (world: World) => void>;

export type Deed = keyof typeof deeds;

export function doDeed(world: World, deed: Deed): void {
  // Earlier effects of runs are checked first, to keep them apart from the operator's.
  deeds[deed](world);
  happened(world, { kind: 'person', did: deed });
  absorb(world);
}

function stackOf(world: World): StackSettings {
  return world.stacks[0] as StackSettings;
}
