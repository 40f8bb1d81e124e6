import { describe, expect, test } from '@jest/globals';
import type { Phase } from '../../src/domain/steps.ts';
import { pink, purple, worldWithActive } from '../fakes/builders.ts';
import { absorb } from '../fakes/checker.ts';
import type { Call } from '../fakes/seam.ts';
import { hostsOf, isServing, registrationsOf } from '../fakes/serving.ts';
import {
  askedByCanaryAlone,
  end,
  hang,
  hour,
  irreversibleCalls,
  isOpen,
  openPromoted,
  stackOf,
} from './promoted.ts';
import { openScene, withCustomers } from './scene.ts';

describe('between what was proven and what it was proven for', () => {
  /** The new machine ends as the record is written with that phase, after which nothing asks but the effect. */
  async function openEndingAt(phase: Phase) {
    let hasEnded = false;
    const opened = await openPromoted(undefined, ({ port, args }) => {
      const isWritten =
        port === 'parameters' && JSON.stringify(args).includes(`phase\\":\\"${phase}\\"`);
      if (hasEnded || !isWritten) return undefined;
      hasEnded = true;
      end(opened.world, purple);
      return undefined;
    });
    return opened;
  }

  test('the end of the new machine after the drain leaves the process of the old one, and opens it', async () => {
    const { scene, world } = await openEndingAt('drained');
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({
      phase: 'promoted',
      says: 'purple no longer serves; pink is open again, and nothing of it was taken away.',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
      'Go back to pink: hosted-runner rollback --runner linux',
      'Or mend purple, which is looked at anew: hosted-runner shutdown --runner linux',
    ]);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect({ open: isOpen(world, pink), serves: isServing(world, stackOf(world), pink) }).toEqual({
      open: true,
      serves: true,
    });
  });

  test('the end of the new machine as the cleanup begins leaves the registration of the old one', async () => {
    const { scene } = await openEndingAt('destroying');
    await scene.type('shutdown');
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'destroying',
      error: { code: 'NothingServes', exitCode: 3 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  });
});

describe('between shutdown and cleanup', () => {
  test('a new machine that hangs keeps the old one from being taken away', async () => {
    const { scene, world } = await openPromoted();
    await scene.type('shutdown');
    await scene.simulation.advance(hour);
    hang(world, purple);
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'drained',
      error: { code: 'ServiceUnproven', exitCode: 1 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(isServing(world, stackOf(world), pink)).toBe(true);
  });

  test('the end of the new machine keeps the old one from being taken away', async () => {
    const { scene, world } = await openPromoted();
    await scene.type('shutdown');
    end(world, purple);
    expect(await scene.type('cleanup')).toMatchObject({
      phase: 'drained',
      error: { code: 'ServiceLost', exitCode: 1 },
    });
    expect(irreversibleCalls(scene)).toEqual(['host.quit']);
  });
});

test('a candidate that alone serves is left serving, whatever its checks say', async () => {
  const world = worldWithActive(pink);
  const isTagged = ({ port, method, args }: Call) =>
    port === 'registry' && method === 'setIntake' && args[1] === 'open';
  let killed = false;
  const scene = openScene(withCustomers(world), (call) => {
    const writes = call.port === 'parameters' && JSON.stringify(call.args[0]).includes('promoting');
    if (killed || !(isTagged(call) || writes)) return undefined;
    killed = true;
    return { kind: 'crash_after' };
  });
  await scene.type('prepare');
  await scene.type('provision');
  const [registration] = registrationsOf(world, stackOf(world), purple);
  if (registration === undefined) throw new Error('purple is not registered');
  registration.tags = ['linux'];
  end(world, pink);
  for (const host of hostsOf(world, stackOf(world), purple))
    host.workloadFault = 'docker: no space left on device';
  absorb(world);
  const ending = await scene.type('provision');
  expect(ending).toMatchObject({ kind: 'error', phase: 'promoting' });
  const warned = ending.log.filter((line) => line.startsWith('! '));
  expect(warned.some((line) => line.startsWith('! purple is left serving, whatever'))).toBe(true);
  expect(warned.at(-1)).toMatch(/^! Pause runner \d+ now if its jobs fail\.$/);
  expect(registrationsOf(world, stackOf(world), purple)[0]).toMatchObject({
    paused: false,
    tags: expect.arrayContaining(['linux']),
  });
  expect(irreversibleCalls(scene)).toEqual([]);
});

test('the canary’s tag that could not be taken back at a proof is taken back at the end', async () => {
  let [isClosed, isDestroyed] = [false, false];
  const { scene, world } = await openPromoted(askedByCanaryAlone, ({ port, method, args }) => {
    isClosed ||= method === 'setIntake' && args[1] === 'closed';
    isDestroyed ||= port === 'infrastructure' && method === 'destroy';
    const takesBack = method === 'route' && !JSON.stringify(args).includes('canary-');
    return takesBack && isClosed && !isDestroyed
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined;
  });
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
  expect(registrationsOf(world, stackOf(world), purple)).toMatchObject([{ tags: ['linux'] }]);
  expect(ending.log).toContain("Took the canary's canary-1-200-linux from runner 48214.");
});

test('no rollback is offered to a shard that has no process to go back to', async () => {
  const { scene, world } = await openPromoted();
  end(world, pink);
  end(world, purple);
  const ending = await scene.type('shutdown');
  expect(ending.kind === 'error' && ending.error.fields.fix).toEqual([
    'Look at both shards, and once purple serves go on: hosted-runner shutdown --runner linux',
    'Take pink away although no shard serves: hosted-runner recover --runner linux --although-nothing-serves --yes',
  ]);
});
