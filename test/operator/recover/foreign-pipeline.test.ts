import { describe, expect, test } from '@jest/globals';
import { recover } from '../../../src/operator/recover/recover.ts';
import { purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { isAcceptingJobs } from '../../fakes/world/shards.ts';
import { openScene } from '../../scenarios/scene.ts';
import { end, stackOf } from '../../scenarios/service/promoted.ts';
import { drive } from '../../stages/drive.ts';
import { reach } from '../../stages/reach.ts';
import { failed } from './failed-candidate.ts';

const elsewhere = { deploymentId: '1-400' } as const;

test.each(['recover auto', 'recover rerun'] as const)(
  '%s in another pipeline names the pipeline that may rerun, and that command works',
  async (command) => {
    const world = await reach('healthy');
    const scene = openScene(world);
    end(world, purple);
    const ending = await scene.type(command, elsewhere);
    expect(ending).toMatchObject({
      phase: 'healthy',
      error: { code: 'CannotRecover', exitCode: 1 },
    });
    expect(ending.kind === 'error' && [ending.error.fields.why, ending.error.fields.fix]).toEqual([
      [
        'Only rerun can help, and only the pipeline of deployment 1-200 or an operator at a terminal can provision.',
      ],
      [
        'In that pipeline, or at a terminal: hosted-runner provision --runner linux',
        'Diagnose the stack: hosted-runner doctor --runner linux',
      ],
    ]);
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(isAcceptingJobs(world, stackOf(world), purple)).toBe(true);
    expect(world.violations).toEqual([]);
  },
);

test('recover in another pipeline names the retirement after the switch', async () => {
  const world = await reach('promoted');
  const scene = openScene(world);
  const ending = await scene.type('recover auto', elsewhere);
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'CannotRecover' } });
  expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(
    'Finish the deployment: hosted-runner finalize --runner linux',
  );
});

test('recover at a terminal carries out a rerun', async () => {
  const world = await reach('healthy');
  const scene = openScene(world);
  end(world, purple);
  const terminal = { ci: 'terminal', deploymentId: 'terminal-1' } as const;
  expect(await scene.type('recover auto', terminal)).toMatchObject({
    kind: 'done',
    phase: 'promoted',
  });
});

test('recover at a terminal does not report that it resumes its own deployment', async () => {
  const world = await failed(2, 'fails_jobs');
  const ending = await drive(createSimulation({ world }), 'recover cleanup', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: (context) => recover(context, { method: 'cleanup', consent: { kind: 'given' } }),
  });
  expect(ending.log).toContain('Promoted purple.');
  expect(ending.log.filter((line) => line.startsWith('Resuming deployment'))).toEqual([]);
});

describe('a cleanup of an unhealthy candidate', () => {
  const cleanup = async (deploymentId: string) => {
    const world = await failed(2, 'fails_jobs');
    const scene = openScene(world);
    const ending = await scene.type('recover cleanup', { deploymentId });
    return { scene, ending };
  };

  test('names a working command for the pipeline of the deployment if it runs in another pipeline', async () => {
    const { scene, ending } = await cleanup('1-400');
    expect(ending).toMatchObject({ kind: 'done' });
    expect(ending.log).toContain(
      'Next, in the pipeline of the deployment: hosted-runner provision --runner linux',
    );
    expect(await scene.type('provision')).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('ends with the command that removes the old shard if it runs in the pipeline of the deployment', async () => {
    const { scene, ending } = await cleanup('1-200');
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log).toContain('Next: hosted-runner finalize --runner linux');
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
  });
});
