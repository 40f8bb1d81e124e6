import { describe, expect, test } from '@jest/globals';
import { endPipelines } from '../broken-stacks/state.ts';
import { pink, purple, stackSettings } from '../fakes/builders.ts';
import { cutOff } from '../fakes/hosts/host-trouble.ts';
import { absorb } from '../fakes/invariants/checker.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, listAcceptingShards, parametersOf } from '../fakes/world/shards.ts';
import { removeHostAccess } from '../scenarios/service/promoted.ts';
import { reach } from '../stages/reach.ts';
import { stackOf, type } from './doctor/examine.ts';

describe('an unreadable status', () => {
  test('leads to the activation of the verified shard, and of no other', async () => {
    const world = await reach('promoted', { stack: removeHostAccess(stackSettings()) });
    endPipelines(world);
    for (const host of hostsOf(world, stackOf(world), pink)) cutOff(world, host, 'hangs');
    const { status } = parametersOf(stackOf(world));
    delete world.parameters[status]?.allowedPattern;
    putParameter(world, { name: status, value: '{"active_shard":"blue"}' });
    absorb(world);
    await createSimulation({ world }).advance(60_000);
    const ending = await type(world, 'hosted-runner finalize --runner linux');
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'FactsContradict' } });
    const fix = ending.kind === 'error' ? (ending.error.fields.fix ?? []).map(String) : [];
    const activations = fix.filter((line) => line.includes(' activate '));
    expect(activations).toEqual([
      'If purple should accept jobs: hosted-runner activate --runner linux --shard purple',
    ]);
    const activate = 'hosted-runner activate --runner linux --shard purple';
    expect(await type(world, activate)).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(listAcceptingShards(world, stackOf(world))).toContain(purple);
    expect(world.violations).toEqual([]);
  });
});
