import { describe, expect, test } from '@jest/globals';
import { pink, purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
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

/** Purple is promoted; pink runs a job of five hours, and a person has paused it before its drain. */
async function openPaused(intercept?: Intercept) {
  const { scene, world } = await openPromoted(undefined, intercept);
  pause(world, pink, true);
  return { scene, world };
}

const lost = { phase: 'draining', error: { code: 'ServiceLost', exitCode: 1 } };

describe('what a person has paused before its drain', () => {
  test('is drained and removed like any other', async () => {
    const { scene, world } = await openPaused();
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
    expect(await scene.rest()).toEqual([]);
  });

  test('is left so where the new shard dies, by the run that drains it and by the next ones', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => end(world, purple));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({
      ...lost,
      says: 'purple no longer serves, and pink stays closed, as somebody else closed it before its drain.',
    });
    expect(JSON.stringify(ending)).toContain('hosted-runner rollback --runner linux');
    for (const stage of ['shutdown', 'finalize'] as const)
      expect(await scene.type(stage)).toMatchObject(lost);
    expect(isOpen(world, pink)).toBe(false);
    expect(irreversibleCalls(scene)).toEqual([]);
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done' });
    expect(isOpen(world, pink)).toBe(true);
  });

  test('is not offered to be taken as if it could not serve', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => end(world, purple));
    expect(JSON.stringify(await scene.type('shutdown'))).not.toContain('--although-nothing-serves');
  });

  test.each([
    ['that it drains', writes('draining')],
    ['when it was closed', notesPause],
  ])('is left so where a run died as it wrote %s', async (_, kills) => {
    const { scene, world } = await openPaused(killAt(kills));
    expect(await scene.type('shutdown')).toMatchObject({ kind: 'killed' });
    end(world, purple);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'error', phase: 'draining' });
    expect(isOpen(world, pink)).toBe(false);
  });

  test('is left open where a person opens it in its drain', async () => {
    const { scene, world } = await openPaused();
    scene.simulation.at(30 * minute, () => pause(world, pink, false));
    const ending = await scene.type('shutdown');
    expect(ending).toMatchObject({ phase: 'draining', error: { code: 'OpenedByOther' } });
    expect(ending.kind === 'error' ? ending.error.fields.why : []).toEqual([
      'It was closed as its drain began, and it is un-paused now. Nothing was stopped.',
    ]);
    expect(isOpen(world, pink)).toBe(true);
  });

  test('stays so in a takeover: who has closed it is known', async () => {
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

describe('what we have closed is opened again', () => {
  test.each([
    ['and noted', 'draining', undefined],
    ['by a pause that was not noted', 'promoted', atPause(() => ({ kind: 'crash_after' }))],
  ] as const)(
    'though a person had paused it at first, who opened it before we closed it %s',
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

describe('what a person has paused before its drain, and a bake would go back to', () => {
  test('is not opened by the bad verdict: a person decides, and nothing of it is taken away', async () => {
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
              /; somebody else has closed pink before its drain, and it is not opened unasked\.$/,
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

  test('stays closed where the new one dies meanwhile', async () => {
    const { scene, world } = await openBaking();
    pause(world, pink, true);
    await scene.type('shutdown');
    scene.simulation.at(10 * minute, () => end(world, purple));
    expect(await scene.type('bake')).toMatchObject({ error: { code: 'ServiceLost' } });
    expect(isOpen(world, pink)).toBe(false);
  });
});

test('a way back that we have closed, as its own proof was bad, is ours to open in the next drain', async () => {
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

test('what a person has paused and would serve is not offered to be taken, before its drain either', async () => {
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

test('what a person has paused before its drain is said to be paused, with the job that it still runs', async () => {
  const { scene, world } = await openPaused();
  end(world, purple);
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({
    phase: 'promoted',
    says: 'Pink is paused already and would be stopped and removed, and purple does not serve: nothing of pink is taken away.',
    error: { code: 'NothingServes' },
  });
  const now = ending.kind === 'error' ? ending.error.fields.now : undefined;
  expect(now).toContain(
    'purple is promoted; pink is still to be drained and removed. pink takes no new job: runner 48213 of pink is paused. Job 9000002 "long build" of customers/shop is running on pink.',
  );
});
