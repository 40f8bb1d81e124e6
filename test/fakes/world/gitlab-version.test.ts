import { expect, test } from '@jest/globals';
import { addShard, emptyWorld, linux, pink } from '../builders.ts';
import type { Behaviour } from '../hosts/behaviour.ts';
import { createHost, terminateHost } from '../hosts/hosts.ts';
import { clearManagers } from '../hosts/runner-removal.ts';
import { createSimulation } from '../simulation.ts';
import type { GitLabVersion } from './gitlab-version.ts';
import { submitJob } from './jobs.ts';
import type { JobState } from './world.ts';

function open(behaviour: Partial<Behaviour>) {
  const world = emptyWorld({ behaviour });
  const { registration, hosts } = addShard(world, { shard: pink });
  const simulation = createSimulation({ world });
  const { ports } = simulation.incarnation({ deploymentId: '1-100' });
  return { world, simulation, ports, registration, host: hosts[0] as (typeof hosts)[number] };
}

async function words(behaviour: Partial<Behaviour>, change: (job: JobState) => void) {
  const { world, simulation, ports, registration } = open(behaviour);
  const job = submitJob(world, { name: 'build', tags: ['linux'], durationMs: 600_000 });
  await simulation.advance(5000);
  change(job);
  const id = registration.id as Parameters<typeof ports.registry.find>[0];
  const found = await ports.registry.find(id);
  const workers = await ports.registry.listWorkers(id);
  const sight = await ports.registry.readSight(id);
  return [
    found.kind === 'found' ? found.value.execution : 'absent',
    workers.kind === 'found' ? workers.value[0]?.execution : 'absent',
    sight.execution,
    sight.hiddenMs / 60_000,
  ];
}

test.each<[Partial<Behaviour>, unknown, unknown]>([
  [{ gitlab: '17.5' }, ['unknown', 'unknown', 'active', 60], ['unknown', 'unknown', 'active', 60]],
  [
    { gitlab: '18.7', graphQl: 'refused' },
    ['unknown', 'unknown', 'unknown', 60],
    ['unknown', 'unknown', 'unknown', 60],
  ],
  [{ gitlab: '18.9' }, ['active', 'active', 'active', 60], ['active', 'active', 'active', 60]],
  [{ gitlab: '19.3' }, ['active', 'active', 'active', 30], ['idle', 'idle', 'idle', 30]],
])(
  'GitLab with %j reports running jobs as %j and canceling jobs as %j',
  async (of, running, canceling) => {
    expect(await words(of, () => undefined)).toEqual(running);
    const cancel = (job: JobState) => {
      job.status = 'canceling';
    };
    expect(await words(of, cancel)).toEqual(canceling);
  },
);

test.each<[GitLabVersion, boolean]>([
  ['17.5', false],
  ['18.7', true],
  ['19.3', true],
])('GitLab %s counts a verified token alone as a contact: %s', async (gitlab, isContact) => {
  const world = emptyWorld({ behaviour: { gitlab } });
  const { registration } = addShard(world, { shard: pink, contacted: false });
  createHost(world, { runnerName: linux, shard: pink });
  const simulation = createSimulation({ world });
  await simulation.advance(50_000);
  const { contacted, managers } = registration;
  const [manager] = managers;
  expect({ contacted, isManagers: manager?.contactedAt !== undefined }).toEqual({
    contacted: isContact,
    isManagers: isContact,
  });
  await simulation.advance(20_000);
  expect(registration).toMatchObject({ contacted: true, managers: [{ id: manager?.id }] });
});

test.each<[GitLabVersion, boolean]>([
  ['17.5', false],
  ['18.9', false],
  ['19.3', true],
])(
  'GitLab %s keeps the contact of a runner whose last manager was cleared: %s',
  (gitlab, isStill) => {
    const { world, registration, host } = open({ gitlab });
    clearManagers(world, registration);
    expect(registration.contacted).toBe(true);
    terminateHost(world, host, 'world');
    clearManagers(world, registration);
    expect(registration).toMatchObject({ contacted: isStill, managers: [] });
  },
);
