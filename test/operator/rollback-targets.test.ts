import { describe, expect, test } from '@jest/globals';
import { consentOf } from '../../src/operator/confirm.ts';
import { repairStack } from '../../src/operator/doctor/repair.ts';
import { createChecker, type ShardHealth } from '../../src/operator/health-checker.ts';
import { readRecoveryFacts } from '../../src/operator/recover/recovery-facts.ts';
import { replaceManager } from '../../src/operator/recover/replace.ts';
import { terminateInstance } from '../../src/operator/recover/terminate.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { at, rested } from '../broken-stacks/state.ts';
import { pink, purple } from '../fakes/builders.ts';
import { createHost, terminateHost } from '../fakes/hosts/hosts.ts';
import { putParameter } from '../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../fakes/simulation.ts';
import { hostsOf, parametersOf, parameterValue, registrationsOf } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { drive } from '../stages/drive.ts';
import { examine, stackOf, type } from './doctor/examine.ts';
import { failed } from './recover/failed-candidate.ts';

const deniedFailure = new PortFailure({
  kind: 'denied',
  effect: 'none',
  source: 'SSM',
  detail: 'no',
});

const line = 'hosted-runner rollback --runner linux';
const nothing = { kind: 'error', error: { code: 'NothingToRollBack' } };

function editRecord(world: World, change: (record: { shards: Record<string, object> }) => void) {
  const name = parametersOf(stackOf(world)).record;
  const record = JSON.parse(parameterValue(world, name) ?? '{}');
  change(record);
  putParameter(world, { name, value: JSON.stringify(record) });
}

const within = (world: World, act: (context: StageContext) => Promise<void>) =>
  drive(createSimulation({ world }), 'recover replace', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: async (context) => {
      await context.journal.read();
      await act(context);
      return { kind: 'done', summary: [] };
    },
  });

describe('a rollback that cannot succeed', () => {
  test('gets refused if the runners of its target are being removed', async () => {
    const world = await at('draining', (one) =>
      editRecord(one, ({ shards }) => {
        shards['pink'] = { ...shards['pink'], removal: { began: '2026-11-02T08:00:00.000Z' } };
      }),
    );
    const ending = await type(world, line);
    expect(ending).toMatchObject(nothing);
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      expect.stringContaining('The runners of pink are being removed'),
    ]);
  });

  test('gets refused if no host of its target has a process', async () => {
    const world = await at('draining', (one) => {
      for (const host of hostsOf(one, stackOf(one), pink)) terminateHost(one, host, 'world');
    });
    expect(await type(world, line)).toMatchObject(nothing);
  });

  test('gets refused if its target is drained and no host reports a process', async () => {
    const world = await at('drained', () => {});
    const ending = await type(world, line, {
      intercept: ({ port }) =>
        port === 'host' ? { kind: 'error_before', failure: 'denied' } : undefined,
    });
    expect(ending).toMatchObject(nothing);
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      expect.stringContaining('Pink is drained, and no source reports whether its process runs'),
    ]);
  });
});

describe.each(['starting', 'unknown'] as const)('a shard whose process is %s', (process) => {
  const of = (place: 'draining' | 'drained') =>
    at(place, (world) => {
      for (const host of hostsOf(world, stackOf(world), pink)) host.process = process;
    });

  test('can be a rollback target while it drains, because it may still run', async () => {
    const ending = await type(await of('draining'), line);
    expect(ending.kind === 'error' ? ending.error.code : ending.kind).not.toBe('NothingToRollBack');
    expect(ending.phase).not.toBe('draining');
  });

  test('cannot be a rollback target once it may have been stopped', async () => {
    const ending = await type(await of('drained'), line);
    expect(ending).toMatchObject(nothing);
    expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
      expect.stringContaining(`: its process is ${process}`),
    ]);
  });

  test('appears in doctor as a rollback target if the new shard has died', async () => {
    const world = await of('draining');
    for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
    expect(JSON.stringify(await examine(world))).toContain('"command":"rollback"');
  });
});

test('doctor removes nothing of a shard that got a machine after the plan', async () => {
  const world = await rested((one) => {
    const resource = { kind: 'security_group', id: 'sg-0left' } as const;
    one.tagged.push({ runnerName: stackOf(one).runnerName, shard: pink, resource });
  });
  const ending = await drive(createSimulation({ world }), 'healthcheck', {
    deploymentId: 'terminal-2',
    ci: 'terminal',
    act: async (context) => {
      const consent = consentOf(false, async () => {
        createHost(world, { runnerName: stackOf(world).runnerName, shard: pink });
        return 'yes';
      });
      await repairStack(context, consent);
      return { kind: 'done', summary: [] };
    },
  });
  expect(ending.log.join('\n')).toContain(
    'Removed nothing of pink: it may have a runner or a machine now.',
  );
  expect(world.tagged.map(({ resource }) => resource.id)).toContain('sg-0left');
});

test('a plan that replaces nothing is refused and not applied', async () => {
  const world = await failed(1, 'fails_jobs', 'terraform');
  const ending = await within(world, async (context) => {
    const plan = async () => ({ kind: 'empty', summary: '0 to add', handle: 'h' }) as const;
    const infrastructure = { ...context.ports.infrastructure, plan };
    await replaceManager({ ...context, ports: { ...context.ports, infrastructure } }, purple, []);
  });
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotRecover' } });
  expect(ending.kind === 'error' && ending.error.fields.why).toEqual([
    'The plan replaces nothing: 0 to add.',
  ]);
});

test('replace uses the given addresses, or the manager if none is given', async () => {
  const planOptions: unknown[] = [];
  for (const addresses of [[], ['aws_instance.other']]) {
    const world = await failed(1, 'fails_jobs', 'terraform');
    await within(world, async (context) => {
      const plan = async (_: unknown, options: unknown) => {
        planOptions.push(options);
        throw new PortFailure({ kind: 'denied', effect: 'none', source: 'x', detail: 'no' });
      };
      const infrastructure = { ...context.ports.infrastructure, plan };
      const ports = { ...context.ports, infrastructure } as never;
      await replaceManager({ ...context, ports }, purple, addresses);
    });
  }
  expect(planOptions).toEqual([
    { replace: ['module.runner_manager.module.ec2[0].aws_instance.runner_manager'] },
    { replace: ['aws_instance.other'] },
  ]);
});

test('terminate refuses an id that no machine of the shard has', async () => {
  const world = await failed(1, 'fails_jobs');
  const ending = await within(world, (context) =>
    terminateInstance(context, purple, 'i-0abc0000000000009'),
  );
  expect(ending).toMatchObject({ kind: 'error', error: { code: 'CannotRecover' } });
  expect(hostsOf(world, stackOf(world), purple).map(({ state }) => state)).toEqual(['running']);
});

test.each<[string, (host: StageContext['ports']['host']) => object]>([
  ['cannot be listed', () => ({ list: () => Promise.reject(deniedFailure) })],
  ['does not respond', () => ({ look: async () => ({ kind: 'silent', reason: 'no word' }) })],
])('jobs on a host that %s are unknown, not zero', async (_, answers) => {
  const world = await failed(1, 'fails_jobs');
  let jobs: unknown;
  await within(world, async (context) => {
    const host = { ...context.ports.host, ...answers(context.ports.host) };
    const changed = { ...context, ports: { ...context.ports, host } } as StageContext;
    jobs = (await readRecoveryFacts(changed, context.journal.current())).hostJobs;
  });
  expect(jobs).toBe('unknown');
});

describe('one check of a shard', () => {
  async function checkShard(world: World, ports: (context: StageContext) => object = () => ({})) {
    let health: ShardHealth | undefined;
    await drive(createSimulation({ world }), 'healthcheck --once', {
      deploymentId: 'terminal-3',
      ci: 'terminal',
      act: async (context) => {
        const changed = { ...context, ports: { ...context.ports, ...ports(context) } };
        health = await createChecker(changed as StageContext)();
        return { kind: 'done', summary: [] };
      },
    });
    return health;
  }

  test('reports healthy, counts the jobs and needs no canary', async () => {
    const health = await checkShard(await rested());
    expect(health).toMatchObject({ shard: purple, status: 'healthy', jobs: 0 });
    expect(health?.components.map(({ kind }) => kind)).not.toContain('canary');
  });

  test('reports draining for a paused shard that is well', async () => {
    const world = await rested((one) => {
      for (const registration of registrationsOf(one, stackOf(one), purple))
        registration.paused = true;
    });
    const health = await checkShard(world);
    expect(health).toMatchObject({ status: 'draining' });
    expect(health?.reasons[0]).toBe('its intake is paused');
  });

  test('counts no jobs if one of two hosts does not report them', async () => {
    const hung = 'i-0abc0000000000099';
    const health = await checkShard(await rested(), ({ ports: { host } }) => ({
      host: {
        ...host,
        list: async (shard: never) => [...(await host.list(shard)), { id: hung, agent: 'online' }],
        look: async (id: string) =>
          id === hung ? { kind: 'silent', reason: 'no word' } : host.look(id as never),
      },
    }));
    expect(health?.reasons.join()).toContain('no word');
    expect(health).not.toHaveProperty('jobs');
  });
});
