import { describe, expect, test } from '@jest/globals';
import { recover } from '../../../src/operator/recover/recover.ts';
import type { Instances } from '../../../src/ports/cloud/instances.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { at } from '../../broken-stacks/state.ts';
import { purple } from '../../fakes/builders.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, parametersOf, parameterValue } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { stackOf, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

const line = 'hosted-runner recover --method terminate --runner linux --yes';
const machine = 'i-0abc0000000000002';

const phaseOf = (world: World) => {
  const text = parameterValue(world, parametersOf(stackOf(world)).record) ?? '{}';
  return (JSON.parse(text) as { deployment: { phase: string } }).deployment.phase;
};

/** Runs `recover --method terminate` with changed responses of EC2. */
function terminate(world: World, answers: (instances: Instances) => Partial<Instances>) {
  return drive(createSimulation({ world }), 'recover terminate', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: (context: StageContext) => {
      const { instances } = context.ports;
      const answering = { ...instances, ...answers(instances as Instances) };
      const ports = { ...context.ports, instances: answering };
      return recover({ ...context, ports }, { method: 'terminate', consent: { kind: 'given' } });
    },
  });
}

describe('recover --method terminate', () => {
  test('voids the evidence of the machine before it terminates the machine', async () => {
    const world = await at('healthy', () => {});
    const seen: string[] = [];
    await type(world, line, {
      intercept: ({ method }) => {
        if (method === 'terminate') seen.push(phaseOf(world));
        return undefined;
      },
    });
    expect(seen).toEqual(['applying']);
    expect(world.violations).toEqual([]);
  });

  test('leaves no canary on the machine and continues once EC2 reports its end', async () => {
    const world = await failed(1, 'fails_jobs');
    let reads = 0;
    const ending = await terminate(world, ({ find }) => ({
      find: async (id) => {
        const found = await find(id);
        if (found?.state !== 'terminated') return found;
        reads += 1;
        return reads > 4 ? found : { ...found, state: 'shutting-down' };
      },
    }));
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    const acts = ending.log.filter((text) => /^(?:Cancelled|Terminated)/.test(text));
    expect(acts.slice(0, 2)).toEqual([
      'Cancelled 1 canary job.',
      expect.stringMatching(`^Terminated ${machine} of purple`),
    ]);
    expect(ending.log.filter((text) => text.includes('shutting-down'))).toEqual([
      `Waiting for ${machine} to terminate: shutting-down (0s).`,
      `Waiting for ${machine} to terminate: shutting-down (5s).`,
      `Waiting for ${machine} to terminate: shutting-down (10s).`,
    ]);
  });

  test('reports an end that EC2 does not show, and continues', async () => {
    const world = await failed(1, 'fails_jobs');
    const ending = await terminate(world, ({ find }) => ({
      find: async (id) => {
        const found = await find(id);
        return found?.state === 'terminated' ? { ...found, state: 'shutting-down' } : found;
      },
    }));
    expect(ending.log.join('\n')).toContain(
      `${machine} is still shutting-down, 5m after the request to terminate it.`,
    );
  });

  test('terminates nothing if AWS would refuse it', async () => {
    const world = await failed(1, 'fails_jobs');
    const reason = 'UnauthorizedOperation: not for you';
    const ending = await terminate(world, () => ({
      rehearseTermination: async () => ({ kind: 'denied', reason }),
    }));
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotRecover' } });
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([`${reason}.`]);
    expect(hostsOf(world, stackOf(world), purple).map(({ state }) => state)).toEqual(['running']);
    expect(phaseOf(world)).toBe('applied');
  });

  test('terminates neither of two machines if the second one appears meanwhile, and names both', async () => {
    const other = 'i-0abc0000000000009';
    const world = await failed(1, 'fails_jobs');
    let reads = 0;
    const ending = await terminate(world, ({ list }) => ({
      list: async (shard) => {
        const listed = await list(shard);
        reads += 1;
        // Earlier checks have already chosen the method.
        return reads <= 2 ? listed : listed.flatMap((one) => [one, { ...one, id: other }]);
      },
    }));
    const both = [machine, other];
    const lines = both.map(
      (id) =>
        `If it is ${id}: hosted-runner recover --runner linux --method terminate --instance ${id} --yes`,
    );
    const { why = [], fix = [] } = ending.kind === 'error' ? ending.error.fields : {};
    expect(why).toEqual([`Several instances have the Name tag of purple: ${both.join(', ')}.`]);
    expect(fix.slice(0, 2)).toEqual(lines);
    expect(hostsOf(world, stackOf(world), purple).map(({ state }) => state)).toEqual(['running']);
    const [, command = ''] = lines[0]?.split(': ') ?? [];
    expect(await type(world, command)).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('terminates nothing except the named machine', async () => {
    const world = await failed(1, 'fails_jobs');
    const named = `${line} --instance i-0abc0000000000009`;
    expect(await type(world, named)).toMatchObject({
      kind: 'error',
      error: { code: 'CannotRecover' },
    });
    expect(hostsOf(world, stackOf(world), purple).map(({ state }) => state)).toEqual(['running']);
  });
});
