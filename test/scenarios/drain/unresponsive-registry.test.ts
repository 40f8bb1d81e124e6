import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { openDrained } from '../bake/baked.ts';
import { end, hour, isOpen, minute, openPromoted, removeHostAccess } from '../service/promoted.ts';

const ofGitLab: readonly string[] = ['registry', 'canary', 'pipelines'];

/** Makes GitLab return 502 for every call while the test sets `silence.on`. */
function silenced() {
  const outage = { on: false };
  const intercept: Intercept = ({ port }) =>
    outage.on && ofGitLab.includes(port)
      ? { kind: 'error_before', failure: 'unavailable', status: 502 }
      : undefined;
  return { outage, intercept };
}

describe('GitLab without responses', () => {
  test.each([3, 8])('delays a drain, which continues after %i minutes', async (minutes) => {
    const { outage, intercept } = silenced();
    const { scene } = await openPromoted(undefined, intercept);
    scene.simulation.at(30 * minute, () => {
      outage.on = true;
    });
    scene.simulation.at((30 + minutes) * minute, () => {
      outage.on = false;
    });
    const ending = await scene.type('finalize');
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(ending.log).toContainEqual(
      expect.stringMatching(
        /^Waiting for pink to drain: its progress cannot be read: registry find: /,
      ),
    );
    expect(await scene.rest()).toEqual([]);
  });

  test('ends a drain after ten minutes with exit code 75, and the next run resumes it', async () => {
    const { outage, intercept } = silenced();
    const { scene, world } = await openPromoted(undefined, intercept);
    const outageFrom = world.now + 30 * minute;
    scene.simulation.at(30 * minute, () => {
      outage.on = true;
    });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Unavailable', exitCode: 75 } });
    expect(world.now - outageFrom).toBeGreaterThanOrEqual(10 * minute);
    expect(world.now - outageFrom).toBeLessThan(15 * minute);
    expect(await scene.type('shutdown')).toMatchObject({
      error: { code: 'Unavailable', exitCode: 75 },
    });
    outage.on = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('leads to an immediate second check if the check found the new shard dead', async () => {
    let isDead = false;
    let refused = 0;
    const { scene, world } = await openPromoted(
      (stack) => ({ ...stack, drain: { ...stack.drain, servicePollMs: 20 * minute } }),
      ({ port, method, args }) => {
        const isRecord = JSON.stringify(args[0] ?? '').includes('deployment_record');
        if (!isDead || refused > 0 || port !== 'parameters' || method !== 'find' || !isRecord)
          return undefined;
        refused += 1;
        return { kind: 'error_before', failure: 'throttled', status: 400 };
      },
    );
    const diesAt = world.now + 30 * minute;
    scene.simulation.at(30 * minute, (then) => {
      isDead = true;
      end(then, purple);
    });
    expect(await scene.type('shutdown')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(refused).toBe(1);
    expect(world.now - diesAt).toBeLessThan(25 * minute);
    expect(isOpen(world, pink)).toBe(true);
  });

  test('ends a drain in the same way for a single request, and leaves the old shard paused beside a verified one', async () => {
    let isUnresponsive = false;
    const { scene, world } = await openPromoted(undefined, ({ method }) =>
      isUnresponsive && method === 'listJobs'
        ? { kind: 'error_before', failure: 'unavailable', status: 502 }
        : undefined,
    );
    scene.simulation.at(30 * minute, () => {
      isUnresponsive = true;
    });
    const deadline = world.now + 7 * hour;
    const ending = await scene.type('shutdown', { deadline });
    expect(ending).toMatchObject({
      phase: 'draining',
      error: { code: 'Unavailable', exitCode: 75 },
    });
    expect(isOpen(world, pink)).toBe(false);
    isUnresponsive = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('ends a drain with exit code 75 if its job ends first', async () => {
    const { outage, intercept } = silenced();
    const { scene, world } = await openPromoted(undefined, intercept);
    scene.simulation.at(30 * minute, () => {
      outage.on = true;
    });
    const deadline = world.now + 34 * minute;
    expect(await scene.type('shutdown', { deadline })).toMatchObject({
      error: { code: 'StillDraining', exitCode: 75 },
    });
    expect(world.now).toBeLessThan(deadline);
  });

  test('voids earlier confirmations, because a job may have started unseen', async () => {
    const { outage, intercept } = silenced();
    const { scene, world } = await openPromoted(
      (stack) => ({
        ...removeHostAccess(stack),
        drain: { ...stack.drain, confirmationMs: 10 * minute },
      }),
      intercept,
    );
    // Pink's job ends after five hours. Then GitLab is unavailable for ten minutes.
    scene.simulation.at(5 * hour + 4 * minute, () => {
      outage.on = true;
    });
    let spokeAt = 0;
    scene.simulation.at(5 * hour + 9 * minute, (then) => {
      outage.on = false;
      spokeAt = then.now;
    });
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ kind: 'done', phase: 'drained' });
    expect(world.now - spokeAt).toBeGreaterThanOrEqual(10 * minute);
  });

  test('keeps a bake running, which ends with exit code 75', async () => {
    const { outage, intercept } = silenced();
    const { scene, world } = await openDrained({ bake: { atMostMs: hour }, intercept });
    scene.simulation.at(5 * minute, () => {
      outage.on = true;
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Unavailable', exitCode: 75 } });
    outage.on = false;
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });

  test('does not affect a bake if it responds again shortly', async () => {
    const { outage, intercept } = silenced();
    const { scene, world } = await openDrained({ intercept });
    scene.simulation.at(5 * minute, () => {
      outage.on = true;
    });
    scene.simulation.at(9 * minute, () => {
      outage.on = false;
    });
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({ kind: 'done', phase: 'baked' });
    expect(isOpen(world, pink)).toBe(false);
  });
});
