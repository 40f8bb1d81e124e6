import { expect, test } from '@jest/globals';
import type { StackShard } from '../../../src/domain/shard.ts';
import { infrastructureContract } from '../../contract/infrastructure.contract.ts';
import { registryContract } from '../../contract/registry.contract.ts';
import { registryRemovalContract } from '../../contract/registry-removal.contract.ts';
import { registryWaitingContract } from '../../contract/registry-waiting.contract.ts';
import type { Manager, RegistryWorld } from '../../contract/registry-world.ts';
import { runnerHostContract, stackShard } from '../../contract/runner-host.contract.ts';
import { parametersContract } from '../../contract/state-store.contract.ts';
import {
  type WaitingHostWorld,
  waitingHostContract,
} from '../../contract/waiting-host.contract.ts';
import { emptyWorld, stackSettings, type WorldOptions } from '../builders.ts';
import type { Call, Fault } from '../faults/fault-wrapper.ts';
import { contactGitLab, createHost, terminateHost } from '../hosts/hosts.ts';
import { createSimulation } from '../simulation.ts';
import { cancelJob, closeJob, submitJob } from '../world/jobs.ts';
import type { HostState, JobState, World } from '../world/world.ts';
import { createInfrastructureFake } from './infrastructure-fake.ts';
import { addRegistration } from './registry/registration-writes.ts';

const close = () => undefined;

/** Opens a simulation whose next write, or all reads, can be set to fail. */
function open(behaviour: WorldOptions['behaviour'] = {}) {
  const world = emptyWorld({ behaviour });
  const trouble = { loseNext: false, readsDown: false };
  const intercept = (call: Call): Fault | undefined => {
    if (!call.effect && trouble.readsDown) return { kind: 'error_before', failure: 'unavailable' };
    if (!call.effect || !trouble.loseNext) return undefined;
    trouble.loseNext = false;
    return { kind: 'lost_answer' };
  };
  const simulation = createSimulation({ world, intercept });
  const { ports } = simulation.incarnation({ deploymentId: '1-100' });
  const loseNextAnswer = () => {
    trouble.loseNext = true;
  };
  return { world, trouble, simulation, ports, loseNextAnswer };
}

parametersContract('the fake', () => {
  const { simulation, ports, loseNextAnswer } = open();
  return { store: ports.parameters, pass: simulation.advance, loseNextAnswer, close };
});

infrastructureContract('the fake', () => {
  const { world, simulation } = open();
  const clock = { ...simulation.clock.of('contract'), sleep: simulation.advance };
  return {
    infrastructure: createInfrastructureFake(world, clock),
    failNext: () => {
      world.behaviour.applyFailures.push(2);
    },
    close,
  };
});

function openRegistry(behaviour: WorldOptions['behaviour'] = {}): RegistryWorld {
  const { world, trouble, simulation, ports, loseNextAnswer } = open(behaviour);
  const isGitHub = behaviour.runners !== undefined;
  async function contact(manager: Manager): Promise<HostState> {
    const known = Object.values(world.hosts).find(({ systemId }) => systemId === manager.systemId);
    const shard = { runnerName: 'linux', shard: 'pink' } as StackShard;
    return known ?? startHost(world, shard, { ...manager });
  }
  return {
    registry: ports.registry,
    settings: stackSettings().registration,
    async contact(manager) {
      await contact(manager);
    },
    async startJob(manager, { tag, status, fresh }) {
      await contact(manager);
      world.behaviour.ackMs = status === 'assigned' ? 60_000 : 300;
      const job = submitJob(world, { name: 'test', tags: [tag], durationMs: 3_600_000 });
      // GitHub's lists may be a minute old.
      await simulation.advance(isGitHub && fresh !== true ? 65_000 : 5000);
      if (status === 'canceling') cancelJob(world, job);
      return job.id;
    },
    async finishJob(jobId) {
      closeJob(world, world.jobs[jobId] as JobState, 'success');
    },
    ...(isGitHub ? {} : { waits: waitsIn(world) }),
    takesUntagged: !isGitHub,
    jobStatuses: isGitHub ? ['running'] : ['assigned', 'running', 'canceling'],
    systemIds: ['s_one', 's_two'],
    loseNextAnswer,
    setReads(state) {
      trouble.readsDown = state === 'down';
    },
    close,
  };
}

function waitsIn(world: World): NonNullable<RegistryWorld['waits']> {
  const project = 'customers/shop';
  return {
    project,
    submit: async (tags) =>
      submitJob(world, { name: 'test', tags, durationMs: 60_000, visible: true, project }).id,
  };
}

const kinds = { GitLab: undefined, GitHub: 'github_persistent' } as const;
for (const [name, runners] of Object.entries(kinds)) {
  const make = () => openRegistry(runners === undefined ? {} : { runners });
  registryContract(`the fake of ${name}`, make);
  registryRemovalContract(`the fake of ${name}`, make);
  registryWaitingContract(`the fake of ${name}`, make, { lists: runners === undefined });
}

runnerHostContract('the fake', openHost);
waitingHostContract('the fake', openHost);

test('a host that is lost during a wait counts as lost at the limit, not earlier', async () => {
  const { host, ...world } = openHost();
  const id = await world.boot(stackShard('pink', 'linux'));
  await world.startJob(id);
  for (let seconds = 0; seconds < 10; seconds += 1) await world.pass();
  const begunAt = world.elapsed();
  const call = host.look(id, { untilIdleMs: 30_000 });
  await world.pass();
  await world.terminate(id);
  expect(await world.during(call)).toMatchObject({ kind: 'silent' });
  expect(world.elapsed() - begunAt).toBeGreaterThanOrEqual(30_000);
});

function openHost(): WaitingHostWorld {
  const { world, simulation, ports } = open();
  const host = (id: string) => world.hosts[id] as HostState;
  return {
    host: ports.host,
    async boot(shard) {
      const { token } = addRegistration(world, {
        shard,
        settings: stackSettings().registration,
        tags: [`tag-${shard.shard}`],
        note: '',
      });
      return startHost(world, shard, { token }).id;
    },
    async startJob(id) {
      submitJob(world, { name: 'test', tags: [`tag-${host(id).shard}`], durationMs: 3_600_000 });
    },
    endJobs(id) {
      for (const job of host(id).jobs) closeJob(world, world.jobs[job] as JobState, 'success');
    },
    elapsed: ports.clock.elapsed,
    async during(call) {
      const outcome = await simulation.run(call);
      if (outcome.kind === 'returned') return outcome.value;
      throw new Error(`the call ${outcome.kind}`);
    },
    loseAgent(id) {
      host(id).agent = 'lost';
    },
    async terminate(id) {
      terminateHost(world, host(id), 'world');
      // The host is listed as online until then.
      await simulation.advance(300_000);
    },
    fillDisk(id) {
      host(id).boot = 'broken_workload';
    },
    targets: [
      { target: 'https://registry.example.com/v2/', kind: 'reached' },
      { target: closedTarget, kind: 'refused' },
    ],
    revokeToken(id) {
      for (const one of Object.values(world.registrations))
        if (one.token === host(id).token) one.token = 'glrt-another';
    },
    pass: () => simulation.advance(1000),
    close,
  };
}

const closedTarget = 'db.example.com:5432';

/** Starts a host that runs at once with the given token. */
function startHost(
  world: World,
  shard: StackShard,
  given: { token: string; systemId?: string },
): HostState {
  const host = createHost(world, shard, false);
  world.events = [];
  const unreachable = { [closedTarget]: 'no connection' };
  Object.assign(host, { agent: 'online', process: 'running', unreachable, ...given });
  contactGitLab(world, host);
  return host;
}
