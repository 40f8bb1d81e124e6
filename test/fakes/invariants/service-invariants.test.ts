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

/** Both shards have production tags, and purple is the active one. */
async function both(command = 'shutdown') {
  const world = worldWithActive(pink);
  addShard(world, { shard: purple });
  const simulation = createSimulation({ world });
  const { ports } = simulation.incarnation({ deploymentId: '1-100', jobId: '7001', command });
  await ports.parameters.overwrite({ name: status, value: formatStatus([pink, purple], purple) });
  const [old, young] = Object.values(world.hosts) as [HostState, HostState];
  return { world, simulation, ports, old, young };
}

/** As whoever asks whether purple serves begins. */
async function look({ ports }: Awaited<ReturnType<typeof both>>): Promise<void> {
  await ports.host.list({ runnerName: linux, shard: purple });
}

test('S17: a process is ended while the other shard has no machine', async () => {
  const stack = await both();
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(2000);
  await look(stack);
  await stack.ports.host.quit(stack.old.id);
  expect(stack.world.violations).toEqual([
    'S17: the process on i-0abc0000000000001 was ended of pink, which could serve, while purple did not serve, by host.quit i-0abc0000000000001 of 1-100/7001#1',
    'S1: no shard of linux serves jobs any more, by host.quit i-0abc0000000000001 of 1-100/7001#1',
  ]);
});

test('S17: a closed shard that could serve is destroyed', async () => {
  const stack = await both();
  await stack.ports.registry.setIntake(pinkId, 'closed');
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(2000);
  await look(stack);
  const destroying = stack.ports.infrastructure.destroy({ runnerName: linux, shard: pink });
  await stack.simulation.run(destroying[Symbol.asyncIterator]().next());
  expect(stack.world.violations).toEqual([
    expect.stringContaining('S17: host i-0abc0000000000001 was terminated of pink'),
    expect.stringContaining('S17: the infrastructure was destroyed of pink'),
  ]);
});

/** A host that was silent for ten seconds when the quit was asked for; the run stands still for an hour. */
async function standsStill(when: 'beforeMs' | 'afterMs', method: string) {
  const stack = await both();
  stack.simulation.at(1000, (world) => {
    stack.young.agent = 'lost';
    stack.young.boot = 'never_takes_jobs';
    absorb(world);
  });
  await stack.simulation.advance(11_000);
  await look(stack);
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

test('none: a run stands still in the middle of the effect', async () => {
  expect(await standsStill('beforeMs', 'quit')).toEqual([]);
});

test('S17: a run stands still before it asks for the effect', async () => {
  expect(await standsStill('afterMs', 'find')).toContainEqual(expect.stringContaining('S17'));
});

/** Purple ends a second after it was looked at, and pink is stopped so long after that. */
async function stopped(laterMs: number, calls: number, looks: 'once' | 'never' = 'once') {
  const stack = await both();
  await stack.ports.registry.setIntake(pinkId, 'closed');
  if (looks === 'once') await look(stack);
  stack.simulation.at(1000, (world) => terminateHost(world, stack.young, 'world'));
  await stack.simulation.advance(1000 + laterMs);
  for (let call = 0; call < calls; call += 1) await stack.ports.registry.find(pinkId);
  await stack.ports.host.quit(stack.old.id);
  return stack.world.violations;
}

test.each([1, 40])(
  'none: the other one ends after the last look, %i calls before',
  async (calls) => {
    expect(await stopped(2000, calls)).toEqual([]);
  },
);

test.each([
  ['since the look more time has passed than a proof stands', 121_000, 'once'],
  ['nobody has looked', 0, 'never'],
] as const)('S17: the other one has just ended, and %s', async (_, laterMs, looks) => {
  expect(await stopped(laterMs, 0, looks)).toEqual([expect.stringContaining('S17')]);
});

test('none: what could not serve any more is removed', async () => {
  const stack = await both();
  for (const host of [stack.old, stack.young])
    stack.simulation.at(1000, (world) => terminateHost(world, host, 'world'));
  await stack.simulation.advance(2000);
  await look(stack);
  await stack.ports.registry.retire(pinkId);
  expect(stack.world.violations).toEqual([]);
});

test('L8: a shard that could serve stays closed while none serves', async () => {
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

test('S18: a registration of one shard becomes the other one’s', async () => {
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

test('S18: a customer’s job is taken for the canary', async () => {
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
