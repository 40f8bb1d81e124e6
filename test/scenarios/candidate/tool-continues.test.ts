import { expect, test } from '@jest/globals';
import { pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, type Scene } from '../scene.ts';

const minute = 60_000;

function once(port: string, method: string, fault: Fault) {
  let isOver = false;
  return (call: Call): Fault | undefined => {
    if (isOver || call.port !== port || call.method !== method) return undefined;
    isOver = true;
    return fault;
  };
}

/** Kills the run at its first apply. Terraform continues, and its state shows no change yet. */
async function appliesWithoutUs(afterMs: number): Promise<World> {
  const world = worldWithActive(pink);
  const outlived = { kind: 'outlived', afterMs, dies: true } as const;
  const scene = openScene(world, once('infrastructure', 'apply', outlived));
  for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage);
  expect(await scene.type('provision')).toMatchObject({ kind: 'killed' });
  return world;
}

const left = ({ world }: Scene) => hostsOf(world, stackSettings(), purple).length;

test('a candidate whose apply may still run is not reported as removed before that apply has ended', async () => {
  const world = await appliesWithoutUs(minute);
  // The run ends right after the removal, which is all that this test checks.
  const scene = openScene(world, once('registry', 'create', { kind: 'crash_before' }));
  const { log } = await scene.type('recover cleanup');
  expect(log).toContain('Confirmed that no resource of purple is left.');
  await scene.simulation.advance(5 * minute);
  expect(left(scene)).toBe(0);
});

test('a lock that outlasts infrastructure.lock_timeout ends the removal, and a second run completes it', async () => {
  const world = await appliesWithoutUs(10 * minute);
  const scene = openScene(world, once('registry', 'create', { kind: 'crash_before' }));
  expect(await scene.type('recover cleanup')).toMatchObject({
    kind: 'error',
    error: { code: 'TerraformStateLocked', exitCode: 75 },
  });
  await scene.simulation.advance(10 * minute);
  const { log } = await scene.type('recover cleanup', { jobId: 'again' });
  expect(log).toContain('Confirmed that no resource of purple is left.');
  await scene.simulation.advance(5 * minute);
  expect(left(scene)).toBe(0);
});

test('a lock whose age the backend does not report needs an operator after a day without progress', async () => {
  const day = 24 * 60 * minute;
  const world = await appliesWithoutUs(2 * day);
  const scene = openScene(world);
  const exitCodeAfter = async (ms: number) => {
    await scene.simulation.advance(ms);
    const ending = await scene.type('recover cleanup', { jobId: `after-${ms}` });
    return ending.kind === 'error' ? [ending.error.code, ending.error.exitCode] : ending.kind;
  };
  expect(await exitCodeAfter(minute)).toEqual(['TerraformStateLocked', 75]);
  expect(await exitCodeAfter(day)).toEqual(['TerraformStateLocked', 3]);
});
