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

/** Where the infrastructure answers every question with an error. */
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

/** Its machines are known to nobody any more: no list shows them, of Systems Manager or of EC2. */
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

const said = (ending: Ending) => (ending.kind === 'error' ? ending.error.code : ending.kind);

describe('where Terraform is not at hand', () => {
  test('status tells all that others say of a stack at rest', async () => {
    const { shards, now } = await statusOf(await rested());
    expect(shards.map(({ shard, service }) => [shard, service.verdict])).toEqual([
      [pink, 'disproven'],
      [purple, 'proven'],
    ]);
    expect(now).toMatch(/^purple serves jobs/);
  });

  test('a shard of which nobody lists a machine is not known to serve, with why', async () => {
    const { shards } = await statusOf(await rested((world) => forget(world, purple)));
    const { verdict, reason } = shards.find(({ shard }) => shard === purple)?.service ?? {};
    expect(verdict).toBe('unknown');
    expect(reason).toContain(
      'the infrastructure cannot be asked ("terraform was not found on PATH."), EC2 says: none',
    );
  });

  test('doctor examines what is left to be asked', async () => {
    const ending = await type(await rested(), 'doctor', async (context) => {
      const { findings } = await examineStack(context);
      return { kind: 'done', summary: findings.map(({ code }) => code) };
    });
    expect(ending).toMatchObject({ kind: 'done', says: 'healthy' });
  });

  test.each(['shutdown', 'bake', 'finalize'] as const)(
    '%s of what is not promoted has nothing to do',
    async (command) => {
      const world = await arrive('prepared');
      forget(world, pink);
      const ending = await type(world, command, (context) => runStage(context, command));
      expect(said(ending)).toBe('nothing');
    },
  );

  test.each(['shutdown', 'bake', 'finalize'] as const)(
    '%s is told by EC2 that the active shard has ended',
    async (command) => {
      const world = await arrive('prepared');
      end(world, pink);
      const ending = await type(world, command, (context) => runStage(context, command));
      expect(said(ending)).toBe('NothingServes');
    },
  );

  test('a drain whose hosts are gone fails by it, and takes nothing away', async () => {
    const world = await reach('draining');
    const simulation = createSimulation({ world });
    simulation.at(5 * minute, (then) => end(then, pink));
    const ending = await drive(simulation, 'shutdown', {
      deploymentId: '1-200',
      act: (context) => runStage(unasked(context, missing), 'shutdown'),
    });
    expect(said(ending)).toBe('TerraformMissing');
    expect(irreversible(simulation)).toEqual([]);
  });

  test('a cleanup fails by it before it destroys', async () => {
    const world = await reach('drained');
    end(world, pink);
    const simulation = createSimulation({ world });
    const ending = await drive(simulation, 'cleanup', {
      deploymentId: '1-200',
      act: (context) => runStage(unasked(context, missing), 'cleanup'),
    });
    expect(said(ending)).toBe('TerraformMissing');
    expect(irreversible(simulation)).toEqual([]);
  });
});

describe('what is no word about the infrastructure ends the look', () => {
  test.each([
    ['a fault of our own', () => new TypeError('x is not a function'), 'Bug'],
    ['a cancel', () => cancelled('status', 'hosted-runner status --runner linux'), 'Cancelled'],
  ])('%s', async (_, error, code) => {
    await expect(statusOf(await rested(), error)).rejects.toMatchObject({ code });
  });
});
