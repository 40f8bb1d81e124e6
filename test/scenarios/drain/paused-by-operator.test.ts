import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { killAt, writes } from '../../stages/reach.ts';
import { bad, breakJobs, openBaking } from '../bake/baked.ts';
import {
  atPause,
  end,
  hour,
  irreversibleCalls,
  isOpen,
  minute,
  notesPause,
  openPromoted,
  pause,
  stackOf,
} from '../service/promoted.ts';

/**
 * Opens a stack with purple promoted. Pink has a job of five hours, and an operator paused it
 * before its drain.
 */
async function openPaused(intercept?: Intercept) {
  const { scene, world } = await openPromoted(undefined, intercept);
  pause(world, pink, true);
  return { scene, world };
}

const lost = { phase: 'draining', error: { code: 'ServiceLost', exitCode: 1 } };

describe('a shard that an operator paused before its drain', () => {
  test('gets drained and removed like any other', async () => {
    const { scene, world } = await openPaused();
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
    expect(await scene.rest()).toEqual([]);
  });

  test('stays paused if the new shard dies, in the same run and in later runs', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => end(world, purple));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({
      ...lost,
      text: 'purple no longer accepts jobs. Pink stays paused: it was paused outside hosted-runner before its drain.',
    });
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
    for (const stage of ['shutdown', 'finalize'] as const)
      expect(await scene.type(stage)).toMatchObject(lost);
    expect(isOpen(world, pink)).toBe(false);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('gets no offer of --although-nothing-serves', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => end(world, purple));
    expect(JSON.stringify(await scene.type('shutdown'))).not.toContain('--although-nothing-serves');
  });

  test.each([
    ['the start of the drain', writes('draining')],
    ['the time of the pause', notesPause],
  ])('stays paused if a run died while it recorded %s', async (_, kills) => {
    const { scene, world } = await openPaused(killAt(kills));
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'killed' });
    end(world, purple);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'error', phase: 'draining' });
    expect(isOpen(world, pink)).toBe(false);
  });

  test('stays unpaused if an operator unpauses it during its drain', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => pause(world, pink, false));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ phase: 'draining', error: { code: 'OpenedByOther' } });
    expect(ending.kind === 'error' ? ending.error.fields.why : []).toEqual([
      'The runner was paused before the drain, but it is unpaused now. No process was stopped.',
    ]);
    expect(isOpen(world, pink)).toBe(true);
  });

  test('stays paused in a takeover, because the record names the operator', async () => {
    const { scene, world } = await openPaused();
    await scene.type('shutdown', { deadline: world.now + 10 * minute });
    expect(await scene.type('activate purple', { deploymentId: '1-300' })).toMatchObject({
      kind: 'done',
    });
    scene.simulation.at(30 * minute, () => end(world, purple));
    expect(await scene.type('finalize', { deploymentId: '1-300' })).toMatchObject(lost);
    expect(isOpen(world, pink)).toBe(false);
  });
});

describe('a shard that hosted-runner paused', () => {
  test.each([
    ['recorded', 'draining', undefined],
    ['not recorded', 'promoted', atPause(() => ({ kind: 'crash_after' }))],
  ] as const)(
    'gets reopened even if an operator paused and unpaused it before its pause, which was %s',
    async (_, __, dies) => {
      let isOver = false;
      const { scene, world } = await openPaused((call) => {
        if (!isOver && writes('draining')(call)) {
          isOver = true;
          pause(world, pink, false);
        }
        return dies?.(call);
      });
      scene.simulation.at(30 * minute, () => end(world, purple));
      await scene.type('shutdown');
      await scene.simulation.advance(hour);
      await scene.type('finalize');
      expect(isOpen(world, pink)).toBe(true);
    },
  );
});

describe('a shard that an operator paused before its drain, with a bake', () => {
  test('stays paused after a bad verdict: an operator decides, and nothing is removed', async () => {
    const { scene, world } = await openBaking();
    pause(world, pink, true);
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () => breakJobs(world, purple, bad));
    const ending = await scene.type('bake');
    expect(ending).toMatchObject({
      phase: 'drained',
      error: {
        code: 'BakeHeld',
        fields: {
          why: [
            expect.stringMatching(
              /; pink was paused outside hosted-runner before its drain, so it is not reopened automatically\.$/,
            ),
          ],
        },
      },
    });
    expect(isOpen(world, pink)).toBe(false);
    expect(irreversibleCalls(scene).filter((call) => call.includes('retire'))).toEqual([]);
    expect(await scene.type('release')).toMatchObject({ kind: 'done' });
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(isOpen(world, pink)).toBe(true);
    expect(world.violations).toEqual([]);
  });

  test('stays paused if the new shard dies meanwhile', async () => {
    const { scene, world } = await openBaking();
    pause(world, pink, true);
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () => end(world, purple));
    expect(await scene.type('bake')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(false);
  });
});

test('a shard that hosted-runner paused after its failed verification may be reopened in the next drain', async () => {
  let isCut = false;
  const { scene, world } = await openPromoted(undefined, ({ method, args }) =>
    isCut && method === 'setIntake' && args[1] === 'open' ? { kind: 'crash_before' } : undefined,
  );
  await scene.type('shutdown', { deadline: world.now + 10 * minute });
  isCut = true;
  await scene.type('rollback');
  isCut = false;
  const fail = (workloadFault?: string) => {
    for (const host of hostsOf(world, stackOf(world), pink)) {
      if (workloadFault === undefined) delete host.workloadFault;
      else host.workloadFault = workloadFault;
    }
    absorb(world);
  };
  fail('docker: no space left on device');
  expect(await scene.type('finalize')).toMatchObject({ error: { code: 'TakeBackUnproven' } });
  expect(isOpen(world, pink)).toBe(false);
  fail();
  expect(await scene.type('activate purple', { deploymentId: '1-300' })).toMatchObject({
    kind: 'done',
  });
  scene.simulation.at(20 * minute, () => end(world, purple));
  const ending = await scene.type('finalize', { deploymentId: '1-300' });
  expect(ending).toMatchObject({ error: { code: 'ServiceLost' } });
  expect(isOpen(world, pink)).toBe(true);
});

test('a paused shard that could accept jobs is not offered for removal before its drain either', async () => {
  const { scene, world } = await openPaused();
  end(world, purple);
  const ending = await scene.type('finalize');
  expect(ending).toMatchObject({ kind: 'error', phase: 'promoted' });
  const printed = JSON.stringify(ending);
  expect(printed).not.toContain('--although-nothing-serves');
  expect(printed).toContain('hosted-runner rollback --runner linux');
  expect(await scene.type('recover although')).toMatchObject({ error: { code: 'CannotRecover' } });
  expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
  expect(isOpen(world, pink)).toBe(true);
});

test('a shard that was paused before its drain is reported as paused, with the job that it still runs', async () => {
  const { scene, world } = await openPaused();
  end(world, purple);
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({
    phase: 'promoted',
    text: 'pink was kept, because purple does not accept jobs.',
    error: { code: 'NothingServes' },
  });
  const now = ending.kind === 'error' ? ending.error.fields.now : undefined;
  expect(now).toContain(
    'purple is promoted; pink is still to be drained and removed. pink takes no new jobs: runner 48213 of pink is paused. Job 9000002 "long build" of customers/shop is running on pink.',
  );
});
