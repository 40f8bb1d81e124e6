import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import type { Call } from '../../fakes/faults/fault-wrapper.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter, removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { isCall, killAt, reach } from '../../stages/reach.ts';
import { openScene, withCustomers } from '../scene.ts';

const { status: statusName } = parametersOf(stackSettings());

/** Writes the status like an operator, with other spacing. */
function edit(world: World, active: string): void {
  const value = formatStatus(stackSettings().shards, active as never).replace(',', ', ');
  putParameter(world, { name: statusName, value });
  absorb(world);
}

function switches(call: Call): boolean {
  const { name } = (call.args[0] ?? {}) as { name?: unknown };
  return isCall('parameters', 'overwrite')(call) && name === statusName;
}

/**
 * Reaches a switch whose run was killed between its write of the status and the record's
 * `promoted`.
 */
async function killedAtItsSwitch({ edited = false } = {}) {
  const world = withCustomers(await reach('healthy'), 60);
  if (edited) edit(world, 'pink');
  const scene = openScene(world, killAt(switches));
  expect(await scene.type('provision')).toMatchObject({ kind: 'killed', phase: 'promoting' });
  expect(activeShard(scene.world, stackSettings())).toBe('purple');
  await scene.simulation.advance(60_000);
  return scene;
}

describe('a status that an operator reverted after the switch of a run that died', () => {
  test('stays reverted, and the printed command completes the edit', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    expect(await scene.type('provision')).toMatchObject({
      phase: 'promoting',
      error: {
        code: 'FactsContradict',
        fields: {
          why: [
            'The promotion of purple began at version 1 of deployment_status, version 2 named it, and version 3 reverts that.',
            expect.anything(),
          ],
          fix: [
            'Pink is verified; make it the active shard: hosted-runner activate --runner linux --shard pink',
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

  test('stops a pipeline that adopts the deployment as well', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    await scene.type('prepare', { deploymentId: '1-300' });
    expect(await scene.type('provision', { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'FactsContradict' },
    });
    expect(activeShard(scene.world, stackSettings())).toBe('pink');
  });

  test('leads to the promotion if the operator named the candidate again', async () => {
    const scene = await killedAtItsSwitch();
    edit(scene.world, 'pink');
    edit(scene.world, 'purple');
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
  });

  test('stays reverted if it was deleted and written again', async () => {
    const scene = await killedAtItsSwitch({ edited: true });
    removeParameter(scene.world, statusName);
    scene.world.now += 60_000;
    edit(scene.world, 'pink');
    expect(await scene.type('provision')).toMatchObject({ error: { code: 'FactsContradict' } });
    expect(activeShard(scene.world, stackSettings())).toBe('pink');
  });

  test('stays as it is if its history no longer has the switch', async () => {
    const scene = await killedAtItsSwitch();
    for (let count = 0; count < 101; count += 1) edit(scene.world, 'pink');
    const versions = scene.world.parameters[statusName]?.versions ?? [];
    versions.splice(0, versions.length - 100);
    expect(await scene.type('provision')).toMatchObject({
      error: {
        code: 'FactsContradict',
        fields: {
          why: [
            'The promotion of purple began at version 1 of deployment_status, but its history no longer has version 3.',
            expect.anything(),
          ],
        },
      },
    });
  });
});

test('a status that was rewritten by hand and never switched is switched once', async () => {
  const scene = openScene(withCustomers(await reach('promoting'), 60));
  edit(scene.world, 'pink');
  expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
  expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
  expect(await scene.rest()).toEqual([]);
});

test('a status that named the candidate and was reverted stops a running promotion', async () => {
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

test('an activation whose edit is reverted meanwhile stops', async () => {
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

describe('a candidate whose runner is deleted during its promotion', () => {
  async function deletedAtItsSwitch() {
    const scene = openScene(withCustomers(await reach('promoting'), 60));
    const { world } = scene;
    for (const { id } of registrationsOf(world, stackSettings(), purple))
      delete world.registrations[id];
    return scene;
  }

  test('retreats at once if the other shard accepts jobs, and is rebuilt', async () => {
    const scene = await deletedAtItsSwitch();
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({
      phase: 'prepared',
      error: { code: 'Retreated', fields: { why: ['Runner 48214 no longer exists.'] } },
    });
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(await scene.type('finalize')).toMatchObject({ phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('stays if the other shard accepts no jobs either, and the printed command recovers the stack', async () => {
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
