import { describe, expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import type { Command } from '../../stages/drive.ts';
import { openScene, type Scene } from '../scene.ts';

/** Counts writes of the status in the story. */
const switchesOf = (scene: Scene) =>
  scene.story.filter((line) => /parameters\.overwrite name=\S*deployment_status/.test(line)).length;

/** Reaches a deployment with a healthy candidate whose pipeline waits for an approval. */
async function awaiting(...stages: readonly Command[]) {
  const world = worldWithActive(pink);
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', ...stages] as const)
    await scene.type(stage, { deploymentId: '1-200' });
  return scene;
}

describe('recover of a deployment that waits for an approval', () => {
  test.each([
    'recover rerun',
    'recover auto',
    'recover cleanup',
    'recover replace',
    'recover terminate',
  ] as const)('%s never makes its candidate active', async (command) => {
    const scene = await awaiting('provision --until healthy');
    const { phase } = await scene.type(command, { deploymentId: '1-200' });
    expect(['healthy', 'applied', 'prepared']).toContain(phase);
    expect(switchesOf(scene)).toBe(0);
  });

  test('recover rerun stops at healthy, names promote, and promote then switches', async () => {
    const scene = await awaiting('provision --until healthy');
    const ending = await scene.type('recover rerun', { deploymentId: '1-200' });
    expect(ending).toMatchObject({ kind: 'done', phase: 'healthy' });
    expect(ending.log.join('\n')).toContain('Next, after the approval: hosted-runner promote');
    expect(await scene.type('promote', { deploymentId: '1-200' })).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
  });

  test('provision without an option, as errors print it, stops at healthy as well', async () => {
    const scene = await awaiting('provision --until healthy');
    expect(await scene.type('provision', { deploymentId: '1-200' })).toMatchObject({
      phase: 'healthy',
    });
  });
});

describe('a pipeline that adopts a deployment that waits for an approval', () => {
  const adopting = { deploymentId: '1-300' };

  async function adopted() {
    const scene = await awaiting('provision --until healthy');
    await scene.simulation.advance(24 * 3_600_000);
    for (const stage of ['prepare', 'onboard'] as const) await scene.type(stage, adopting);
    return scene;
  }

  test.each([
    'provision',
    'recover rerun',
    'recover auto',
    'recover cleanup',
    'recover replace',
    'recover terminate',
  ] as const)('%s keeps the approval and never makes the candidate active', async (command) => {
    const scene = await adopted();
    const { phase } = await scene.type(command, adopting);
    expect(['healthy', 'applied', 'prepared']).toContain(phase);
    expect(switchesOf(scene)).toBe(0);
  });

  test.each(['provision', 'recover rerun'] as const)('%s names promote', async (command) => {
    const scene = await adopted();
    const { log } = await scene.type(command, adopting);
    expect(log.join('\n')).toContain(
      'Deployment 1-300 waits for an approval, so purple does not become active in this run. After the approval: hosted-runner promote --runner linux.',
    );
  });

  test('promote switches after a provision that stopped', async () => {
    const scene = await adopted();
    await scene.type('provision', adopting);
    expect(await scene.type('promote', adopting)).toMatchObject({ phase: 'promoted' });
    expect(switchesOf(scene)).toBe(1);
  });

  test('provision --until promoted, as a pipeline without an approval runs it, removes the approval', async () => {
    const scene = await adopted();
    const { phase, log } = await scene.type('provision --until promoted', adopting);
    expect(phase).toBe('promoted');
    expect(log.join('\n')).toContain(
      'Deployment 1-300 no longer waits for an approval (--until promoted).',
    );
    expect(switchesOf(scene)).toBe(1);
  });
});

describe('a terminal that resumes a deployment that waits for an approval', () => {
  const terminal = { ci: 'terminal', deploymentId: 'terminal-9', isUnnamed: true } as const;

  /** Reaches a pipeline that was cancelled after `provision --until healthy`. */
  async function cancelled() {
    const scene = await awaiting('provision --until healthy');
    await scene.simulation.advance(24 * 3_600_000);
    return scene;
  }

  test.each([
    'prepare',
    'onboard',
    'provision',
    'healthcheck',
    'deploy',
    'shutdown',
    'cleanup',
    'finalize',
    'rollback',
    'recover rerun',
    'recover auto',
    'doctor --fix',
  ] as const)('%s never makes the candidate active', async (command) => {
    const scene = await cancelled();
    await scene.type(command, terminal);
    expect(switchesOf(scene)).toBe(0);
  });

  test('deploy stops at healthy, names promote, and promote then switches', async () => {
    const scene = await cancelled();
    const ending = await scene.type('deploy', terminal);
    expect(ending).toMatchObject({ kind: 'done', phase: 'healthy' });
    expect(ending.log.join('\n')).toMatch(
      /Deployment \S+ waits for an approval, so purple does not become active in this run. After the approval: hosted-runner promote --runner linux\./,
    );
    expect(await scene.type('promote', terminal)).toMatchObject({ phase: 'promoted' });
    expect(switchesOf(scene)).toBe(1);
  });

  test('deploy of a deployment without an approval makes its candidate active', async () => {
    const scene = await awaiting();
    await scene.simulation.advance(24 * 3_600_000);
    expect(await scene.type('deploy', terminal)).toMatchObject({ kind: 'done', phase: 'done' });
    expect(switchesOf(scene)).toBe(1);
  });
});

test('recover of a deployment without an approval makes its candidate active', async () => {
  const scene = await awaiting();
  expect(await scene.type('recover rerun', { deploymentId: '1-200' })).toMatchObject({
    kind: 'done',
    phase: 'promoted',
  });
  expect(switchesOf(scene)).toBe(1);
});
