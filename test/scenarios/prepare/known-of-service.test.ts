import { describe, expect, test } from '@jest/globals';
import { headline, renderReports } from '../../../src/cli/terminal/status-view.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, purple, worldWithActive } from '../../fakes/builders.ts';
import { terminateHost } from '../../fakes/hosts/hosts.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { submitJob } from '../../fakes/world/jobs.ts';
import { hostsOf, registrationsOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { reportOf } from '../../operator/doctor/examine.ts';
import { openScene } from '../scene.ts';

const stackOf = (world: World) => world.stacks[0] as StackSettings;

function warnings(log: readonly string[]): readonly string[] {
  return log.filter((line) => line.startsWith('! '));
}

describe('prepare', () => {
  test('logs no warning for an active shard whose host has no counts yet', async () => {
    const scene = openScene(worldWithActive(pink));
    expect(warnings((await scene.type('prepare')).log)).toEqual([]);
  });

  test('warns that it repairs an active shard with a dead token', async () => {
    const world = worldWithActive(pink);
    for (const host of hostsOf(world, stackOf(world), pink)) host.token = 'glrt-dead';
    absorb(world);
    const ending = await openScene(world).type('prepare');
    expect(ending).toMatchObject({
      kind: 'done',
      text: 'candidate purple, retiring shard pink',
    });
    expect(warnings(ending.log)).toEqual([
      '! NO SHARD IS VERIFIED: pink is active; runner 48213 of pink is unpaused and has its tags; its process runs; GitLab refuses the requests of i-0abc0000000000001; a manager contacted GitLab 0s ago; no started job or canary was observed. Continuing, because this deployment builds a shard that accepts jobs.',
    ]);
  });

  test('warns that it repairs an active shard without a machine', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision', 'finalize'] as const)
      await scene.type(stage);
    for (const host of hostsOf(world, stackOf(world), purple)) terminateHost(world, host, 'world');
    absorb(world);
    const ending = await scene.type('prepare', { deploymentId: '1-300' });
    expect(warnings(ending.log)).toEqual([
      '! NO SHARD IS VERIFIED: purple is active; no machine of purple exists: Systems Manager lists no responding host, the infrastructure still exists, and EC2 reports: i-0abc0000000000002 is terminated. Continuing, because this deployment builds a shard that accepts jobs.',
    ]);
  });
});

describe('status', () => {
  test('reports a customer job that runs on a candidate in quarantine', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    await scene.type('prepare');
    await scene.type('onboard');
    await scene.type('provision --until healthy');
    const [registration] = registrationsOf(world, stackOf(world), purple);
    const tags = registration?.tags ?? [];
    submitJob(world, { name: 'thief', tags, durationMs: 3_600_000, visible: true });
    await scene.simulation.advance(10_000);
    const { now } = await reportOf(world);
    expect(now).toMatch(/Job \d+ "thief" of .* is running on purple, which must not take/);
    expect(now).not.toContain('it takes no customer job');
  });

  test('succeeds without a response from GitLab and shows it', async () => {
    const world = worldWithActive(pink);
    const report = await reportOf(world, {
      intercept: ({ port }) =>
        port === 'registry' ? { kind: 'error_before', failure: 'unavailable' } : undefined,
    });
    expect(headline(report).slice(0, 4)).toEqual([
      'linux: not verified. pink is active since 2026-11-02T08:00:00.000Z.',
      '  Next: Wait for a response',
      '  Reason: GitLab or AWS does not respond (registry findByShard: injected: unavailable).',
      '  pink is active; it is unknown whether it accepts jobs: the runner of pink could not be read: registry findByShard: injected: unavailable. No deployment is recorded.',
    ]);
    expect(
      report.shards.map(({ service, registrations }) => [service.verdict, registrations]),
    ).toEqual([
      ['unknown', 'registry findByShard: injected: unavailable'],
      ['disproven', 'registry findByShard: injected: unavailable'],
    ]);
    expect(report.unanswered).toEqual(['registry findByShard: injected: unavailable']);
    expect(await renderReports([report])).not.toContain('not known: registry findByShard');
  });

  test.each([
    [
      'unreachable',
      'Check the address and the network connection to it',
      'GitLab or AWS does not respond',
    ],
    [
      'unexpected',
      'Check that the address belongs to the API, and not to a proxy or a login page',
      'GitLab or AWS returned an unexpected response',
    ],
    [
      'denied',
      'Grant the missing permission (docs/use/permissions.md lists every call)',
      'a permission is missing',
    ],
  ] as const)('prints the action for a GitLab that is %s', async (failure, next, title) => {
    const report = await reportOf(worldWithActive(pink), {
      intercept: ({ port }) =>
        port === 'registry' ? { kind: 'error_before', failure } : undefined,
    });
    expect(headline(report).slice(1, 3)).toEqual([
      `  Next: ${next}`,
      `  Reason: ${title} (registry findByShard: injected: ${failure}).`,
    ]);
  });

  test('makes no second check', async () => {
    const world = worldWithActive(pink);
    const before = world.now;
    const { shards } = await reportOf(world);
    expect({ tookMs: world.now - before, verdict: shards[0]?.service.verdict }).toEqual({
      tookMs: 0,
      verdict: 'unknown',
    });
  });
});
