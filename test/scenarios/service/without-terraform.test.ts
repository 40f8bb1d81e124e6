import { describe, expect, test } from '@jest/globals';
import { cancelled } from '../../../src/errors/external-errors.ts';
import { terraformMissing } from '../../../src/errors/terraform-errors.ts';
import { examineStack } from '../../../src/operator/doctor/doctor.ts';
import { reportStack, type StackReport } from '../../../src/operator/status-report.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { rested } from '../../broken-stacks/state.ts';
import { pink, purple } from '../../fakes/builders.ts';
import { createSimulation, type Simulation } from '../../fakes/simulation.ts';
import type { World } from '../../fakes/world/world.ts';
import { type Command, drive, type Ending } from '../../stages/drive.ts';
import { arrive, reach } from '../../stages/reach.ts';
import { end, minute } from './promoted.ts';

const missing = () => terraformMissing({ runner: 'linux', shard: purple, binary: 'terraform' });

type Act = NonNullable<Parameters<typeof drive>[2]['act']>;

/** Makes every infrastructure query fail. */
function unasked(context: StageContext, error: () => Error): StageContext {
  const { ports } = context;
  const refuse = async () => {
    throw error();
  };
  const infrastructure = { ...ports.infrastructure, exists: refuse, listKnown: refuse };
  return { ...context, ports: { ...ports, infrastructure } };
}

function type(world: World, command: Command, act: Act, error: () => Error = missing) {
  return drive(createSimulation({ world }), command, {
    deploymentId: '1-200',
    act: (context) => act(unasked(context, error)),
  });
}

/** Removes a shard's machines from all lists of Systems Manager and EC2. */
function forget(world: World, shard: typeof pink): void {
  end(world, shard);
  for (const [id, host] of Object.entries(world.hosts))
    if (host.shard === shard) delete world.hosts[id];
}

async function statusOf(world: World, error?: () => Error): Promise<StackReport> {
  let report: StackReport | undefined;
  const ending = await type(
    world,
    'status',
    async (context) => {
      report = await reportStack(context);
      return { kind: 'done', summary: [] };
    },
    error,
  );
  if (report === undefined) throw ending.kind === 'error' ? ending.error : new Error(ending.kind);
  return report;
}

const irreversible = ({ trace }: Simulation) =>
  trace
    .map(({ port, method }) => `${port}.${method}`)
    .filter((call) => ['host.quit', 'registry.retire', 'infrastructure.destroy'].includes(call));

const outcomeOf = (ending: Ending) => (ending.kind === 'error' ? ending.error.code : ending.kind);

describe('a machine without Terraform', () => {
  test('lets status report everything that the other sources provide', async () => {
    const { shards, now } = await statusOf(await rested());
    expect(shards.map(({ shard, service }) => [shard, service.verdict])).toEqual([
      [pink, 'disproven'],
      [purple, 'proven'],
    ]);
    expect(now).toMatch(/^purple accepts jobs/);
  });

  test('leaves a shard without a listed machine unknown, with the reason', async () => {
    const { shards } = await statusOf(await rested((world) => forget(world, purple)));
    const { verdict, reason } = shards.find(({ shard }) => shard === purple)?.service ?? {};
    expect(verdict).toBe('unknown');
    expect(reason).toContain(
      'the infrastructure cannot be queried ("terraform was not found on PATH."), and EC2 lists no instance',
    );
  });

  test('lets doctor examine the remaining sources', async () => {
    const ending = await type(await rested(), 'doctor', async (context) => {
      const { findings } = await examineStack(context);
      return { kind: 'done', summary: findings.map(({ code }) => code) };
    });
    expect(ending).toMatchObject({ kind: 'done', text: 'healthy' });
  });

  test.each(['shutdown', 'bake', 'finalize'] as const)(
    'leaves %s nothing to do before the promotion',
    async (command) => {
      const world = await arrive('prepared');
      forget(world, pink);
      const ending = await type(world, command, (context) => runStage(context, command));
      expect(outcomeOf(ending)).toBe('nothing');
    },
  );

  test.each(['shutdown', 'bake', 'finalize'] as const)(
    'lets %s learn from EC2 that the active shard has ended',
    async (command) => {
      const world = await arrive('prepared');
      end(world, pink);
      const ending = await type(world, command, (context) => runStage(context, command));
      expect(outcomeOf(ending)).toBe('NothingServes');
    },
  );

  test('fails a drain whose hosts are gone, and nothing is removed', async () => {
    const world = await reach('draining');
    const simulation = createSimulation({ world });
    simulation.at(5 * minute, (then) => end(then, pink));
    const ending = await drive(simulation, 'shutdown', {
      deploymentId: '1-200',
      act: (context) => runStage(unasked(context, missing), 'shutdown'),
    });
    expect(outcomeOf(ending)).toBe('TerraformMissing');
    expect(irreversible(simulation)).toEqual([]);
  });

  test('fails a cleanup before it destroys', async () => {
    const world = await reach('drained');
    end(world, pink);
    const simulation = createSimulation({ world });
    const ending = await drive(simulation, 'cleanup', {
      deploymentId: '1-200',
      act: (context) => runStage(unasked(context, missing), 'cleanup'),
    });
    expect(outcomeOf(ending)).toBe('TerraformMissing');
    expect(irreversible(simulation)).toEqual([]);
  });
});

describe('an error that is no response about the infrastructure', () => {
  test.each([
    ['an internal error', () => new TypeError('x is not a function'), 'Bug'],
    [
      'a cancellation',
      () => cancelled('status', 'hosted-runner status --runner linux'),
      'Cancelled',
    ],
  ])('ends the check: %s', async (_, error, code) => {
    await expect(statusOf(await rested(), error)).rejects.toMatchObject({ code });
  });
});
