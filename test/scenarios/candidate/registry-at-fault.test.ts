import { describe, expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import type { BootBehaviour } from '../../fakes/hosts/behaviour.ts';
import { wakeManagers } from '../../fakes/world/jobs.ts';
import { recordText } from '../../fakes/world/record-by-hand.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene } from '../scene.ts';
import { candidateOf } from './causes.ts';
import { expectUntouched } from './provisioned-under.ts';

const minute = 60_000;
const url = 'https://gitlab.example.com/api/v4/jobs/request';

function openWith(boot: BootBehaviour, runners?: World['behaviour']['runners']) {
  const world = worldWithActive(pink, { behaviour: runners === undefined ? {} : { runners } });
  world.behaviour.boots['purple-linux'] = [boot];
  const scene = openScene(world);
  const deploy = () => scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' });
  // The first canary is the pipeline's own job, so it is not started.
  const started = () => scene.simulation.trace.filter(({ method }) => method === 'start').length;
  return { world, scene, deploy, started };
}

function countedAgainst(world: World): unknown {
  return JSON.parse(recordText(world)).shards.purple.unhealthy_in_a_row;
}

function failRequests(world: World, status: string): void {
  const line = `WARNING: Checking for jobs... failed runner=fake00000 status=POST ${url}: ${status}`;
  for (const host of candidateOf(world).hosts) host.log.push(line);
}

describe('a canary that GitLab assigns to no runner', () => {
  test('gets a second canary and counts for nothing if that waits as well', async () => {
    const { world, deploy, started } = openWith('given_no_jobs');
    const ending = await deploy();
    expect(ending).toMatchObject({ error: { code: 'HealthInconclusive', exitCode: 1 } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
      /^Canary job \d+ waits for a runner, and GitLab gave the canary to no manager, although it answered job requests of i-\w+ meanwhile, for the second time\.$/,
    );
    expect(started()).toBe(1);
    expect(countedAgainst(world)).toBe(0);
    expectUntouched(world);
  });

  test('ends its wait once the second canary has started', async () => {
    const { deploy } = openWith('given_no_jobs');
    const { log } = await deploy();
    const second = log.findIndex((line) =>
      /^Started canary job \d+, because canary job \d+ waits/.test(line),
    );
    const [, first] = /: canary job (\d+)/.exec(log[second] ?? '') ?? [];
    const waits = log.slice(second + 1).filter((line) => line.startsWith('Waiting: '));
    expect(waits).not.toEqual([]);
    expect(waits.filter((line) => line.includes(`canary job ${first}`))).toEqual([]);
  });

  test('gets a second canary, which proves the candidate if a runner takes it', async () => {
    const { scene, deploy, started } = openWith('given_no_jobs');
    scene.simulation.at(6 * minute, (then) => {
      for (const host of candidateOf(then).hosts) host.boot = 'ok';
      wakeManagers(then);
    });
    expect(await deploy()).toMatchObject({ kind: 'done' });
    expect(started()).toBe(1);
  });

  test('counts against a candidate that does not request jobs', async () => {
    const { world, deploy, started } = openWith('never_takes_jobs');
    expect(await deploy()).toMatchObject({ error: { code: 'HealthcheckTimedOut' } });
    expect(started()).toBe(0);
    expect(countedAgainst(world)).toBe(1);
  });
});

const statusPage = "Check GitLab's status page.";
describe.each([
  ['500 Internal Server Error', statusPage],
  ['502 Bad Gateway', statusPage],
  ['503 Service Unavailable', statusPage],
  ['409 Conflict', statusPage],
  [
    '429 Too Many Requests',
    'Wait until the limit resets, and find other programs that use the same App or account (GitHub), user or address (GitLab).',
  ],
])('a GitLab that answers job requests with %s', (status, fix) => {
  test('appears in the error after a second canary and does not count against the candidate', async () => {
    const { world, scene, deploy, started } = openWith('never_takes_jobs');
    scene.simulation.at(2 * minute, (then) => failRequests(then, status));
    const ending = await deploy();
    expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toContain(
      `GitLab answers its job requests with errors ("`,
    );
    expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toContain(status);
    // Another canary by an operator would have to wait as well, so no retry is printed.
    expect(ending.kind === 'error' && ending.error.fields.fix?.[0]).toBe(fix);
    expect(ending.kind === 'error' && ending.error.fields.fix?.join()).not.toContain('Retry');
    expect(started()).toBe(1);
    expect(countedAgainst(world)).toBe(0);
  });
});

test('a GitLab that recovers within two minutes assigns the first canary to the candidate', async () => {
  const { scene, deploy, started } = openWith('never_takes_jobs');
  scene.simulation.at(1 * minute, (then) => failRequests(then, '500 Internal Server Error'));
  scene.simulation.at(2 * minute, (then) => {
    for (const host of candidateOf(then).hosts) host.boot = 'ok';
    wakeManagers(then);
  });
  expect(await deploy()).toMatchObject({ kind: 'done' });
  expect(started()).toBe(0);
});

test('a second canary proves the candidate once GitLab has recovered', async () => {
  const { scene, deploy, started } = openWith('never_takes_jobs');
  scene.simulation.at(2 * minute, (then) => failRequests(then, '502 Bad Gateway'));
  scene.simulation.at(8 * minute, (then) => {
    for (const host of candidateOf(then).hosts) host.boot = 'ok';
    wakeManagers(then);
  });
  expect(await deploy()).toMatchObject({ kind: 'done' });
  expect(started()).toBe(1);
});

test('an earlier error of GitLab is not the cause once GitLab has answered the same host again', async () => {
  const { scene, deploy } = openWith('given_no_jobs');
  scene.simulation.at(2 * minute, (then) => failRequests(then, '500 Internal Server Error'));
  const ending = await deploy();
  expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
  expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
    /^Canary job \d+ waits for a runner, and GitLab gave the canary to no manager/,
  );
});

test('a candidate without any contact does not count as unhealthy while GitLab fails', async () => {
  const { world, scene, deploy } = openWith('never_contacts');
  scene.simulation.at(2 * minute, (then) => failRequests(then, '500 Internal Server Error'));
  const ending = await deploy();
  expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
  expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
    /^GitLab returns errors to the manager's requests \(".*500 Internal Server Error"\)\.$/,
  );
  expect(countedAgainst(world)).toBe(0);
});

test('a workflow run that stays queued while GitHub has an idle runner counts for nothing', async () => {
  const { world, deploy, started } = openWith('never_takes_jobs', 'github_persistent');
  const ending = await deploy();
  expect(ending).toMatchObject({ error: { code: 'HealthInconclusive' } });
  expect(ending.kind === 'error' && ending.error.fields.why?.[0]).toMatch(
    /GitHub gave the canary to no runner, although it holds a connection to the candidate, for the second time\.$/,
  );
  expect(started()).toBe(1);
  expect(countedAgainst(world)).toBe(0);
});
