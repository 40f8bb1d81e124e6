import { expect, test } from '@jest/globals';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import type { RunMemory } from '../../../src/stages/context/run-memory.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../drive.ts';

test('the steps of a run use nothing that the run saw under an earlier lock', async () => {
  const deploymentId = '1-200';
  const simulation = createSimulation({ world: worldWithActive(pink) });
  await drive(simulation, 'prepare', { deploymentId });
  const seen: RunMemory[] = [];
  const act = ({ memory, ...context }: StageContext) => {
    memory.drainChecks.set(pink, []);
    memory.removed.add('1' as RegistrationId);
    memory.returned.add(pink);
    seen.push(memory);
    return runStage({ ...context, memory }, 'onboard');
  };
  expect(await drive(simulation, 'onboard', { deploymentId, act })).toMatchObject({ kind: 'done' });
  expect(seen).toMatchObject([{ drainChecks: new Map(), removed: new Set(), returned: new Set() }]);
});
