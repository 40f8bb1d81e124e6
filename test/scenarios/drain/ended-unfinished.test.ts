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

/** Time between GitHub's first signal and the end of the process. */
const graceMs = 7500;

/** Cancels a shutdown a while after `trouble`, before the drain's own check has noticed it. */
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

/** Cancels a shutdown at its pause of pink, while the new machine ends. */
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
  test('reopens the old shard in time if the new machine has ended, and reports it', async () => {
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
        /^After the signal, pink was reopened, because it is not verified that purple accepts jobs\. No machine of purple exists: .*\. No other change was started\.$/,
      ),
    ]);
    expect(fields?.fix).toEqual([
      'Make pink active again: hosted-runner rollback --runner linux',
      'Or resume the run, which verifies purple again: hosted-runner shutdown --runner linux',
    ]);
    expect(world.violations).toEqual([]);
  });

  test('reopens the old shard if the new machine hangs and the remaining seconds allow no other proof', async () => {
    const { world, ending, tookMs } = await cancelledAfter(hang);
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(tookMs).toBeLessThan(graceMs);
    // The run was too short to prove an unstable shard, so the reopening is not counted.
    expect(noteOf(world)).toMatchObject({ reopened: { times: 0 } });
  });

  test('does not wait for hosts without a response', async () => {
    const { world, ending, tookMs } = await cancelledAfter(undefined, ({ port, method }) =>
      port === 'host' && method === 'look' ? { kind: 'delay', beforeMs: 60_000 } : undefined,
    );
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
    expect(tookMs).toBeLessThan(graceMs);
  });

  test('reports the same in now and why, even if a response arrives a moment later', async () => {
    let isFirst = true;
    const { ending } = await cancelledAfter(undefined, ({ port, method, args }) => {
      const isOfPurple = port === 'host' && method === 'look' && String(args[0]).endsWith('2');
      if (!isFirst || !isOfPurple) return undefined;
      isFirst = false;
      return { kind: 'delay', beforeMs: 60_000 };
    });
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why?.join()).toContain(
      'After the signal, pink was reopened, because it is not verified that purple accepts jobs. The check whether it accepts jobs timed out. No other change was started.',
    );
    expect(fields?.now).toContain(
      'purple is active; it is unknown whether it accepts jobs: the check whether it accepts jobs timed out.',
    );
  });

  test('leaves the old shard paused while the new one is verified at that moment, and names the next run', async () => {
    const { world, ending } = await cancelledAfter(undefined);
    expect(ending).toMatchObject({ phase: 'draining', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(false);
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why).toEqual([
      'No new change was started after the signal.',
      'Pink stays paused, because purple accepts jobs. If purple stops accepting jobs, the next run of finalize reopens pink, but hosted-runner knows of no schedule for finalize.',
    ]);
    expect(fields?.fix).toEqual(['Resume where it stopped: hosted-runner shutdown --runner linux']);
  });

  test('reopens the old shard after a cancellation between the pause and its record', async () => {
    const { world, ending } = await cancelledAtPause();
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('lets the next run report the reopened shard without a second reopening', async () => {
    const { scene, ending } = await cancelledAfter(end);
    expect(ending.log.join('\n')).toContain('REOPENED pink');
    const next = await scene.type('shutdown');
    expect(next).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost' } });
    expect(next.log.join('\n')).not.toContain('REOPENED');
    expect(next.log).toContainEqual(
      expect.stringMatching(/^! pink was already unpaused and stays so: no machine of purple /),
    );
  });

  test('reopens nothing before its pause takes effect, and reports it', async () => {
    const { ending } = await cancelledAtPause({
      kind: 'late_effect',
      afterMs: minute,
    });
    expect(ending.log.join('\n')).not.toContain('REOPENED');
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why?.join()).toMatch(
      /^After the signal, pink was not paused and stays unpaused, because it is not verified that purple accepts jobs\. /,
    );
  });

  test('lets the next run undo a pause that takes effect late', async () => {
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
    // The pause may have been sent more than once.
    expect(intakeIn(world, pink)).toMatchObject({ by: 'unknown' });
  });

  test('leaves the decision to an operator after a second reopening, and undoes a late pause', async () => {
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
