import { describe, expect, test } from '@jest/globals';
import { foreignWrite } from '../../../src/errors/state-errors.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { atPause, end, intakeIn, isOpen, noteOf, openPromoted } from '../service/promoted.ts';

describe('a drain whose pause is refused', () => {
  async function refused(purpleEnds: boolean) {
    const { scene, world } = await openPromoted(
      undefined,
      atPause(() => {
        if (purpleEnds) end(world, purple);
        return { kind: 'error_before', failure: 'denied', status: 403 };
      }),
    );
    return { scene, world, ending: await scene.type('shutdown') };
  }

  test('reports no paused shard', async () => {
    const { ending } = await refused(false);
    expect(ending).toMatchObject({ error: { code: 'PermissionMissing' } });
    expect(ending.log.join('\n')).not.toContain('Left pink closed');
  });

  test('does not count a reopening of a shard that it never paused', async () => {
    const { world, ending } = await refused(true);
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'PermissionMissing' } });
    expect(ending.log.join('\n')).not.toContain('REOPENED');
    expect(ending.log).toContainEqual(
      expect.stringMatching(/^! pink was not paused yet and stays unpaused: no machine of purple /),
    );
    expect(noteOf(world)).not.toHaveProperty('reopened');
    expect(intakeIn(world, pink)).toMatchObject({ state: 'accepting' });
    expect(isOpen(world, pink)).toBe(true);
  });
});

test('a pause that a killed run did not record is undone by the next run', async () => {
  const { scene, world } = await openPromoted(
    undefined,
    atPause(() => ({ kind: 'crash_after' })),
  );
  await scene.type('shutdown');
  expect(isOpen(world, pink)).toBe(false);
  end(world, purple);
  expect(await scene.type('shutdown')).toMatchObject({
    phase: 'promoted',
    error: { code: 'ServiceLost' },
  });
  expect(isOpen(world, pink)).toBe(true);
});

test('an error before the drained process is stopped leads to a reopening', async () => {
  const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
    if (port !== 'host' || method !== 'quit') return undefined;
    end(world, purple);
    return { kind: 'error_before', failure: 'refused' };
  });
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ kind: 'error', phase: 'promoted' });
  expect(isOpen(world, pink)).toBe(true);
});

describe('a second error after a failed drain', () => {
  /**
   * Opens a drain whose `quit` is refused while the new machine ends. Then `fence` blocks the
   * record for the reopening.
   */
  async function fencedBy(fence: () => Promise<void>) {
    let isRefused = false;
    const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
      if (port !== 'host' || method !== 'quit') return undefined;
      isRefused = true;
      end(world, purple);
      return { kind: 'error_before', failure: 'refused' };
    });
    return scene.type('shutdown', {
      act: (context) => {
        const { journal } = context;
        const fenced = { ...journal, fence: () => (isRefused ? fence() : journal.fence()) };
        return runStage({ ...context, journal: fenced }, 'shutdown');
      },
    });
  }

  test.each([
    ['an internal error', new TypeError('nothing is no shard'), 'nothing is no shard'],
    [
      'a record that another process has written',
      foreignWrite({ parameter: 'record', written: '{}', found: '{"by":1}', version: 9 }),
      'Another writer changed ',
    ],
  ])('follows the first error and never replaces it: %s', async (_, second, expected) => {
    const ending = await fencedBy(() => Promise.reject(second));
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Refused' } });
    expect(ending.log).toContainEqual(
      expect.stringMatching(new RegExp(`^! Left pink unchanged: ${expected}`)),
    );
  });
});
