import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, killAt, reach } from '../../stages/reach.ts';
import { openScene, withCustomers } from '../scene.ts';

const { status: statusName } = parametersOf(stackSettings());

/** A person writes the status by hand, in a spacing of their own. */
function edit(world: World, active: string): void {
  const value = formatStatus(stackSettings().shards, active as never).replace(',', ', ');
  putParameter(world, { name: statusName, value });
  absorb(world);
}

function switches(call: Call): boolean {
  const { name } = (call.args[0] ?? {}) as { name?: unknown };
  return isCall('parameters', 'overwrite')(call) && name === statusName;
}

/** Killed between its write of the status and the record's `promoted`. */
async function killedAtItsSwitch({ edited = false } = {}) {
  const world = withCustomers(await reach('healthy'), 60);
  if (edited) edit(world, 'pink');
  const scene = openScene(world, killAt(switches));
  expect(await scene.type('provision')).toMatchObject({ kind: 'killed', phase: 'promoting' });
  expect(activeShard(scene.world, stackSettings())).toBe('purple');
  await scene.simulation.advance(60_000);
  return scene;
}

describe('a status that a person turned back after the switch of a run that died', () => {
  test('is not switched again: the way to make that whole is said, and leads there', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    expect(await scene.type('provision')).toMatchObject({
      phase: 'promoting',
      error: {
        code: 'FactsContradict',
        fields: {
          why: [
            'The promotion of purple began at version 1 of deployment_status, version 2 named it, and version 3 takes that back.',
            expect.anything(),
          ],
          fix: [
            'Pink is proven to serve; make that whole: hosted-runner activate --runner linux --shard pink',
            expect.anything(),
          ],
        },
      },
    });
    expect(await scene.type('activate pink', { deploymentId: '1-400' })).toMatchObject({
      kind: 'done',
    });
    expect(await scene.type('finalize', { deploymentId: '1-400' })).toMatchObject({
      phase: 'done',
    });
    expect(activeShard(scene.world, stackSettings())).toBe('pink');
    expect(await scene.rest()).toEqual([]);
  });

  test('stops a pipeline that takes the deployment over as well', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    await scene.type('prepare', { deploymentId: '1-300' });
    expect(await scene.type('provision', { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'FactsContradict' },
    });
    expect(activeShard(scene.world, stackSettings())).toBe('pink');
  });

  test('and then on once more is promoted', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    edit(scene.world, 'purple');
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
  });

  test('by deleting it and writing it anew is not switched again', async () => {
    const scene = await killedAtItsSwitch({ edited: true });
    removeParameter(scene.world, statusName);
    scene.world.now += 60_000;
    edit(scene.world, 'pink');
    expect(await scene.type('provision')).toMatchObject({ error: { code: 'FactsContradict' } });
    expect(activeShard(scene.world, stackSettings())).toBe('pink');
  });

  test('so long ago that its history has no word of the switch is left alone', async () => {
    const scene = await killedAtItsSwitch();
    for (let count = 0; count < 101; count += 1) edit(scene.world, 'pink');
    const versions = scene.world.parameters[statusName]?.versions ?? [];
    versions.splice(0, versions.length - 100);
    expect(await scene.type('provision')).toMatchObject({
      error: {
        code: 'FactsContradict',
        fields: {
          why: [
            'The promotion of purple began at version 1 of deployment_status, whose history has no version 3 any more.',
            expect.anything(),
          ],
        },
      },
    });
  });
});

test('a status that was written anew by hand and never switched is switched once', async () => {
  const scene = openScene(withCustomers(await reach('promoting'), 60));
  edit(scene.world, 'pink');
  expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
  expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
  expect(await scene.rest()).toEqual([]);
});

test('a status that a person named the candidate in, and took back, stops the promotion in its middle', async () => {
  const world = await reach('promoting');
  const scene = openScene(world, (call) => {
    if (!isCall('parameters', 'find')(call) || call.args[0] !== statusName) return undefined;
    if ((world.parameters[statusName]?.versions.length ?? 0) > 1) return undefined;
    edit(world, 'purple');
    edit(world, 'pink');
    return undefined;
  });
  expect(await scene.type('provision')).toMatchObject({ error: { code: 'FactsContradict' } });
  expect(activeShard(world, stackSettings())).toBe('pink');
});

test('an activation whose edit is withdrawn meanwhile stops', async () => {
  const world = await reach('promoted');
  edit(world, 'pink');
  const scene = openScene(world, killAt(isCall('canary', 'findNewest')));
  expect(await scene.type('activate pink', { deploymentId: '1-400' })).toMatchObject({
    kind: 'killed',
  });
  edit(world, 'purple');
  await scene.simulation.advance(60_000);
  expect(await scene.type('activate pink', { deploymentId: '1-400' })).toMatchObject({
    error: { code: 'FactsContradict' },
  });
  expect(activeShard(world, stackSettings())).toBe('purple');
});

describe('a candidate whose registration somebody deletes while its promotion is under way', () => {
  async function deletedAtItsSwitch() {
    const scene = openScene(withCustomers(await reach('promoting'), 60));
    const { world } = scene;
    for (const { id } of registrationsOf(world, stackSettings(), purple))
      delete world.registrations[id];
    return scene;
  }

  test('is taken back at once, since the other shard serves, and is built anew', async () => {
    const scene = await deletedAtItsSwitch();
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({
      phase: 'prepared',
      error: { code: 'Retreated', fields: { why: ['Runner 48214 does not exist any more.'] } },
    });
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('is left where the other shard does not serve either: the way out is printed, and leads there', async () => {
    const scene = await deletedAtItsSwitch();
    const { world } = scene;
    for (const host of hostsOf(world, stackSettings(), pink)) terminateHost(world, host, 'world');
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ phase: 'promoting', error: { code: 'HealthcheckTimedOut' } });
    expect(JSON.stringify(ending)).toContain('--although-nothing-serves');
    expect(await scene.type('recover although')).toMatchObject({ kind: 'done' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(activeShard(world, stackSettings())).toBe('purple');
  });
});
