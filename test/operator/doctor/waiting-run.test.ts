import { expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { examine, stackOf } from './examine.ts';

function lock(world: World, deployment: string): void {
  const since = new Date(world.now).toISOString();
  const owner = { deployment, job: 'shutdown', since, nonce: 'n', process: 'elsewhere' };
  putParameter(world, { name: parametersOf(stackOf(world)).lock, value: JSON.stringify(owner) });
}

function run(world: World, job?: string): void {
  const pipeline = world.pipelines['1-200'];
  if (pipeline === undefined) throw new Error('there is no pipeline');
  if (job === undefined) pipeline.state = 'running';
  else pipeline.jobs[job] = 'running';
}

test.each<[string, string, (world: World) => void]>([
  [
    'whose job holds the lock',
    'lock_alive',
    (world) => {
      lock(world, '1-200');
      run(world, 'shutdown');
    },
  ],
  ['whose owner no CI reports', 'lock_unproven', (world) => lock(world, 'terminal-9')],
  ['whose pipeline runs', 'deployment_running', (world) => run(world)],
])(
  'doctor names the job that a drain %s waits for, without a command for a second run',
  async (_, code, change) => {
    const { findings } = await examine(await at('draining', change));
    expect(findings.map((one) => one.code)).toEqual([code, 'drain_waits']);
    expect(findings[1]?.seen).toMatch(/pink still runs job \d+ "long build"/);
    expect(findings[1]?.commands).toEqual([]);
    expect(findings[0]?.byHand ?? '').not.toMatch(/, or cancel it/);
  },
);

test('doctor reports no wait of a run whose old shard does not drain', async () => {
  const { findings } = await examine(await at('promoted', (world) => run(world)));
  expect(findings.map((one) => one.code)).toEqual(['deployment_running']);
});
