import { expect, test } from '@jest/globals';
import { linux, pink } from '../../fakes/builders.ts';
import { createParameters, createSandboxGitHub, registryOf } from '../sandbox-github.ts';

const shard = { runnerName: linux, shard: pink };
const order = { shard, tags: ['canary-one'], runUntagged: false, note: 'made here' } as never;

test('the fleet parameter that hosts read at registration always names the configured group', async () => {
  const sandbox = await createSandboxGitHub();
  const parameters = createParameters();
  try {
    const registry = registryOf(sandbox, { parameters, groups: { production: 'Fleet of linux' } });
    const { id } = await registry.create(order);
    await registry.route(id, { tags: ['linux'], runUntagged: false } as never);
    await registry.setIntake(id, 'closed');
    const found = await parameters.find(`/runners/${id}/runner_fleet`);
    expect(JSON.parse(found?.value ?? '')).toEqual({
      schema: 1,
      labels: ['linux'],
      intake: 'closed',
      group: 'Fleet of linux',
      closedUpTo: 0,
      note: 'made here',
    });
  } finally {
    sandbox.close();
  }
});
