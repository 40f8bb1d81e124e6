import { describe, expect, test } from '@jest/globals';
import { foreignWrite } from '../../../src/errors/state-errors.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { atPause, end, intakeIn, isOpen, noteOf, openPromoted } from '../service/promoted.ts';

describe('a drain whose pause is refused has closed nothing', () => {
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

  test('and says nothing of a shard that is left closed', async () => {
    const { ending } = await refused(false);
    expect(ending).toMatchObject({ error: { code: 'PermissionMissing' } });
    expect(ending.log.join('\n')).not.toContain('Left pink closed');
  });

  test('nor of one that is opened again, which does not count', async () => {
    const { world, ending } = await refused(true);
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'PermissionMissing' } });
    expect(ending.log.join('\n')).not.toContain('AGAIN');
    expect(ending.log).toContainEqual(
      expect.stringMatching(/^! pink was not closed yet, and stays open: no machine of purple /),
    );
    expect(noteOf(world)).not.toHaveProperty('reopened');
    expect(intakeIn(world, pink)).toMatchObject({ state: 'accepting' });
    expect(isOpen(world, pink)).toBe(true);
  });
});

test('what a killed run has closed and not noted is opened by the next one', async () => {
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

test('an error before the process of the drained shard is stopped leaves it open, too', async () => {
  const { scene, world } = await openPromoted(undefined, ({ port, method }) => {
    if (port !== 'host' || method !== 'quit') return undefined;
    end(world, purple);
    return { kind: 'error_before', failure: 'refused' };
  });
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ kind: 'error', phase: 'promoted' });
  expect(isOpen(world, pink)).toBe(true);
});

describe('what ends the look after such an error is said beside it, never instead of it', () => {
  /** `quit` is refused while the new machine ends, and then the record is fenced for the opening. */
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
    ['a mistake of ours', new TypeError('nothing is no shard'), 'nothing is no shard'],
    [
      'a record that somebody else has written',
      foreignWrite({ parameter: 'record', ours: '{}', theirs: '{"by":1}', version: 9 }),
      'Somebody else wrote ',
    ],
  ])('%s', async (_, second, said) => {
    const ending = await fencedBy(() => Promise.reject(second));
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Refused' } });
    expect(ending.log).toContainEqual(
      expect.stringMatching(new RegExp(`^! Pink was left as it is: ${said}`)),
    );
  });
});
