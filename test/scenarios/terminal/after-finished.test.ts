import { describe, expect, test } from '@jest/globals';
import { refuseRecovery } from '../../../src/operator/recover/recovery-preflight.ts';
import { bakingStack, pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { deploymentOf } from '../../fakes/deployment-of.ts';
import { activeShard, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import type { Command } from '../../stages/drive.ts';
import { openScene, type Scene } from '../scene.ts';

/** Delay that exceeds the time until a command's first reads. */
const behindMs = 1500;
const unnamed = (deploymentId: string) =>
  ({ ci: 'terminal', deploymentId, isUnnamed: true }) as const;

/** Reaches a deployment that a terminal has just finished. All reads are stale from now on. */
async function finished(world: World): Promise<Scene> {
  const scene = openScene(world);
  const { phase } = await scene.type('deploy', unnamed('terminal-1'));
  expect(phase).toBe('done');
  world.behaviour.staleForMs = behindMs;
  return scene;
}

function recorded({ world }: Scene) {
  return deploymentOf(parameterValue(world, parametersOf(world.stacks[0] as never).record));
}

describe('a command right after a finished deployment, with outdated reads', () => {
  test('deploy starts a new deployment and finishes it', async () => {
    const scene = await finished(worldWithActive(pink));
    const ending = await scene.type('deploy', unnamed('terminal-2'));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(recorded(scene)).toMatchObject({ id: 'terminal-2', candidate: pink });
    expect(activeShard(scene.world, scene.world.stacks[0] as never)).toBe(pink);
  });

  test('prepare starts a new deployment, and provision and finalize resume it', async () => {
    const scene = await finished(worldWithActive(pink));
    expect(await scene.type('prepare', unnamed('terminal-2'))).toMatchObject({
      kind: 'done',
      phase: 'prepared',
    });
    expect(await scene.type('provision', unnamed('terminal-3'))).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
    expect(await scene.type('finalize', unnamed('terminal-4'))).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
    expect(recorded(scene)).toMatchObject({ id: 'terminal-2', candidate: pink });
  });

  test.each([
    ['activate', 'activate pink'],
    ['rollback', 'rollback'],
  ] as const)('%s starts a new deployment', async (kind, command) => {
    const scene = openScene(worldWithActive(pink));
    await scene.type('prepare', unnamed('terminal-1'));
    await scene.type('provision', unnamed('terminal-2'));
    scene.world.behaviour.staleForMs = behindMs;
    const ending = await scene.type(command, unnamed('terminal-3'));
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(recorded(scene)).toMatchObject({ id: 'terminal-3', kind, candidate: pink });
  });

  const idle: readonly Command[] = ['recover rerun', 'provision', 'shutdown', 'finalize'];
  test.each(idle)(
    '%s does nothing and names the command that starts a deployment',
    async (name) => {
      const scene = await finished(worldWithActive(pink));
      const ending = await scene.type(name, unnamed('terminal-2'));
      expect(ending).toMatchObject({
        kind: 'nothing',
        phase: 'done',
        text: 'deployment terminal-1 is done; "hosted-runner deploy --runner linux" starts the next one',
      });
      expect(recorded(scene).id).toBe('terminal-1');
    },
  );

  test.each([
    ['without a bake', stackSettings(), ', and no bake is configured (bake.for is not set)'],
    ['with a bake', bakingStack(), ''],
  ])('bake reports whether the stack has a bake: %s', async (_, stack, noBake) => {
    const scene = await finished(worldWithActive(pink, { stacks: [stack] }));
    const ending = await scene.type('bake', unnamed('terminal-2'));
    expect(ending).toMatchObject({
      kind: 'nothing',
      text: `deployment terminal-1 is done${noBake}; "hosted-runner deploy --runner linux" starts the next one`,
    });
  });
});

describe('a command with nothing to do', () => {
  test('names deploy if finalize finds no record', async () => {
    const scene = openScene(worldWithActive(pink));
    expect(await scene.type('finalize', unnamed('terminal-1'))).toMatchObject({
      kind: 'nothing',
      text: 'linux has no deployment; "hosted-runner deploy --runner linux" starts the first one',
    });
  });

  test.each([
    ['rollback', 'finalize', 'the rollback to pink is already promoted', 'finishes the rollback'],
  ] as const)(
    'names the next command if %s is typed again',
    async (command, next, already, ends) => {
      const scene = openScene(worldWithActive(pink));
      await scene.type('prepare', unnamed('terminal-1'));
      await scene.type('provision', unnamed('terminal-2'));
      await scene.type(command, unnamed('terminal-3'));
      expect(await scene.type(command, unnamed('terminal-4'))).toMatchObject({
        kind: 'nothing',
        text: `${already}; "hosted-runner ${next} --runner linux" ${ends}`,
      });
    },
  );
});

describe('a refusal of recover before the lock', () => {
  test('does not rely on its first read if a later one shows that the deployment is done', async () => {
    const scene = await finished(worldWithActive(pink));
    scene.world.behaviour.staleForMs = 0;
    scene.world.behaviour.staleReads = 2;
    const recovery = { method: 'cleanup', consent: { kind: 'given' } } as const;
    const ending = await scene.type('recover cleanup', {
      ...unnamed('terminal-2'),
      refuse: (context) => refuseRecovery(context, recovery),
    });
    expect(ending).toMatchObject({ kind: 'nothing', phase: 'done' });
  });
});

describe('a deployment that a terminal left unfinished', () => {
  test('resumes under its own id although reads are outdated', async () => {
    const scene = await finished(worldWithActive(pink));
    await scene.type('prepare', unnamed('terminal-2'));
    const ending = await scene.type('deploy', unnamed('terminal-3'));
    expect(ending).toMatchObject({ kind: 'done', phase: 'done' });
    expect(recorded(scene)).toMatchObject({ id: 'terminal-2', candidate: pink });
    expect(ending.events).toContainEqual(
      expect.objectContaining({ kind: 'resumed', deployment: 'terminal-2' }),
    );
  });
});

describe('deploy at a terminal for a named deployment that is done', () => {
  test('deploys nothing and does not exit 0', async () => {
    const scene = openScene(worldWithActive(pink));
    await scene.type('deploy', { ci: 'terminal', deploymentId: 'terminal-1' });
    const ending = await scene.type('deploy', { ci: 'terminal', deploymentId: 'terminal-1' });
    expect(ending.kind === 'error' && ending.error.fields).toMatchObject({
      code: 'NotPrepared',
      exitCode: 2,
      why: [
        'Deployment terminal-1 is done, and --deployment or HOSTED_RUNNER_DEPLOYMENT names it.',
      ],
      fix: [
        'Start a deployment: env -u HOSTED_RUNNER_DEPLOYMENT hosted-runner deploy --runner linux',
        expect.any(String),
      ],
    });
  });
});
