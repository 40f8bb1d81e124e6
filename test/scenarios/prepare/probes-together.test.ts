import { expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../../stages/drive.ts';

const probes = [
  'registry.probe',
  'access.probe',
  'infrastructure.probe',
  'canary.findNewest',
  'host.list',
];

test('the probes of prepare run in parallel and take no longer than the slowest one', async () => {
  const simulation = createSimulation({ world: worldWithActive(pink), latencyMs: 1000 });
  const ending = await drive(simulation, 'prepare', { deploymentId: '1-200', jobId: 'job 1' });
  expect(ending).toMatchObject({ kind: 'done', phase: 'prepared' });
  const [first] = probes.map((name) =>
    simulation.trace.find(({ port, method }) => `${port}.${method}` === name),
  );
  const together = simulation.trace.filter(({ at }) => at === first?.at);
  expect(together.map(({ port, method }) => `${port}.${method}`)).toEqual([...probes, 'host.list']);
});
