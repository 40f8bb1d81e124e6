import { expect, test } from '@jest/globals';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import { recordText } from '../../fakes/world/record-by-hand.ts';
import { hostsOf, isAcceptingJobs } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';
import { isOpen, openPromoted, stackOf } from '../service/promoted.ts';
import { expectUntouched } from './provisioned-under.ts';

const minute = 60_000;
const hour = 60 * minute;
const words = 'You cannot perform write operations on a read-only instance';

/** Deploys with an unhealthy candidate on a GitLab that first refuses all writes. */
async function deployUnder(forMs: number, boot: BootBehaviour) {
  const world = worldWithActive(pink, { behaviour: { readOnly: words } });
  world.behaviour.boots['purple-linux'] = [boot];
  const scene = openScene(world);
  scene.simulation.at(forMs, (then) => {
    delete then.behaviour.readOnly;
  });
  const ending = await scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' });
  return { scene, world, ending };
}

function countedAgainst(world: World): unknown {
  return JSON.parse(recordText(world)).shards.purple.unhealthy_in_a_row;
}

test.each([
  ['lasts', 5 * hour, `GitLab accepts no writes now ("${words}"), so no runner gets a job`],
  ['has ended', 5 * minute, 'and a refused runner may not poll for 1h'],
])(
  'a runner without contact does not count as unhealthy if maintenance %s, and the active shard accepts jobs',
  async (_, forMs, why) => {
    const { world, ending } = await deployUnder(forMs, 'never_contacts');
    expect(ending).toMatchObject({ error: { code: 'HealthInconclusive', exitCode: 1 } });
    expect(ending.kind === 'error' && String(ending.error.fields.why)).toContain(why);
    expect(countedAgainst(world)).toBe(0);
    const [stack] = world.stacks;
    expect(stack !== undefined && isAcceptingJobs(world, stack, pink)).toBe(true);
    expectUntouched(world);
  },
);

test('a machine without a response counts as unhealthy despite a maintenance', async () => {
  const { world, ending } = await deployUnder(5 * minute, 'agent_lost');
  expect(ending).toMatchObject({ error: { code: 'HealthcheckTimedOut' } });
  expect(countedAgainst(world)).toBe(1);
});

test('a runner that still makes no contact in a run without maintenance counts as unhealthy', async () => {
  const { scene, world } = await deployUnder(5 * minute, 'never_contacts');
  await scene.simulation.advance(hour);
  const ending = await scene.type('provision', { ci: 'terminal', deploymentId: 'at-1' });
  expect(ending).toMatchObject({ error: { code: 'HealthcheckTimedOut' } });
  expect(countedAgainst(world)).toBe(1);
});

test('the next run reads the maintenance from the record and counts no unhealthy verdict for an hour', async () => {
  const { scene, world, ending } = await deployUnder(5 * minute, 'never_contacts');
  expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
  const metAt = JSON.parse(recordText(world)).writes_refused_at;
  const again = await scene.type('provision', { ci: 'terminal', deploymentId: 'at-1' });
  expect(again).toMatchObject({ error: { code: 'HealthInconclusive' } });
  expect(again.kind === 'error' && String(again.error.fields.why)).toMatch(
    /GitLab refused writes \d+m(?: \d+s)? ago \(from the record\), and a refused runner may not poll for 1h/,
  );
  expect(countedAgainst(world)).toBe(0);
  expect(JSON.parse(recordText(world)).writes_refused_at).toBe(metAt);
});

test('a later deployment keeps the recorded maintenance', async () => {
  const { scene, world } = await deployUnder(5 * minute, 'never_contacts');
  const before = JSON.parse(recordText(world)).writes_refused_at;
  expect(before).toMatch(/^2\d{3}-/);
  await scene.type('recover cleanup', { ci: 'terminal', deploymentId: 'at-1' });
  await scene.simulation.advance(2 * hour);
  await scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' });
  expect(JSON.parse(recordText(world)).writes_refused_at).toBe(before);
});

test('a rollback keeps the recorded maintenance', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(minute, (then) => {
    then.behaviour.readOnly = words;
    for (const host of hostsOf(then, stackOf(then), purple)) host.token = 'refused as all are';
  });
  await scene.type('shutdown');
  const before = JSON.parse(recordText(world)).writes_refused_at;
  expect(before).toMatch(/^2\d{3}-/);
  delete world.behaviour.readOnly;
  await scene.type('rollback', { ci: 'terminal', deploymentId: 'at-1' });
  const { deployment, writes_refused_at: after } = JSON.parse(recordText(world));
  expect(deployment.kind).toBe('rollback');
  expect(Date.parse(after)).toBeGreaterThanOrEqual(Date.parse(before));
});

test('a promoted shard without contact because of a maintenance is unverified, and the error names the maintenance', async () => {
  const { scene, world } = await openPromoted();
  scene.simulation.at(minute, (then) => {
    then.behaviour.readOnly = words;
    for (const host of hostsOf(then, stackOf(then), purple)) host.token = 'refused as all are';
  });
  const ending = await scene.type('shutdown');
  expect(ending).toMatchObject({ phase: 'promoted', error: { code: 'ServiceLost', exitCode: 1 } });
  expect(ending.kind === 'error' && String(ending.error.fields.why)).toMatch(
    /GitLab refused writes \d+s ago \("You cannot perform write operations on a read-only instance"\), and a refused runner may not poll for 1h/,
  );
  expect(countedAgainst(world)).toBe(0);
  expect(isOpen(world, pink)).toBe(true);
});
