import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../../src/domain/error-codes.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { canariesOf, canaryTag } from '../../fakes/ports/canary-fake.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command, Drive } from '../../stages/drive.ts';
import { arrive, ownId, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const noAnswer = { kind: 'error_before', failure: 'denied' } as const;
const isCall = (port: string, method: string) => (call: Call) =>
  call.port === port && call.method === method;

/** Counts the project's own canaries that keep the pipeline from its end. */
function waiting(world: World): number {
  const tag = canaryTag(world.stacks[0] as StackSettings, ownId);
  return canariesOf(world, tag).filter(({ finishedAt }) => finishedAt === undefined).length;
}

interface Ending {
  readonly at: 'prepared' | 'onboarded' | 'applied';
  readonly command: Command;
  readonly fails?: (call: Call) => boolean;
  readonly options?: Partial<Drive>;
  readonly code: ErrorCode;
  readonly exitCode: number;
}

const endings: readonly (readonly [string, Ending])[] = [
  [
    'an apply that is refused',
    {
      at: 'onboarded',
      command: 'provision',
      fails: isCall('infrastructure', 'plan'),
      code: 'PermissionMissing',
      exitCode: 1,
    },
  ],
  [
    'an onboarding that is refused',
    {
      at: 'prepared',
      command: 'onboard',
      fails: isCall('registry', 'create'),
      code: 'PermissionMissing',
      exitCode: 1,
    },
  ],
  [
    'a record that cannot be read',
    {
      at: 'onboarded',
      command: 'provision',
      fails: ({ method, args }) =>
        method === 'find' && JSON.stringify(args).includes('deployment_record'),
      code: 'PermissionMissing',
      exitCode: 1,
    },
  ],
];

describe('the canary of a failed run', () => {
  test.each(endings)(
    'stops waiting after %s',
    async (_, { at, command, fails, options, code, exitCode }) => {
      const world = await reach(at);
      expect(waiting(world)).toBe(1);
      const intercept = (call: Call): Fault | undefined => (fails?.(call) ? noAnswer : undefined);
      const ending = await openScene(world, intercept).type(command, options);
      expect(ending).toMatchObject({ kind: 'error' });
      expect(ending.kind === 'error' && [ending.error.code, ending.error.exitCode]).toEqual([
        code,
        exitCode,
      ]);
      expect(waiting(world)).toBe(0);
    },
  );

  test('stops waiting after a hold, and the next run starts another one', async () => {
    const world = await reach('onboarded');
    const scene = openScene(world);
    await scene.type('hold', { deploymentId: '1-300' });
    expect(await scene.type('provision')).toMatchObject({ error: { code: 'Held', exitCode: 3 } });
    expect(waiting(world)).toBe(0);
    await scene.type('release', { deploymentId: '1-300' });
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('stops waiting after a cancellation', async () => {
    const world = await reach('onboarded');
    const controller = new AbortController();
    const intercept = (call: Call): undefined => {
      if (isCall('infrastructure', 'plan')(call)) controller.abort();
    };
    const ending = await openScene(world, intercept).type('provision', {
      signal: controller.signal,
    });
    expect(ending).toMatchObject({ error: { code: 'Cancelled', exitCode: 130 } });
    expect(waiting(world)).toBe(0);
  });

  test('causes a warning if it cannot be cancelled, and the error stays the same', async () => {
    const world = await reach('onboarded');
    const intercept = (call: Call): Fault | undefined =>
      isCall('infrastructure', 'plan')(call) || isCall('canary', 'cancel')(call)
        ? noAnswer
        : undefined;
    const ending = await openScene(world, intercept).type('provision');
    expect(ending).toMatchObject({ error: { code: 'PermissionMissing' } });
    expect(ending.log.filter((line) => line.includes('Could not cancel'))).toHaveLength(1);
  });
});

describe('the canary of a working run', () => {
  test('keeps waiting if another run of the same deployment finds the lock held', async () => {
    const world = await arrive('applied');
    const held = { kind: 'error', error: { code: 'LockHeld', exitCode: 75 } };
    world.pipelines[ownId]!.jobs['provision 1'] = 'running';
    expect(waiting(world)).toBe(1);
    const ending = await openScene(world).type('provision');
    expect(ending).toMatchObject(held);
    expect(waiting(world)).toBe(1);
  });

  test.each<[string, Fault['kind'] & ('foreign_write' | 'lock_stale'), string]>([
    ['has written the record meanwhile', 'foreign_write', 'ForeignWrite'],
    ['holds the lock meanwhile', 'lock_stale', 'LockLost'],
  ])('keeps waiting if another run of its deployment %s', async (_, kind, code) => {
    const world = await reach('onboarded');
    let isStruck = false;
    const intercept = ({ method, args }: Call): Fault | undefined => {
      const isWrite = method === 'overwrite' && JSON.stringify(args).includes('deployment_record');
      if (isStruck || !isWrite) return undefined;
      isStruck = true;
      return { kind };
    };
    const ending = await openScene(world, intercept).type('provision');
    expect(ending).toMatchObject({ kind: 'error' });
    expect(ending.kind === 'error' && ending.error.code).toBe(code);
    expect(waiting(world)).toBe(1);
  });
});
