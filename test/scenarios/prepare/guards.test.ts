import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { addShard, pink, purple, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { absorb } from '../../fakes/invariants/checker.ts';
import { listRunEffects } from '../../fakes/world/happened.ts';
import { recordText, setRecord } from '../../fakes/world/record-by-hand.ts';
import { hostsOf, parametersOf, registrationsOf } from '../../fakes/world/shards.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

const hour = 3_600_000;

describe('prepare', () => {
  test('reports everything that is missing at once and changes nothing', async () => {
    const world = worldWithActive(pink, { behaviour: { missingGrants: ['scope api', 'role'] } });
    const ending = await openScene(world).type('prepare');
    expect(ending).toMatchObject({
      phase: 'none',
      error: {
        code: 'PreflightFailed',
        exitCode: 2,
        fields: { why: ['scope api: 403 Forbidden', 'role: 403 Forbidden'] },
      },
    });
  });

  test('refuses two shards that share one runner', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    await scene.type('deploy', { ci: 'terminal', deploymentId: 'at-1' });
    const [registration] = registrationsOf(world, stackSettings(), purple);
    const text = JSON.parse(recordText(world));
    text.shards.pink = { ...text.shards.purple };
    setRecord(world, JSON.stringify(text));
    expect(await scene.type('prepare', { deploymentId: '1-300' })).toMatchObject({
      error: { code: 'SharedRegistration', exitCode: 3 },
    });
    expect(registration?.paused).toBe(false);
  });
});

describe('a lock that cannot be released', () => {
  test('causes an error after the first one, never instead of it', async () => {
    const { lock } = parametersOf(stackSettings());
    let writes = 0;
    const scene = openScene(await reach('onboarded'), ({ port, method, args }) => {
      if (port === 'registry') return { kind: 'error_before', failure: 'denied', status: 403 };
      const isWrite = method === 'overwrite' || method === 'create';
      if (isWrite && (args[0] as { name: string }).name === lock) writes += 1;
      return isWrite && writes > 1
        ? { kind: 'error_before', failure: 'unavailable', status: 503 }
        : undefined;
    });
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ error: { fields: { why: [expect.stringMatching(/denied/)] } } });
    expect(ending.log).toContainEqual(
      expect.stringMatching(/^! Could not release the lock: .*unavailable/),
    );
  });
});

describe('rule 1: before any production tag, provision plans again', () => {
  test('a change of the configuration after the proof voids it', async () => {
    const world = await reach('healthy');
    world.behaviour.revision = 2;
    const scene = openScene(world);
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(ending.log.filter((line) => /^(?:Applied|Started|Found)/.test(line))).toEqual([
      'Applied purple: 1 added, 0 changed, 1 destroyed.',
      expect.stringMatching(
        /^Started canary job \d+, because canary job 9000001 started before the last apply\.$/,
      ),
      expect.stringMatching(/^Found purple healthy: .* manager 703 /),
    ]);
    await scene.type('finalize');
    expect(await scene.rest()).toEqual([]);
  });

  test('an empty plan keeps the evidence', async () => {
    const ending = await openScene(await reach('healthy')).type('provision');
    expect(ending.log).toContain('Applied nothing: purple already matches the plan (no changes).');
    expect(ending.log).toContain(
      'Kept the evidence of purple: it is recent enough, and nothing has changed since.',
    );
  });
});

describe('rule 2: evidence', () => {
  test('expires after evidence_max_age and is collected again', async () => {
    const scene = openScene(await reach('healthy'));
    await scene.simulation.advance(hour);
    const ending = await scene.type('promote');
    expect(ending.log[0]).toBe(
      'Collecting the evidence of purple again: it is too old, or from other managers.',
    );
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  });

  test('expires with its manager and is collected again', async () => {
    const world = await reach('healthy');
    const [registration] = registrationsOf(world, stackSettings(), purple);
    for (const manager of registration?.managers ?? []) manager.id += 100;
    for (const host of hostsOf(world, stackSettings(), purple))
      host.managerId = (host.managerId ?? 0) + 100;
    const ending = await openScene(world).type('promote');
    expect(ending.log[0]).toMatch(/^Collecting the evidence of purple again/);
  });
});

describe('the inactive shard', () => {
  test('never becomes the candidate while it accepts jobs', async () => {
    const world = await reach('done');
    addShard(world, { shard: pink });
    const ending = await openScene(world).type('prepare', { deploymentId: '1-300' });
    expect(ending).toMatchObject({
      phase: 'done',
      error: { code: 'InactiveShardHealthy', exitCode: 3 },
    });
  });

  test('aborts provision before its first effect if it accepts jobs', async () => {
    const world = await reach('applied');
    const [registration] = registrationsOf(world, stackSettings(), purple);
    Object.assign(registration ?? {}, { tags: ['linux'], contacted: true });
    const past = world.history.length;
    const ending = await openScene(world).type('provision');
    expect(ending).toMatchObject({
      phase: 'applied',
      text: 'Inactive shard appears healthy, aborting to avoid unsafe deploy.',
      error: { code: 'InactiveShardHealthy', exitCode: 3 },
    });
    const touched = listRunEffects(world, past).filter((entry) => !('name' in entry));
    expect(touched).toEqual([]);
  });
});

describe('an inconclusive health', () => {
  test('does not count against the candidate and names the job to press', async () => {
    const world = await reach('onboarded');
    world.behaviour.canaryStart = 'denied';
    for (const job of Object.values(world.jobs)) {
      if (job.kind === 'canary') Object.assign(job, { status: 'canceled', finishedAt: world.now });
    }
    world.queue = [];
    const scene = openScene(world);
    const ending = await scene.type('provision');
    expect(ending).toMatchObject({
      phase: 'applied',
      error: {
        code: 'HealthInconclusive',
        exitCode: 1,
        fields: {
          fix: [
            'Press Retry on hosted_runner_canary of pipeline 1-200.',
            'When the cause is fixed: hosted-runner provision --runner linux',
          ],
        },
      },
    });
    expect(JSON.parse(recordText(world)).shards.purple.unhealthy_in_a_row).toBe(0);
  });
});

describe('an interrupted change of the infrastructure', () => {
  test('completes a partial destroy in the second run', async () => {
    const world = await reach('drained');
    world.behaviour.destroyFailures = [2];
    const scene = openScene(world);
    expect(await scene.type('cleanup')).toMatchObject({ phase: 'destroying', kind: 'error' });
    expect(await scene.type('cleanup')).toMatchObject({ phase: 'done', kind: 'done' });
    expect(await scene.rest()).toEqual([]);
  });

  test('completes a partial apply in the second run', async () => {
    const world = await reach('onboarded');
    world.behaviour.applyFailures = [3];
    const scene = openScene(world);
    expect(await scene.type('provision')).toMatchObject({ phase: 'applying', kind: 'error' });
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted', kind: 'done' });
    await scene.type('finalize');
    expect(await scene.rest()).toEqual([]);
  });
});

describe('a stack without access to hosts', () => {
  test('proves its drain by GitLab alone after the confirmation period', async () => {
    const base = stackSettings();
    const stack: StackSettings = {
      ...base,
      host: { ...base.host, access: 'none' },
      healthcheck: {
        ...base.healthcheck,
        evidence: { ...base.healthcheck.evidence, instance: 'off', host: 'off', workload: 'off' },
      },
    };
    const world = worldWithActive(pink, { stacks: [stack] });
    const scene = openScene(world);
    for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
    const ending = await scene.type('shutdown');
    expect(ending.log).toContain(
      'Drained pink: only GitLab reports that no job is left (for 180s).',
    );
    expect(await scene.type('cleanup')).toMatchObject({ phase: 'done' });
    expect(await scene.rest()).toEqual([]);
  });
});

test('a shard without a host accepts no jobs, whatever GitLab reports, and a new shard replaces it', async () => {
  const world = worldWithActive(pink);
  for (const host of hostsOf(world, stackSettings(), pink)) host.state = 'terminated';
  absorb(world);
  const ending = await openScene(world).type('prepare');
  expect(ending).toMatchObject({ phase: 'prepared' });
  expect(ending.log).toContainEqual(
    expect.stringContaining('NO SHARD IS VERIFIED: pink is active'),
  );
});
