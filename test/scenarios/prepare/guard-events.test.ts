import { describe, expect, test } from '@jest/globals';
import { guards } from '../../../src/domain/deployment/guards/guard-catalogue.ts';
import { readCatalogue } from '../../docs/catalogue.ts';
import { purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { registrationsOf } from '../../fakes/world/shards.ts';
import type { Ending } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

/** Returns each guard's last outcome. */
function answersOf({ events }: Pick<Ending, 'events'>): Record<string, unknown> {
  return Object.fromEntries(
    events.flatMap((event) => (event.kind === 'guard' ? [[event.guard, event.outcome]] : [])),
  );
}

describe('guards', () => {
  test('refuse with errors of the catalogue', () => {
    const known = new Set(readCatalogue().map(({ code }) => code));
    const codes = Object.values(guards).flatMap((guard) => [...guard.codes]);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  test('appear as events of every stage that checks them', async () => {
    const scene = openScene(worldWithActive(purple));
    const passed: Record<string, string[]> = {};
    for (const stage of ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup'] as const) {
      const answers = answersOf(await scene.type(stage));
      expect(new Set(Object.values(answers))).toEqual(new Set(['passed']));
      passed[stage] = Object.keys(answers);
    }
    expect(passed).toMatchSnapshot();
  });

  test('report a refusal with its code and its text', async () => {
    const world = await reach('applied');
    const candidate = registrationsOf(world, stackSettings(), purple)[0];
    if (candidate === undefined) throw new Error('no candidate');
    candidate.tags = ['linux'];
    candidate.paused = false;
    const ending = await openScene(world).type('provision');
    expect(
      ending.events.filter((event) => event.kind === 'guard' && event.outcome === 'refused'),
    ).toEqual([
      {
        kind: 'guard',
        guard: 'inactive_shard',
        outcome: 'refused',
        code: 'InactiveShardHealthy',
        exitCode: 3,
        detail: expect.stringMatching(/^Inactive shard appears healthy/),
      },
    ]);
  });

  test('report that they could not be checked', async () => {
    const world = await reach('applied');
    const scene = openScene(world, ({ port, method, args, own }) =>
      port === 'parameters' && method === 'find' && String(args[0]).endsWith('hold') && own > 3
        ? { kind: 'error_before', failure: 'denied' }
        : undefined,
    );
    const ending = await scene.type('provision');
    expect(answersOf(ending)).toMatchObject({ hold: 'unanswered' });
  });
});
