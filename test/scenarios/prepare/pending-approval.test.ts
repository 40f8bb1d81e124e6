import { expect, test } from '@jest/globals';
import { ownId, reach } from '../../stages/reach.ts';
import { openScene, type Scene } from '../scene.ts';

/** Runs `prepare` of another pipeline while the first one is open. */
function prepareBeside(scene: Scene) {
  const pipeline = scene.world.pipelines[ownId];
  if (pipeline === undefined) throw new Error('there is no pipeline');
  pipeline.state = 'running';
  return scene.type('prepare', { deploymentId: '1-300' });
}

test('another run names the approval that a healthy deployment waits for, and the action', async () => {
  const scene = openScene(await reach('onboarded'));
  const healthy = await scene.type('provision --until healthy', { deploymentId: ownId });
  expect(healthy).toMatchObject({ kind: 'done', phase: 'healthy' });
  const ending = await prepareBeside(scene);
  expect(ending).toMatchObject({
    kind: 'error',
    phase: 'healthy',
    error: {
      code: 'DeploymentBusy',
      exitCode: 3,
      fields: {
        what: 'Another deployment of linux waits for an approval.',
        fix: [
          expect.stringMatching(
            /^Approve the promote job of that pipeline \(.*\), or cancel the pipeline\.$/,
          ),
          expect.stringMatching(/^Then run this again/),
        ],
      },
    },
  });
});

test('another run of a deployment that needs no approval waits for its pipeline', async () => {
  const scene = openScene(await reach('healthy'));
  const ending = await prepareBeside(scene);
  expect(ending).toMatchObject({ error: { code: 'DeploymentBusy', exitCode: 75 } });
});
