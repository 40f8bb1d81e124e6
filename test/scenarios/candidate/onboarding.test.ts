import { describe, expect, test } from '@jest/globals';
import { linux, purple, stackSettings } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { removeParameter } from '../../fakes/ports/parameters-fake.ts';
import { addRegistration } from '../../fakes/ports/registry/registration-writes.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { killAt, ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { forgetContact } from './forgotten-contact.ts';

describe('onboard', () => {
  test('resets a token that was lost before any manager made contact', async () => {
    const world = await reach('onboarded');
    removeParameter(world, parametersOf(stackSettings()).token(purple));
    const scene = openScene(world);
    expect(await scene.type('onboard')).toMatchObject({ kind: 'done' });
    await scene.type('provision');
    await scene.type('finalize');
    expect(await scene.rest()).toEqual([]);
  });

  test('does not mistake the old token for the new one after a kill before the new one was stored', async () => {
    const world = await reach('onboarded');
    const [deleted] = registrationsOf(world, stackSettings(), purple);
    delete world.registrations[deleted?.id ?? ''];
    absorb(world);
    const dying = openScene(world, killAt(noteOfAnother(deleted?.id)));
    expect(await dying.type('onboard')).toMatchObject({ kind: 'killed' });
    const scene = openScene(world);
    await scene.simulation.advance(60_000);
    expect(await scene.type('onboard', { jobId: 'onboard 2' })).toMatchObject({ kind: 'done' });
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
    await scene.type('finalize');
    expect(await scene.rest()).toEqual([]);
  });

  test('refuses a lost token that a manager uses', async () => {
    const world = await reach('applied');
    removeParameter(world, parametersOf(stackSettings()).token(purple));
    expect(await openScene(world).type('onboard')).toMatchObject({
      error: { code: 'TokenLost', exitCode: 3 },
    });
  });

  test.each(['healthy', 'applied'] as const)(
    'refuses a lost token after a contact that GitLab has forgotten, once %s',
    async (phase) => {
      const world = await reach(phase);
      const scene = openScene(world);
      await scene.type('provision --until healthy');
      forgetContact(world);
      removeParameter(world, parametersOf(stackSettings()).token(purple));
      expect(await scene.type('onboard')).toMatchObject({
        error: { code: 'TokenLost', exitCode: 3 },
      });
    },
  );

  test('resets the lost token of a runner that was created after one with a contact', async () => {
    const world = await reach('healthy');
    const [before] = registrationsOf(world, stackSettings(), purple);
    delete world.registrations[before?.id ?? ''];
    absorb(world);
    const scene = openScene(world);
    expect(await scene.type('onboard')).toMatchObject({ kind: 'done' });
    const [after] = registrationsOf(world, stackSettings(), purple);
    expect(after?.id).not.toBe(before?.id);
    removeParameter(world, parametersOf(stackSettings()).token(purple));
    expect(await scene.type('onboard')).toMatchObject({ kind: 'done' });
  });

  test.each([1, 2])(
    'lets recover remove a candidate whose token was lost, after %d refused runs',
    async (times) => {
      const world = await reach('healthy');
      removeParameter(world, parametersOf(stackSettings()).token(purple));
      const scene = openScene(world);
      for (let run = 0; run < times; run += 1) {
        expect(await scene.type('provision')).toMatchObject({ error: { code: 'TokenLost' } });
      }
      expect(await scene.type('recover cleanup')).toMatchObject({ kind: 'done' });
      await scene.type('finalize');
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('removes duplicates that hosted-runner created and no manager contacted', async () => {
    const world = await reach('prepared');
    for (let count = 0; count < 2; count += 1)
      duplicate(world, 'hosted-runner-deploy deployment=1');
    const scene = openScene(world);
    expect(await scene.type('onboard')).toMatchObject({ kind: 'done' });
    expect(registrationsOf(world, stackSettings(), purple)).toHaveLength(1);
  });

  test('creates a runner once although the response was lost, and resets its token', async () => {
    const world = await reach('prepared');
    const intercept = ({ port, method }: Call): Fault | undefined =>
      port === 'registry' && method === 'create' ? { kind: 'lost_answer' } : undefined;
    const simulation = createSimulation({ world, intercept });
    const ending = await drive(simulation, 'onboard', { deploymentId: ownId, jobId: 'onboard 1' });
    expect(ending.kind).toBe('done');
    const calls = simulation.trace.filter(({ port, effect }) => port === 'registry' && effect);
    expect(calls.map(({ method }) => method)).toEqual(['create', 'resetToken']);
  });

  test.each([
    ['somebody’s', false],
    ['hosted-runner-deploy deployment=1', true],
  ])(
    'resets no token of another runner with the note "%s" after a lost create (contacted: %s)',
    async (note, contacted) => {
      const world = await reach('prepared');
      const intercept = ({ port, method }: Call): Fault | undefined => {
        if (port !== 'registry' || method !== 'create') return undefined;
        duplicate(world, note);
        for (const one of registrationsOf(world, stackSettings(), purple))
          one.contacted = contacted;
        absorb(world);
        return { kind: 'late_effect', afterMs: 600_000 };
      };
      const simulation = createSimulation({ world, intercept });
      const ending = await drive(simulation, 'onboard', {
        deploymentId: ownId,
        jobId: 'onboard 1',
      });
      expect(ending).toMatchObject({ error: { code: 'Unreachable' } });
      expect(simulation.trace.map(({ method }) => method)).not.toContain('resetToken');
    },
  );

  test('refuses a runner with the description of the candidate that hosted-runner did not create', async () => {
    const world = await reach('prepared');
    duplicate(world, 'somebody’s');
    expect(await openScene(world).type('onboard')).toMatchObject({
      error: { code: 'ForeignRegistration', exitCode: 3 },
    });
  });
});

/** Matches the first write of the record with another registration. */
function noteOfAnother(id: string | undefined): (call: Call) => boolean {
  return ({ method, args: [given] }) => {
    const { name, value = '' } = (given ?? {}) as { name?: string; value?: string };
    if (method !== 'overwrite' || name !== parametersOf(stackSettings()).record) return false;
    const noted = JSON.parse(value).shards.purple?.registration;
    return noted !== undefined && noted !== id;
  };
}

function duplicate(world: World, note: string): void {
  addRegistration(world, {
    shard: { runnerName: linux, shard: purple },
    settings: stackSettings().registration,
    tags: ['x'],
    note,
  });
  absorb(world);
}
