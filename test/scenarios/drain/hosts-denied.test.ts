import { describe, expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { openScene } from '../scene.ts';

describe.each(['list', 'look'])('hosts that may not be asked (%s)', (denied) => {
  function openDenied() {
    const world = worldWithActive(pink, { stacks: [stackSettings()] });
    let isDenied = false;
    const scene = openScene(world, ({ port, method }) =>
      isDenied && port === 'host' && (method === denied || method === 'look')
        ? { kind: 'error_before', failure: 'denied' }
        : undefined,
    );
    return {
      world,
      scene,
      deny: (is: boolean) => {
        isDenied = is;
      },
    };
  }

  test("keep shutdown and cleanup from going on by GitLab's word alone", async () => {
    const { world, scene, deny } = openDenied();
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    deny(true);
    // Whom nobody may ask proves nothing, so that pink is opened again, and there is nothing to clean up.
    for (const [stage, code] of [
      ['shutdown', 'PermissionMissing'],
      ['cleanup', 'StageOutOfOrder'],
    ] as const)
      expect(await scene.type(stage)).toMatchObject({
        kind: 'error',
        phase: 'promoted',
        error: { code },
      });
    expect(scene.simulation.trace.filter(({ method }) => method === 'retire')).toEqual([]);
    deny(false);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(world.violations).toEqual([]);
  });
});
