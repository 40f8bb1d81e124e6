import { expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import type { RegistrationId } from '../../../src/domain/shard.ts';
import { addShard, linux, pink, purple, worldWithActive } from '../builders.ts';
import { terminateHost } from '../hosts/hosts.ts';
import { createSimulation } from '../simulation.ts';
import { submitJob } from '../world/jobs.ts';
import type { HostState } from '../world/world.ts';
import { absorb } from './checker.ts';

const pinkId = '48213' as RegistrationId;
const base = '/gitlab/dedicated/runner/linux';
const status = `${base}/deployment_status`;
const record = `${base}/deployment_record`;

/** Opens a stack with production tags on both shards, and purple active. */
async function both(command = 'shutdown') {
  const world = worldWithActive(pink);
  addShard(world, { shard: purple });
  const simulation = createSimulation({ world });
  const { ports } = simulation.incarnation({ deploymentId: '1-100', jobId: '7001', command });
  await ports.parameters.overwrite({ name: status, value: formatStatus([pink, purple], purple) });
  const [old, young] = Object.values(world.hosts) as [HostState, HostState];
  return { world, simulation, ports, old, young };
}

/** Lists purple's hosts, which is how a check of purple begins. */
async function checkPurple({ ports }: Awaited<ReturnType<typeof both>>): Promise<void> {
  await ports.host.list({ runnerName: linux, shard: purple });
}

test('S17: a process is stopped while the other shard has no machine', async () => {
  const stack = await both();
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(2000);
  await checkPurple(stack);
  await stack.ports.host.quit(stack.old.id);
  expect(stack.world.violations).toEqual([
    'S17: the process on i-0abc0000000000001 was ended of pink, which could serve, while purple did not serve, by host.quit i-0abc0000000000001 of 1-100/7001#1',
    'S1: no shard of linux serves jobs any more, by host.quit i-0abc0000000000001 of 1-100/7001#1',
  ]);
});

test('S17: a paused shard that could accept jobs is destroyed', async () => {
  const stack = await both();
  await stack.ports.registry.setIntake(pinkId, 'closed');
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(2000);
  await checkPurple(stack);
  const destroying = stack.ports.infrastructure.destroy({ runnerName: linux, shard: pink });
  await stack.simulation.run(destroying[Symbol.asyncIterator]().next());
  expect(stack.world.violations).toEqual([
    expect.stringContaining('S17: host i-0abc0000000000001 was terminated of pink'),
    expect.stringContaining('S17: the infrastructure was destroyed of pink'),
  ]);
});

/**
 * Requests the quit for a host that was unresponsive for ten seconds. The run stops for an hour.
 */
async function standsStill(when: 'beforeMs' | 'afterMs', method: string) {
  const stack = await both();
  stack.simulation.at(1000, (world) => {
    stack.young.agent = 'lost';
    stack.young.boot = 'never_takes_jobs';
    absorb(world);
  });
  await stack.simulation.advance(11_000);
  await checkPurple(stack);
  const still = createSimulation({
    world: stack.world,
    intercept: (call) =>
      call.method === method ? { kind: 'delay', [when]: 3_600_000 } : undefined,
  });
  const { ports } = still.incarnation({
    deploymentId: '1-100',
    jobId: '7002',
    command: 'shutdown',
  });
  await still.run(ports.registry.find(pinkId).then(() => ports.host.quit(stack.old.id)));
  return stack.world.violations;
}

test('none: a run is suspended during the effect', async () => {
  expect(await standsStill('beforeMs', 'quit')).toEqual([]);
});

test('S17: a run is suspended before it requests the effect', async () => {
  expect(await standsStill('afterMs', 'find')).toContainEqual(expect.stringContaining('S17'));
});

/** Ends purple a second after its check, and stops pink `laterMs` after that. */
async function stopped(laterMs: number, calls: number, checks: 'once' | 'never' = 'once') {
  const stack = await both();
  await stack.ports.registry.setIntake(pinkId, 'closed');
  if (checks === 'once') await checkPurple(stack);
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(1000 + laterMs);
  for (let call = 0; call < calls; call += 1) await stack.ports.registry.find(pinkId);
  await stack.ports.host.quit(stack.old.id);
  return stack.world.violations;
}

test.each([1, 40])(
  'none: the other shard ends after the last check, %i calls before',
  async (calls) => {
    expect(await stopped(2000, calls)).toEqual([]);
  },
);

test.each([
  ['more time has passed since the check than a proof is valid', 121_000, 'once'],
  ['there was no check', 0, 'never'],
] as const)('S17: the other shard has just ended, and %s', async (_, laterMs, checks) => {
  expect(await stopped(laterMs, 0, checks)).toEqual([expect.stringContaining('S17')]);
});

test('none: a shard that could no longer accept jobs is removed', async () => {
  const stack = await both();
  for (const host of [stack.old, stack.young])
    stack.simulation.at(1000, (world) => terminateHost(world, host, 'world'));
  await stack.simulation.advance(2000);
  await checkPurple(stack);
  await stack.ports.registry.retire(pinkId);
  expect(stack.world.violations).toEqual([]);
});

test('L8: a shard that could accept jobs stays paused while no shard accepts jobs', async () => {
  const stack = await both();
  await stack.ports.registry.setIntake(pinkId, 'closed');
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  for (let minute = 0; minute < 4; minute += 1) {
    await stack.simulation.advance(60_000);
    await stack.ports.registry.find(pinkId);
  }
  expect(stack.world.violations).toEqual([
    'L8: pink could serve and is closed for 3m while none serves, in 1-100/7001#1',
  ]);
});

test('S18: a runner of one shard is recorded for the other shard', async () => {
  const { world, ports } = await both();
  const shards = { purple: { registration: pinkId } };
  await ports.parameters.create({ name: record, value: JSON.stringify({ shards }) });
  await ports.registry.setIntake(pinkId, 'closed');
  const token = world.registrations[pinkId]?.token ?? '';
  await ports.parameters.overwrite({ name: `${base}/purple/runner_token`, value: token });
  expect(world.violations.filter((text) => text.startsWith('S18'))).toEqual([
    expect.stringContaining('S18: registration 48213 of pink was recorded as purple’s'),
    expect.stringContaining('S18: registration 48213 of pink was touched as purple’s'),
    expect.stringContaining('S18: the token of registration 48213 of pink was written as purple’s'),
  ]);
});

test('S18: a customer job is used as the canary', async () => {
  const { world, ports } = await both();
  const { id } = submitJob(world, { name: 'hosted_runner_canary', tags: ['linux'], durationMs: 1 });
  const shards = { purple: { evidence: { canary: id } } };
  await ports.parameters.create({ name: record, value: JSON.stringify({ shards }) });
  expect(world.violations).toEqual([
    expect.stringContaining(
      `S18: job ${id} "hosted_runner_canary" of a customer was taken for the canary`,
    ),
  ]);
});
