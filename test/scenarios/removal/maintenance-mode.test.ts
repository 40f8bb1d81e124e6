import { describe, expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { Call, Fault } from '../../fakes/faults/fault-wrapper.ts';
import { openScene, type Scene } from '../scene.ts';
import { isOpen, minute } from '../service/promoted.ts';

const refusal = (failure: 'throttled' | 'read_only'): Fault => {
  return { kind: 'error_before', failure, againInMs: minute };
};

/**
 * Opens a deployment whose first such call is refused, while the next one is accepted a minute
 * later.
 */
function openRefusing(fault: Fault, name: string, then: (scene: Scene) => void = () => {}) {
  const refused: Call[] = [];
  const scene = openScene(worldWithActive(pink), (call) => {
    if (refused.length > 0 || `${call.port}.${call.method}` !== name) return undefined;
    refused.push(call);
    then(scene);
    return fault;
  });
  return { scene, refused };
}

describe.each(['throttled', 'read_only'] as const)(
  'a write that GitLab does not accept now: %s',
  (kind) => {
    const fault = refusal(kind);

    test.each(['registry.create', 'registry.route', 'registry.setIntake', 'registry.retire'])(
      'repeats in the same run: %s',
      async (name) => {
        const { scene, refused } = openRefusing(fault, name);
        expect(await scene.type('deploy')).toMatchObject({ kind: 'done', phase: 'done' });
        expect(refused).toHaveLength(1);
        expect(await scene.rest()).toEqual([]);
      },
    );

    test('removes no runner if an operator sets a hold meanwhile', async () => {
      const { scene } = openRefusing(fault, 'registry.retire', (one) => {
        one.simulation.at(minute / 2, () => void one.type('hold', { deploymentId: '1-250' }));
      });
      expect(await scene.type('deploy')).toMatchObject({ error: { code: 'Held' } });
      expect([isOpen(scene.world, pink), isOpen(scene.world, purple)]).toEqual([false, true]);
    });
  },
);
