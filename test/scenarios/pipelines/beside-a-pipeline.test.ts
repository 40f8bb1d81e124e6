import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { judgeActivation } from '../../../src/operator/takeover/activate.ts';
import { judgeRollback, rollback } from '../../../src/operator/takeover/rollback.ts';
import { formatLockEntry } from '../../../src/stages/record/lock/lock-entry.ts';
import { pink } from '../../fakes/builders.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { activeShard, parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command, Drive } from '../../stages/drive.ts';
import { arrive, reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const inTerminal = { deploymentId: 'terminal-4', ci: 'terminal' } as const;
const unknown = '49999' as RegistrationId;

/** Locks the stack by the pipeline's promoting job. */
function lockedByPipeline(world: World): void {
  const { lock } = parametersOf(world.stacks[0] as StackSettings);
  const since = new Date(world.now).toISOString();
  const owner = { deployment: '1-200', job: 'promote', since, process: 'elsewhere' };
  const seen = { version: 0, last: '', owner: undefined, record: 0 };
  const value = formatLockEntry({ kind: 'acquire', log: 'n', nonce: 'n', owner, seen });
  putParameter(world, { name: lock, value });
  const pipeline = world.pipelines['1-200'];
  if (pipeline !== undefined) pipeline.jobs['promote'] = 'running';
}

describe('a command at a terminal beside a pipeline', () => {
  const typed: readonly (readonly [Command, Pick<Drive, 'act' | 'refuse'>])[] = [
    ['rollback', { act: rollback, refuse: judgeRollback }],
    [
      'activate pink 49999',
      {
        refuse: (context) => judgeActivation(context, { shard: pink, registration: unknown }),
      },
    ],
  ];

  test.each(typed)(
    '%s is refused while another run holds the lock, whatever is recorded',
    async (command, how) => {
      const world = await reach('promoting');
      lockedByPipeline(world);
      const before = structuredClone(world.parameters);
      expect(await openScene(world).type(command, { ...inTerminal, ...how })).toMatchObject({
        error: { code: 'LockHeld', exitCode: 75 },
      });
      expect(world.parameters).toEqual(before);
    },
  );

  test('a rollback right after the promotion uses the record of the promotion', async () => {
    const world = await arrive('promoted');
    const { record } = parametersOf(world.stacks[0] as StackSettings);
    const older = structuredClone(world);
    older.parameters[record]?.versions.splice(1);
    let reads = 0;
    const scene = openScene(
      world,
      ({ method, args }) => {
        if (method !== 'find' || args[0] !== record) return undefined;
        reads += 1;
        return reads === 1 ? { kind: 'stale' } : undefined;
      },
      () => older,
    );
    const ending = await scene.type('rollback', { ...inTerminal, refuse: judgeRollback });
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(activeShard(world, world.stacks[0] as StackSettings)).toBe('pink');
  });

  test('a hold is reported at once, whichever run holds the lock', async () => {
    const world = await reach('promoting');
    lockedByPipeline(world);
    const { hold } = parametersOf(world.stacks[0] as StackSettings);
    putParameter(world, { name: hold, value: '{"who":"kim","why":"x","since":"2026-11-02"}' });
    for (const [command, how] of typed)
      expect(await openScene(world).type(command, { ...inTerminal, ...how })).toMatchObject({
        error: { code: 'Held' },
      });
  });
});
