import { describe, expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/seam/seam.ts';
import { openScene, type Scene } from '../scene.ts';
import { isOpen, minute } from '../service/promoted.ts';

const throttled: Fault = { kind: 'error_before', failure: 'throttled', againInMs: minute };

/** The first such call is refused: GitLab accepts the next one in a minute. */
function openThrottled(is: (call: Call) => boolean, then: (scene: Scene) => void = () => {}) {
  const refused: Call[] = [];
  const scene = openScene(worldWithActive(pink), (call) => {
    if (refused.length > 0 || !is(call)) return undefined;
    refused.push(call);
    then(scene);
    return throttled;
  });
  return { scene, refused };
}

const isCall = (name: string) => (call: Call) => `${call.port}.${call.method}` === name;

describe('a write that GitLab refuses because of its rate limit', () => {
  test.each(['registry.create', 'registry.route', 'registry.setIntake', 'registry.retire'])(
    'is repeated by the same run once GitLab accepts calls: %s',
    async (name) => {
      const { scene, refused } = openThrottled(isCall(name));
      expect(await scene.type('deploy')).toMatchObject({ kind: 'done', phase: 'done' });
      expect(refused).toHaveLength(1);
      expect(await scene.rest()).toEqual([]);
    },
  );

  test('removes no runner if an operator sets a hold meanwhile', async () => {
    const { scene } = openThrottled(isCall('registry.retire'), (one) => {
      one.simulation.at(minute / 2, () => void one.type('hold', { deploymentId: '1-250' }));
    });
    expect(await scene.type('deploy')).toMatchObject({ error: { code: 'Held' } });
    expect([isOpen(scene.world, pink), isOpen(scene.world, purple)]).toEqual([false, true]);
  });
});
