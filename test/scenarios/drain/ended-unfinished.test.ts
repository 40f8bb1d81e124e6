import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import {
  atPause,
  end,
  hang,
  intakeIn,
  isOpen,
  minute,
  noteOf,
  openPromoted,
  pause,
} from '../service/promoted.ts';

/** What GitHub leaves between its first signal and the end. */
const graceMs = 7500;

/** A shutdown that is told to stop a while after `trouble`, before the drain's own look has seen that. */
async function cancelledAfter(trouble: typeof hang | undefined, afterwards?: Intercept) {
  const controller = new AbortController();
  const { scene, world } = await openPromoted(undefined, (call) =>
    controller.signal.aborted ? afterwards?.(call) : undefined,
  );
  let cancelledAt = 0;
  if (trouble !== undefined) scene.simulation.at(30 * minute, (then) => trouble(then, purple));
  scene.simulation.at(30 * minute + 1000, (then) => {
    cancelledAt = then.now;
    controller.abort(new Error('received SIGTERM'));
  });
  const ending = await scene.type('shutdown', { signal: controller.signal });
  return { scene, world, ending, tookMs: world.now - cancelledAt };
}

/** A shutdown that is told to stop as it closes pink, while the new machine ends. */
async function cancelledAtPause(fault?: ReturnType<Intercept>) {
  const controller = new AbortController();
  const { scene, world } = await openPromoted(
    undefined,
    atPause(() => {
      end(world, purple);
      controller.abort(new Error('received SIGTERM'));
      return fault;
    }),
  );
  const ending = await scene.type('shutdown', { signal: controller.signal });
  return { scene, world, ending };
}

describe('a drain that is cancelled', () => {
  test('opens the old shard again where the new machine has ended, in time, and says so', async () => {
    const { world, ending, tookMs } = await cancelledAfter(end);
    expect(ending).toMatchObject({
      phase: 'promoted',
      error: { code: 'Cancelled', exitCode: 130 },
    });
    expect(isOpen(world, pink)).toBe(true);
    expect(tookMs).toBeLessThan(graceMs);
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why).toEqual([
      expect.stringMatching(
        /^After the signal pink was opened again, as purple is not proven to serve: no machine of purple exists any more: .*\. No other effect was begun\.$/,
      ),
    ]);
    expect(fields?.fix).toEqual([
      'Go back to pink: hosted-runner rollback --runner linux',
      'Or go on where it stopped, which proves purple anew: hosted-runner shutdown --runner linux',
    ]);
    expect(world.violations).toEqual([]);
  });

  test('opens it again where the new machine hangs and nobody can say more in the seconds that are left', async () => {
    const { world, ending, tookMs } = await cancelledAfter(hang);
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(tookMs).toBeLessThan(graceMs);
    // Nobody has looked for long enough to say that it comes and goes.
    expect(noteOf(world)).toMatchObject({ reopened: { times: 0 } });
  });

  test('does not wait for hosts that say nothing', async () => {
    const { world, ending, tookMs } = await cancelledAfter(undefined, ({ port, method }) =>
      port === 'host' && method === 'look' ? { kind: 'delay', beforeMs: 60_000 } : undefined,
    );
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(tookMs).toBeLessThan(graceMs);
  });

  test('says now what it says why, also where the same is answered a moment later', async () => {
    let isFirst = true;
    const { ending } = await cancelledAfter(undefined, ({ port, method, args }) => {
      const isOfPurple = port === 'host' && method === 'look' && String(args[0]).endsWith('2');
      if (!isFirst || !isOfPurple) return undefined;
      isFirst = false;
      return { kind: 'delay', beforeMs: 60_000 };
    });
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why?.join()).toContain(
      'purple is not proven to serve: nobody said in time whether it serves',
    );
    expect(fields?.now).toContain(
      'purple is active, and whether it serves is not known: nobody said in time whether it serves.',
    );
  });

  test('leaves it closed while the new one is proven right then, and says who looks after it', async () => {
    const { world, ending } = await cancelledAfter(undefined);
    expect(ending).toMatchObject({ phase: 'draining', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(false);
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why).toEqual([
      'No new effect was begun after the signal.',
      'Pink was left closed, as purple serves; should purple stop, the next run of finalize opens pink, and no schedule of one is known here.',
    ]);
    expect(fields?.fix).toEqual(['Go on where it stopped: hosted-runner shutdown --runner linux']);
  });

  test('between the pause and the note of it: what it has closed is opened all the same', async () => {
    const { world, ending } = await cancelledAtPause();
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('what it has opened is not opened again by the next run, which says that it stays open', async () => {
    const { scene, ending } = await cancelledAfter(end);
    expect(ending.log.join('\n')).toContain('OPENED pink AGAIN');
    const next = await scene.type('shutdown');
    expect(next).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(next.log.join('\n')).not.toContain('AGAIN');
    expect(next.log).toContainEqual(
      expect.stringMatching(/^! pink is open already, and stays so: no machine of purple /),
    );
  });

  test('before its pause has come it opens nothing, and says so', async () => {
    const { ending } = await cancelledAtPause({
      kind: 'late_effect',
      afterMs: minute,
    });
    expect(ending.log.join('\n')).not.toContain('AGAIN');
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why?.join()).toMatch(
      /^After the signal pink was found open and stays so, as purple is not proven to serve: /,
    );
  });

  test('while its pause hangs: the next run opens what the pause closes once it lands', async () => {
    const { world, scene, ending } = await cancelledAtPause({
      kind: 'late_effect',
      afterMs: minute,
    });
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    await scene.simulation.advance(2 * minute);
    expect(isOpen(world, pink)).toBe(false);
    expect(await scene.type('finalize')).toMatchObject({
      phase: 'promoted',
      error: { code: 'ServiceLost' },
    });
    expect(isOpen(world, pink)).toBe(true);
    // It was sent more than once, for all that anybody knows.
    expect(intakeIn(world, pink)).toMatchObject({ by: 'unknown' });
  });

  test('after its second opening, too, a person decides, and a pause that lands late is undone', async () => {
    const controller = new AbortController();
    const { scene, world } = await openPromoted();
    scene.simulation.at(10 * minute, (then) => pause(then, purple, true));
    await scene.type('shutdown');
    pause(world, purple, false);
    scene.simulation.at(10 * minute, (then) => pause(then, purple, true));
    scene.simulation.at(10 * minute + 1000, () => controller.abort(new Error('received SIGTERM')));
    expect(await scene.type('shutdown', { signal: controller.signal })).toMatchObject({
      phase: 'promoted',
      error: { code: 'Cancelled' },
    });
    expect(noteOf(world)).toMatchObject({ reopened: { times: 2 } });
    pause(world, purple, false);
    pause(world, pink, true);
    for (const _ of ['the late pause', 'once more'])
      expect(await scene.type('finalize')).toMatchObject({
        phase: 'promoted',
        error: { code: 'OpenedAgainTwice' },
      });
    expect(isOpen(world, pink)).toBe(true);
  });
});
