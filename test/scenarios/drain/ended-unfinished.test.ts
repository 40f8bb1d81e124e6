import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import type { Fault, Intercept } from '../../fakes/seam/seam.ts';
import { parametersOf, parameterValue, registrationsOf } from '../../fakes/world/serving.ts';
import type { World } from '../../fakes/world/world.ts';
import { end, hang, isOpen, minute, openPromoted, stackOf } from '../service/promoted.ts';

/** What GitHub leaves between its first signal and the end. */
const graceMs = 7500;

/** What becomes of the first call that pauses a runner. */
function atPause(fault: () => Fault | undefined): Intercept {
  let isFirst = true;
  return ({ port, method, args }) => {
    if (!isFirst || port !== 'registry' || method !== 'setIntake' || args[1] !== 'closed')
      return undefined;
    isFirst = false;
    return fault();
  };
}

function pause(world: World, shard: typeof pink, paused: boolean): void {
  for (const registration of registrationsOf(world, stackOf(world), shard))
    registration.paused = paused;
  absorb(world);
}

function noteOf(world: World): Record<string, unknown> {
  const record = parameterValue(world, parametersOf(stackOf(world)).record);
  return (JSON.parse(record ?? '') as { deployment: Record<string, unknown> }).deployment;
}

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

  test('leaves it closed while the new one is proven right then, and says who looks after it', async () => {
    const { world, ending } = await cancelledAfter(undefined);
    expect(ending).toMatchObject({ phase: 'draining', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(false);
    const fields = ending.kind === 'error' ? ending.error.fields : undefined;
    expect(fields?.why).toEqual([
      'No new effect was begun after the signal.',
      'Pink was left closed, as purple serves; should purple stop, the next run of finalize opens pink, at the latest the scheduled one.',
    ]);
    expect(fields?.fix).toEqual(['Go on where it stopped: hosted-runner shutdown --runner linux']);
  });

  test('between the pause and the note of it: what it has closed is opened all the same', async () => {
    const controller = new AbortController();
    const { scene, world } = await openPromoted(
      undefined,
      atPause(() => {
        end(world, purple);
        controller.abort(new Error('received SIGTERM'));
        return undefined;
      }),
    );
    const ending = await scene.type('shutdown', { signal: controller.signal });
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('while its pause hangs: the next run opens what the pause closes once it lands', async () => {
    const controller = new AbortController();
    const { scene, world } = await openPromoted(
      undefined,
      atPause(() => {
        end(world, purple);
        controller.abort(new Error('received SIGTERM'));
        return { kind: 'late_effect', afterMs: minute };
      }),
    );
    const ending = await scene.type('shutdown', { signal: controller.signal });
    expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'Cancelled' } });
    await scene.simulation.advance(2 * minute);
    expect(isOpen(world, pink)).toBe(false);
    expect(await scene.type('finalize')).toMatchObject({
      phase: 'promoted',
      error: { code: 'ServiceLost' },
    });
    expect(isOpen(world, pink)).toBe(true);
    expect(noteOf(world)).not.toHaveProperty('closed_at');
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
    expect(noteOf(world)).not.toHaveProperty('closed_at');
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
