import { describe, expect, test } from '@jest/globals';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { openScene } from '../scene.ts';

describe.each(['list', 'look'])('hosts that may not be queried (%s)', (denied) => {
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

  test('keep shutdown and cleanup from continuing on the report of GitLab alone', async () => {
    const { world, scene, deny } = openDenied();
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    deny(true);
    // Without host access, pink's drain has no proof. Pink is reopened, and no cleanup is due.
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
