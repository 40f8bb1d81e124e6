import { describe, expect, test } from '@jest/globals';
import { parseRecord } from '../../../src/stages/record/record-format.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import {
  activeShard,
  hostsOf,
  isAcceptingJobs,
  parametersOf,
  parameterValue,
  registrationsOf,
} from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reach } from '../../stages/reach.ts';
import { openScene, pipeline, type Scene, withCustomers } from '../scene.ts';

const minute = 60_000;

function recorded(world: World) {
  const parsed = parseRecord(parameterValue(world, parametersOf(stackSettings()).record) ?? '');
  if (parsed.kind !== 'record') throw new Error(parsed.kind);
  return parsed.record;
}

/** Reaches a rollback of deployment 1-200 by an operator, with its candidate removed. */
async function rollbacks(reason?: string): Promise<Scene> {
  const scene = openScene(withCustomers(await reach('draining'), 60));
  expect(await scene.type('rollback', reason === undefined ? {} : { reason })).toMatchObject({
    kind: 'done',
  });
  expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  await scene.simulation.advance(minute);
  return scene;
}

describe('a configuration that was rolled back', () => {
  test('gets refused by prepare, with the reason of the rollback', async () => {
    const scene = await rollbacks('jobs cannot reach the registry');
    const before = recorded(scene.world);
    expect(before.rollbacks).toMatchObject([
      { id: '1-200', why: 'deployer rolled back: jobs cannot reach the registry' },
    ]);
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({
      kind: 'error',
      phase: 'done',
      error: {
        code: 'TakenBackBefore',
        exitCode: 3,
        fields: {
          why: [
            expect.stringMatching(/, deployer rolled back: jobs cannot reach the registry\.$/),
            'The settings, the image ami-1 and the plan are identical.',
            expect.stringMatching(
              /^These keys build the shard and are compared: registration, managers, /,
            ),
          ],
        },
      },
    });
    expect(recorded(scene.world)).toEqual(before);
    // The refused run has cancelled the canary of its pipeline.
    const printed = scene.story.slice(-12).join('\n');
    expect(printed).toContain('Cancelled 1 canary job.');
    expect(printed).toContain('no shard was touched');
    expect(printed).not.toContain('nothing was touched');
    expect(await scene.rest()).toEqual([]);
  });

  test('gets refused by deploy as well', async () => {
    const scene = await rollbacks();
    expect(await scene.type('deploy', { deploymentId: '1-300', ci: 'terminal' })).toMatchObject({
      error: { code: 'TakenBackBefore' },
    });
    expect(await scene.rest()).toEqual([]);
  });

  test('gets deployed with a warning if no shard is verified', async () => {
    const scene = await rollbacks('jobs cannot reach the registry');
    const { world } = scene;
    for (const host of hostsOf(world, stackSettings(), pink)) terminateHost(world, host, 'world');
    await scene.simulation.advance(10 * minute);
    const prepared = await scene.type('prepare', { deploymentId: '1-300' });
    expect(prepared).toMatchObject({ kind: 'done', phase: 'prepared' });
    expect(prepared.log.filter((line) => line.startsWith('! '))).toEqual([
      '! Did not compare with deployment 1-200, which was rolled back (deployer rolled back: jobs cannot reach the registry): no shard is verified',
      expect.stringMatching(
        /^! NO SHARD IS VERIFIED: pink is active; .* builds a shard that accepts jobs\.$/,
      ),
    ]);
    await pipelineAfterPrepare(scene, '1-300');
    expect(activeShard(world, stackSettings())).toBe(purple);
  });

  test('gets refused if the active shard is merely paused, and the printed command reopens it', async () => {
    const scene = await rollbacks();
    const { world } = scene;
    for (const one of registrationsOf(world, stackSettings(), pink)) one.paused = true;
    await scene.simulation.advance(minute);
    const refused = await scene.type('prepare', { deploymentId: '1-300' });
    expect(refused).toMatchObject({ error: { code: 'TakenBackBefore' } });
    expect(refused.kind === 'error' ? refused.error.fields.fix?.[0] : undefined).toBe(
      'Reopen pink, the active shard: hosted-runner activate --runner linux --shard pink',
    );
    expect(await scene.type('activate pink', { deploymentId: '1-301' })).toMatchObject({
      kind: 'done',
    });
    expect(isAcceptingJobs(world, stackSettings(), pink)).toBe(true);
  });

  test.each([1, 2, 3, 4])(
    'gets refused despite an outdated host check (number %i)',
    async (nth) => {
      const { world } = await rollbacks();
      const older = structuredClone(world);
      for (const host of hostsOf(older, stackSettings(), pink))
        Object.assign(host, { process: 'absent', restarts: false });
      let checks = 0;
      const behindOnce: Intercept = ({ port, method }) => {
        if (port !== 'host' || method !== 'look') return undefined;
        checks += 1;
        return checks === nth ? { kind: 'stale' } : undefined;
      };
      const scene = openScene(world, behindOnce, () => older);
      expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({
        error: { code: 'TakenBackBefore' },
      });
    },
  );

  test('gets refused before any log line about a repair', async () => {
    const scene = await rollbacks();
    const refused = await scene.type('prepare', { deploymentId: '1-300' });
    expect(refused.log.join('\n')).not.toContain('NO SHARD');
  });

  test('gets deployed with a reason, and its success removes the note', async () => {
    const scene = await rollbacks();
    const prepared = await scene.type('prepare', {
      deploymentId: '1-300',
      againBecause: 'the registry is back',
    });
    expect(prepared).toMatchObject({ kind: 'done', phase: 'prepared' });
    expect(prepared.log).toContain(
      '! Did not compare with deployment 1-200, which was rolled back (deployer rolled back): the registry is back',
    );
    await pipelineAfterPrepare(scene, '1-300');
    expect(activeShard(scene.world, stackSettings())).toBe(purple);
    expect(recorded(scene.world).rollbacks).toBeUndefined();
    await scene.simulation.advance(minute);
    await pipeline(scene, '1-400');
    expect(await scene.rest()).toEqual([]);
  });

  test.each<readonly [string, (world: World) => void, string]>([
    ['another image', (world) => (world.behaviour.revision = 2), 'the image is ami-2'],
    [
      'other settings',
      (world) => {
        const stack = stackSettings();
        const registration = { ...stack.registration, maximumTimeoutSeconds: 7200 };
        world.stacks[0] = { ...stack, registration };
      },
      '',
    ],
  ])(
    'gets deployed without a reason if it has %s, and the note stays',
    async (_, change, difference) => {
      const scene = await rollbacks();
      change(scene.world);
      const prepared = await scene.type('prepare', { deploymentId: '1-300' });
      expect(prepared).toMatchObject({ kind: 'done', phase: 'prepared' });
      const line = `Differs from deployment 1-200, which was rolled back: ${difference}.`;
      expect(prepared.log.includes(line)).toBe(difference !== '');
      await pipelineAfterPrepare(scene, '1-300');
      expect(recorded(scene.world).rollbacks).toMatchObject([{ id: '1-200' }]);
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('differs by the commit alone if custom commands build it', async () => {
    const world = await reach('prepared');
    world.behaviour.plans = 'unknown';
    const scene = openScene(world);
    const commit = 'aaaaaaaaaaaaaaaaaaaa';
    await scene.type('provision', { commit });
    await scene.type('rollback', { commit });
    await scene.type('finalize', { commit });
    await scene.simulation.advance(minute);
    expect(await scene.type('prepare', { deploymentId: '1-300', commit })).toMatchObject({
      error: {
        fields: {
          why: [
            expect.anything(),
            'The settings and the commit aaaaaaaaaaaa are identical.',
            expect.anything(),
          ],
        },
      },
    });
    const other = await scene.type('prepare', { deploymentId: '1-300', commit: 'bbbbbbb' });
    expect(other).toMatchObject({ kind: 'done', phase: 'prepared' });
    expect(other.log).toContain(
      'Differs from deployment 1-200, which was rolled back: the commit is bbbbbbb.',
    );
  });

  test('gets refused if no plan is possible before its onboarding', async () => {
    const scene = await rollbacks();
    scene.world.behaviour.planFailures = ['reading the token: ParameterNotFound'];
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({
      error: {
        code: 'TakenBackBefore',
        fields: {
          why: [
            expect.anything(),
            expect.stringContaining('No plan could be made: '),
            expect.anything(),
          ],
        },
      },
    });
  });

  test('gets refused in another pipeline that would take it over', async () => {
    const scene = await rollbacks();
    await scene.type('prepare', { deploymentId: '1-300', againBecause: 'the registry is back' });
    await scene.type('onboard', { deploymentId: '1-300' });
    await scene.simulation.advance(minute);
    expect(await scene.type('prepare', { deploymentId: '1-400' })).toMatchObject({
      error: { code: 'TakenBackBefore' },
    });
    expect(
      await scene.type('prepare', { deploymentId: '1-400', againBecause: 'as 1-300' }),
    ).toMatchObject({ kind: 'done' });
  });
});

async function pipelineAfterPrepare(scene: Scene, deploymentId: string): Promise<void> {
  for (const stage of ['onboard', 'provision', 'shutdown', 'cleanup'] as const) {
    const ending = await scene.type(stage, { deploymentId });
    if (ending.kind === 'error') throw ending.error;
  }
}
