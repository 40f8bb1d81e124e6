import { describe, expect, test } from '@jest/globals';
import { pink } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { stackOf, type } from '../../operator/doctor/examine.ts';
import { reach } from '../../stages/reach.ts';

/** Stops the old shard's instance during its drain, like an operator. */
async function stopped() {
  const behaviour = { runners: 'github_persistent', concurrent: 1 } as const;
  const world = await reach('draining, idle', { behaviour });
  const [host] = hostsOf(world, stackOf(world), pink);
  Object.assign(host ?? {}, { state: 'stopped', agent: 'lost', process: 'stopped' });
  absorb(world);
  return { world, host };
}

const shutdown = (world: World) =>
  type(world, 'hosted-runner shutdown --runner linux', {
    drive: { deadline: world.now + 600_000 },
  });

describe('an instance that is stopped while it drains', () => {
  test('appears in the error with the possible actions, and the drain ends after one of them', async () => {
    const { world, host } = await stopped();
    const ending = await shutdown(world);
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'StillDraining', exitCode: 3 } });
    const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []).map(String) : [];
    expect(fix).toEqual([
      `Start it to check what is left on it: aws ec2 start-instances --instance-ids ${host?.id}`,
      `Or terminate it, if nothing on it is needed: aws ec2 terminate-instances --instance-ids ${host?.id}`,
      expect.stringMatching(/^Resume the drain: /),
    ]);
    Object.assign(host ?? {}, { state: 'running', agent: 'online', process: 'running' });
    absorb(world);
    expect(await shutdown(world)).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(world.violations).toEqual([]);
  });
});
