import { describe, expect, test } from '@jest/globals';
import { rested } from '../../broken-stacks/state.ts';
import { purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { examine, reportOf, stackOf, type } from './examine.ts';

const line = 'hosted-runner activate --runner linux --shard purple';

const tagsOf = (world: World) =>
  registrationsOf(world, stackOf(world), purple).map(({ tags }) => tags);

/** Deletes the configuration from the record, as after a rollback. */
function forgetConfiguration(world: World): void {
  const { record } = parametersOf(stackOf(world));
  const known = JSON.parse(parameterValue(world, record) ?? '{}');
  delete known.deployment.fingerprint;
  putParameter(world, { name: record, value: JSON.stringify(known) });
}

describe('tags of the active shard that an operator changed after its deployment', () => {
  const mistyped = (change: (world: World) => void = () => {}) =>
    rested((world) => {
      for (const one of registrationsOf(world, stackOf(world), purple)) one.tags = ['linx'];
      change(world);
    });

  test('appear in status and doctor as missing, and the printed activation restores them', async () => {
    const world = await mistyped();
    const { now } = await reportOf(world);
    expect(now).toContain(
      'purple is active but takes no jobs: runner 48214 of purple has no production tags.',
    );
    expect(now).toContain('of purple has no production tags');
    const { findings } = await examine(world);
    expect(findings.map(({ code }) => code)).toEqual(['nothing_serves']);
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
    expect(tagsOf(world)).toEqual([['linux']]);
  });

  test('may belong to an earlier configuration: the shard accepts jobs with tags that are not configured', async () => {
    const world = await mistyped(forgetConfiguration);
    absorb(world);
    const { now } = await reportOf(world);
    expect(now).toContain('has tags that are not configured');
    expect(await type(world, line)).toMatchObject({ kind: 'done' });
    expect(tagsOf(world)).toEqual([['linux']]);
  });
});
