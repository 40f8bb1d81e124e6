import { describe, expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import { stackOf, type } from '../doctor/examine.ts';

describe('both shards have lost their machines after the promotion', () => {
  const nobodyLeft = () =>
    at('promoted', (world) => {
      for (const shard of [pink, purple])
        for (const host of hostsOf(world, stackOf(world), shard))
          terminateHost(world, host, 'world');
    });

  test.each([
    'rollback --runner linux',
    'activate --runner linux --shard pink',
    'activate --runner linux --shard purple',
    'recover --runner linux --method rerun --yes',
    'recover --runner linux --method auto --yes',
  ])('%s prints what is accepted', async (typed) => {
    const world = await nobodyLeft();
    const ending = await type(world, `hosted-runner ${typed}`);
    const [fix = ''] = (ending.kind === 'error' && ending.error.fields.fix) || [];
    expect(fix).toMatch(/^Take pink away although no shard serves: /);
    expect(await type(world, fix.replace(/^[^:]*: /, ''))).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  });
});
