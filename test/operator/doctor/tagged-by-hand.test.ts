import { describe, expect, test } from '@jest/globals';
import { rested } from '../../broken-stacks/state.ts';
import { purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { examine, reportOf, stackOf, type } from './examine.ts';

const line = 'hosted-runner activate --runner linux --shard purple';

const tagsOf = (world: World) =>
  registrationsOf(world, stackOf(world), purple).map(({ tags }) => tags);

/** Nobody knows any more for which configuration it was deployed, as after a rollback. */
function forgetConfiguration(world: World): void {
  const { record } = parametersOf(stackOf(world));
  const known = JSON.parse(parameterValue(world, record) ?? '{}');
  delete known.deployment.fingerprint;
  putParameter(world, { name: record, value: JSON.stringify(known) });
}

describe('the tags of the active shard were changed by a person after its deployment', () => {
  const mistyped = (change: (world: World) => void = () => {}) =>
    rested((world) => {
      for (const one of registrationsOf(world, stackOf(world), purple)) one.tags = ['linx'];
      change(world);
    });

  test('status and doctor say that it takes no job, and the activation that is printed gives them back', async () => {
    const world = await mistyped();
    const { now } = await reportOf(world);
    expect(now).toContain('purple is active and takes no job');
    expect(now).toContain('of purple has no production tags');
    const { findings } = await examine(world);
    expect(findings.map(({ code }) => code)).toEqual(['nothing_serves']);
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
    expect(tagsOf(world)).toEqual([['linux']]);
  });

  test('where they may be those of its day it serves, but not by tags of today, and is no whole one', async () => {
    const world = await mistyped(forgetConfiguration);
    absorb(world);
    const { now } = await reportOf(world);
    expect(now).toContain('has tags of which none is configured');
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
    expect(tagsOf(world)).toEqual([['linux']]);
  });
});
