import { expect, test } from '@jest/globals';
import { describeSituation } from '../../../src/stages/run/situation.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { drive } from '../drive.ts';
import { reach } from '../reach.ts';

async function describe(fault: Intercept): Promise<string> {
  const world = await reach('promoted');
  let isArmed = false;
  const simulation = createSimulation({
    world,
    intercept: (call) => (isArmed ? fault(call) : undefined),
  });
  let line = '';
  await drive(simulation, 'status', {
    deploymentId: '1-200',
    jobId: '9001',
    locks: false,
    async act(context) {
      await context.journal.read();
      isArmed = true;
      line = (await describeSituation(context, { within: { hostsMs: 20_000, shardMs: 28_000 } }))
        .now;
      return { kind: 'done', summary: [] };
    },
  });
  return line;
}

test('the now line reads a runner again that was refused at first', async () => {
  let refusals = 0;
  const line = await describe(({ port, method }) => {
    if (port !== 'registry' || method !== 'find' || refusals > 0) return undefined;
    refusals += 1;
    return { kind: 'error_before', failure: 'unavailable' };
  });
  expect(refusals).toBe(1);
  expect(line).not.toMatch(/could not be read|not known/);
});

test('the now line checks a shard without the list of its runners', async () => {
  const line = await describe(({ port, method }) =>
    port === 'registry' && method === 'findByShard'
      ? { kind: 'error_before', failure: 'unavailable' }
      : undefined,
  );
  expect(line).toBe(await describe(() => undefined));
});
