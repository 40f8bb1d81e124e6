import { describe, expect, test } from '@jest/globals';
import { stackShard } from '../../contract/registry-world.ts';
import { emptyWorld, pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { startStream, submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, isAcceptingJobs } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, pipeline, type Scene } from '../scene.ts';

const minute = 60_000;
const name = '/gitlab/dedicated/runner/linux/pink/runner_token';

/**
 * Opens a fleet with pink just deployed. Each runner takes one job only, and tokens expire after an
 * hour.
 */
async function ephemeralFleet(): Promise<Scene> {
  const behaviour = { runners: 'github_ephemeral', tokensEnd: true, concurrent: 1 } as const;
  const world = emptyWorld({ behaviour });
  const scene = openScene(world);
  await pipeline(scene, '1-100');
  scene.story.length = 0;
  return scene;
}

/** Runs `renew` like a schedule, under an id without a deployment. */
function renew(scene: Scene) {
  return scene.type('renew', { deploymentId: '1-100' });
}

function withJobs(world: World, everyMs: number): void {
  startStream(world, {
    everyMs,
    durationsMs: [2 * minute],
    tags: ['linux'],
    visible: true,
    project: 'customers/shop',
    count: 40,
  });
}

function acceptsJobs({ world }: Scene, shard = pink): boolean {
  return isAcceptingJobs(world, world.stacks[0] as never, shard);
}

function tokenOf({ parameters }: World): string | undefined {
  return parameters[name]?.versions.at(-1)?.value;
}

describe('an ephemeral fleet, a day after its deployment', () => {
  test('accepts jobs if its token is renewed on a schedule', async () => {
    const scene = await ephemeralFleet();
    withJobs(scene.world, 10 * minute);
    for (let quarter = 0; quarter < 28; quarter += 1) {
      await scene.simulation.advance(15 * minute);
      expect(await renew(scene)).toMatchObject({ kind: 'done', phase: 'done' });
    }
    expect(scene.story[1]).toBe(
      '  Stored a new token of pink in /gitlab/dedicated/runner/linux/pink/runner_token.',
    );
    expect(await scene.rest()).toEqual([]);
  });

  test('waits for a token without renewals and accepts jobs again after one renewal', async () => {
    const scene = await ephemeralFleet();
    await scene.simulation.advance(70 * minute);
    withJobs(scene.world, 10 * minute);
    await scene.simulation.advance(5 * minute);
    expect(acceptsJobs(scene)).toBe(false);
    await scene.type('renew');
    expect(acceptsJobs(scene)).toBe(true);
  });
});

/** Opens a drain of pink after its last job. The job's runner left with it. */
async function leftDraining(): Promise<Scene> {
  const scene = await ephemeralFleet();
  await scene.type('prepare');
  await scene.type('onboard');
  submitJob(scene.world, { name: 'long build', tags: ['linux'], durationMs: 80 * minute });
  await scene.type('provision');
  const deadline = scene.world.now + 5 * minute;
  expect(await scene.type('shutdown', { deadline })).toMatchObject({
    error: { exitCode: 75 },
    phase: 'draining',
  });
  await scene.simulation.advance(120 * minute);
  return scene;
}

describe('a rollback of an ephemeral fleet', () => {
  test('renews the token first, because its hosts register before their next job', async () => {
    const scene = await leftDraining();
    expect(await scene.type('rollback')).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(acceptsJobs(scene)).toBe(true);
    expect(await scene.type('finalize')).toMatchObject({ kind: 'done', phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });
});

describe('a renewal', () => {
  test('runs during a hold and while a long drain holds the lock', async () => {
    const scene = await ephemeralFleet();
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    withJobs(scene.world, 2 * minute);
    await scene.type('hold');
    const shutdown = scene.simulation.world.parameters;
    shutdown['/gitlab/dedicated/runner/linux/deployment_lock'] = held(scene.world);
    const ending = await scene.type('renew');
    expect(ending).toMatchObject({
      kind: 'done',
      text: 'the hosts of purple can register for another hour; the hosts of pink can register for another hour',
    });
  });

  test('covers the candidate from its onboarding to its promotion', async () => {
    const scene = await ephemeralFleet();
    const logged: string[] = [];
    for (const stage of ['prepare', 'onboard', 'provision --until healthy', 'promote'] as const) {
      await scene.type(stage);
      logged.push((await scene.type('renew')).log.join());
    }
    const stored = (shard: string) =>
      `Stored a new token of ${shard} in /gitlab/dedicated/runner/linux/${shard}/runner_token.`;
    expect(logged).toEqual([
      stored('pink'),
      `${stored('pink')},${stored('purple')}`,
      `${stored('pink')},${stored('purple')}`,
      `${stored('purple')},${stored('pink')}`,
    ]);
  });

  test('covers the retiring fleet while a rollback to it is possible', async () => {
    const scene = await leftDraining();
    expect(await scene.type('renew')).toMatchObject({
      kind: 'done',
      text: 'the hosts of purple can register for another hour; the hosts of pink can register for another hour',
    });
    await scene.type('shutdown');
    await scene.type('cleanup');
    expect(await scene.type('renew')).toMatchObject({
      text: 'the hosts of purple can register for another hour',
    });
    expect(tokenOf(scene.world)).toBe('(none: retired)');
  });

  test('does nothing if tokens do not expire or no host may register', async () => {
    const gitlab = openScene(worldWithActive(pink));
    expect(await gitlab.type('renew')).toMatchObject({
      kind: 'nothing',
      text: 'tokens of GitLab do not expire',
    });
    const none = openScene(emptyWorld({ behaviour: { runners: 'github_persistent' } }));
    expect(await none.type('renew')).toMatchObject({
      kind: 'nothing',
      text: 'no shard is active or being built',
    });
    const closed = await ephemeralFleet();
    const { registry } = closed.simulation.incarnation({ command: 'a person' } as never).ports;
    const [one] = await registry.findByShard(stackShard(pink, 'linux'));
    await registry.setIntake(one?.id ?? ('' as never), 'closed');
    expect(await closed.type('renew')).toMatchObject({
      kind: 'nothing',
      text: 'pink: its fleet is paused',
    });
  });

  test('leaves no token of a shard whose cleanup finished first', async () => {
    const scene = await ephemeralFleet();
    const { world } = scene;
    let done = false;
    const late = openScene(world, ({ method, args }) => {
      const writes = method === 'create' && JSON.stringify(args[0]).includes(`"${name}"`);
      if (!writes || done) return undefined;
      done = true;
      for (const { id } of Object.values(world.registrations)) delete world.registrations[id];
      delete world.parameters[name];
      return undefined;
    });
    expect(await late.type('renew')).toMatchObject({
      kind: 'nothing',
      text: 'pink: it was retired meanwhile',
    });
    expect(tokenOf(world)).toBeUndefined();
    expect(hostsOf(world, world.stacks[0] as never, purple)).toEqual([]);
  });
});

/** Returns the lock of another stage. */
function held({ now }: World): World['parameters'][string] {
  const value = JSON.stringify({
    deployment: '1-100',
    job: '9',
    since: new Date(now).toISOString(),
  });
  return { versions: [{ value, version: 1, modifiedAt: now, secret: false }] } as never;
}
