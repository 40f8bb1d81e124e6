import { describe, expect, test } from '@jest/globals';
import { renderFindings } from '../../../src/cli/terminal/findings-view.ts';
import { fail } from '../../broken-stacks/sources.ts';
import { emptyWorld, pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { createHost, terminateHost } from '../../fakes/hosts/hosts.ts';
import { startStream, submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { openScene, pipeline } from '../../scenarios/scene.ts';
import { typing } from '../../support/typing.ts';
import { examine } from './examine.ts';

function fleet(): World {
  const runners = 'github_persistent' as const;
  return worldWithActive(pink, {
    stacks: [stackSettings()],
    behaviour: { runners, concurrent: 1 },
  });
}

async function deployed(): Promise<World> {
  const world = fleet();
  const scene = openScene(world);
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize'] as const)
    await scene.type(stage);
  return world;
}

/** Removes addresses, parameter names and commands, because the fakes use GitLab's addresses. */
const words = (text: string) => text.replaceAll(/https:\S+|\/gitlab\/\S+|hosted-runner \S.*/g, '…');
const gitlabs = /gitlab|\bmanagers?\b/i;

async function renderDoctor(world: World): Promise<string> {
  return words(
    await renderFindings(await examine(world), { logs: false, typed: typing('doctor') }),
  );
}

describe('doctor on a fleet of GitHub runners', () => {
  test('names GitHub for a fleet at rest', async () => {
    const text = await renderDoctor(await deployed());
    expect(text).toMatch(/GitHub fleet .*│ 48214 \[linux\]/);
    expect(text).toContain('record, status, GitHub and AWS agree');
    expect(text).not.toMatch(gitlabs);
  });

  test('names GitHub while the old shard still has jobs', async () => {
    const world = fleet();
    startStream(world, {
      everyMs: 10_000_000,
      durationsMs: [3_600_000],
      tags: ['linux'],
      visible: true,
      project: 'customers/shop',
      count: 1,
    });
    const scene = openScene(world);
    await scene.simulation.advance(90_000);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    await scene.type('shutdown', { deadline: world.now + 180_000 });
    const text = await renderDoctor(world);
    expect(text).toContain('GitHub and host: pink still runs');
    expect(text).toContain('cancel hanging jobs in GitHub');
    expect(text).toMatch(/48213 paused \[linux\]/);
    expect(text).not.toMatch(gitlabs);
  });

  test('names GitHub for hosts that wait for a token, until it is written', async () => {
    const behaviour = { runners: 'github_ephemeral', tokensEnd: true, concurrent: 1 } as const;
    const world = emptyWorld({ stacks: [stackSettings()], behaviour });
    const scene = openScene(world);
    await pipeline(scene, '1-100');
    await scene.simulation.advance(70 * 60_000);
    expect(await renderDoctor(world)).toContain('GitHub and AWS agree');
    submitJob(world, { name: 'build', tags: ['linux'], durationMs: 60_000 });
    await scene.simulation.advance(90_000);
    const examined = await examine(world);
    expect(examined.findings).toMatchObject([
      { code: 'token_ended', commands: [{ command: 'renew', runner: 'linux' }] },
    ]);
    const text = await renderDoctor(world);
    expect(text).toMatch(/the token of pink is 1h \d+m.* old; GitHub: no runner of i-0abc/);
    expect(text).not.toMatch(gitlabs);
    await scene.type('renew', { deploymentId: '1-100' });
    await scene.simulation.advance(10_000);
    expect(await renderDoctor(world)).toContain('GitHub and AWS agree');
  });

  test('names GitHub for a listener that GitHub does not know, and a deployment fixes it', async () => {
    const world = await deployed();
    const [stack] = world.stacks;
    if (stack === undefined) throw new Error('there is no stack');
    const ghost = createHost(world, { runnerName: stack.runnerName, shard: purple });
    ghost.boot = 'never_contacts';
    world.stacks = [{ ...stack, managers: 2 }];
    const scene = openScene(world);
    await scene.simulation.advance(120_000);
    const { findings } = await examine(world);
    expect(findings).toMatchObject([
      { code: 'runner_missing', commands: [{ command: 'deploy', runner: 'linux' }] },
    ]);
    expect(findings[0]?.seen).toBe(
      `host: the process of ${ghost.id} runs; GitHub: no runner of it`,
    );
    expect(await renderDoctor(world)).not.toMatch(gitlabs);
  });

  test('reports credentials that GitHub refuses, and draws no conclusion about runners', async () => {
    const { findings } = await examine(await deployed(), fail('unauthenticated', ['registry'])());
    expect(findings.map(({ code }) => code)).toEqual(['credentials_refused']);
  });

  test('names GitHub for leftovers of the inactive shard', async () => {
    const world = await deployed();
    const [stack] = world.stacks;
    if (stack === undefined) throw new Error('there is no stack');
    createHost(world, { runnerName: stack.runnerName, shard: pink });
    await openScene(world).simulation.advance(10_000);
    const { findings } = await examine(world);
    expect(findings[0]?.code).toBe('inactive_left');
    expect(await renderDoctor(world)).not.toMatch(gitlabs);
  });

  test('names GitHub if no shard accepts jobs', async () => {
    const world = await deployed();
    for (const host of hostsOf(world, world.stacks[0] as never, purple))
      terminateHost(world, host, 'world');
    const text = await renderDoctor(world);
    expect(text).toContain('GitHub and AWS: no machine of purple exists');
    // The name of AWS's own service contains one of GitLab's terms.
    expect(text.replaceAll('Systems Manager', 'SSM')).not.toMatch(gitlabs);
  });
});

test('every line of a whole rollout uses the words of GitHub', async () => {
  const scene = openScene(fleet());
  for (const stage of ['prepare', 'onboard', 'provision', 'finalize'] as const)
    await scene.type(stage);
  // Progress lines of the infrastructure keep the infrastructure's own terms.
  const lines = scene.story.filter(
    (line) => /^ {2}[^ ]/.test(line) && !/^ {2}\w+-linux: /.test(line),
  );
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.map(words).filter((line) => gitlabs.test(line))).toEqual([]);
});
