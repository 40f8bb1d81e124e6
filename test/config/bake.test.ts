import { describe, expect, test } from '@jest/globals';
import { fleet, load, loadStack, problemsOf, withKeys } from './loading.ts';

const given = `bake: {for: 30m, at_most: 2h, jobs: 7, poll: 10s, faults: {baseline: 0.004, alpha: 0.001}, signals: {health: report, canary: "off", failures: required, starvation: 5m, cloudwatch_alarms: [runner-errors], webhook: {url: "http://judge.example.com/x"}, prometheus: [{query: 'sum(up)', url: "https://prometheus.example.com/", above: 0.05}]}, on_unhealthy: hold, on_inconclusive: hold}`;

/**
 * Returns the configuration of a stack of GitHub runners, for whose jobs no results are available.
 */
const github = (bake: string) => `${fleet}    bake: ${bake}
`;

describe('the configuration of a bake', () => {
  test('limits the polls of a day-long bake to one in four seconds', async () => {
    const { bake } = await loadStack({
      text: withKeys('bake: {for: 1d, at_most: 1d, poll: 100ms}'),
    });
    expect(bake.pollMs).toBe(4000);
  });

  test('contains every key', async () => {
    expect((await loadStack({ text: withKeys(given) })).bake).toEqual({
      forMs: 1_800_000,
      atMostMs: 7_200_000,
      jobs: 7,
      pollMs: 10_000,
      rates: { baseline: 0.004, alpha: 0.001 },
      signals: {
        health: 'report',
        canary: 'off',
        failures: 'required',
        starvationMs: 300_000,
        prometheus: [
          {
            query: 'sum(up)',
            url: 'https://prometheus.example.com',
            above: 0.05,
            forMs: 300_000,
            use: 'required',
          },
        ],
        cloudwatchAlarms: ['runner-errors'],
        webhookUrl: 'http://judge.example.com/x',
      },
      onUnhealthy: 'hold',
      onInconclusive: 'hold',
    });
  });

  test('rolls back automatically by default', async () => {
    const { bake } = await loadStack({ text: withKeys('bake: {for: 30m}') });
    expect(bake.onUnhealthy).toBe('rollback');
  });

  test('turns a signal off if its canary or its evidence is off', async () => {
    const { bake } = await loadStack({
      text: withKeys(
        'canary: {kind: "off"}',
        'healthcheck: {evidence: {instance: off, manager: optional, host: off}}',
        'bake: {for: 30m}',
      ),
    });
    expect(bake.signals).toMatchObject({ canary: 'off', health: 'required' });
    const { bake: withCanary } = await loadStack({
      text: withKeys(
        'healthcheck: {evidence: {instance: off, manager: off, host: off}}',
        'bake: {for: 30m}',
      ),
    });
    expect(withCanary.signals).toMatchObject({ canary: 'required', health: 'off' });
  });

  test('accepts its numbers and its list from flags, too', async () => {
    const { bake } = await loadStack({
      text: withKeys('bake: {for: 30m}'),
      overrides: [
        'bake.faults.baseline=0.01',
        'bake.signals.prometheus=[{"query":"up","url":"http://127.0.0.1:9090","above":1,"for":"0s","use":"report"}]',
      ],
    });
    expect(bake.rates.baseline).toBe(0.01);
    expect(bake.signals.prometheus).toEqual([
      { query: 'up', url: 'http://127.0.0.1:9090', above: 1, forMs: 0, use: 'report' },
    ]);
  });

  test('warns if waiting jobs can never decide', async () => {
    const text = withKeys('bake: {for: 30m, signals: {starvation: 5m}}');
    expect((await load({ text })).warnings).toEqual([]);
    const overrides = ['registration.access_level=ref_protected'];
    expect((await load({ text, overrides })).warnings).toEqual([
      'linux: bake.signals.starvation is set, but registration.access_level is ref_protected, and a job does not report whether its branch is protected: if jobs wait, the bake ends inconclusive.',
    ]);
  });

  test('allows no jobs for GitHub’s runners', async () => {
    expect(await problemsOf({ text: github('{for: 30m, jobs: 5}') })).toEqual([
      'hosted-runners.yml:9:28: bake.jobs: 5, but GitHub does not list the finished jobs of a runner; write 0',
    ]);
    expect((await loadStack({ text: github('{for: 30m}') })).bake).toMatchObject({
      jobs: 0,
      signals: { failures: 'off', canary: 'off' },
    });
  });

  test('allows no starvation signal for GitHub’s runners', async () => {
    const text = github('{for: 30m, signals: {starvation: 5m}}');
    expect(await problemsOf({ text })).toEqual([
      'hosted-runners.yml:9:44: bake.signals.starvation: GitHub lists waiting jobs only for one workflow run at a time, so a check proves nothing; write none: a canary detects a shard that starts no job',
    ]);
  });

  test('needs a required signal for GitHub’s runners', async () => {
    expect(await problemsOf({ text: github("{for: 30m, signals: {health: 'off'}}") })).toEqual([
      'hosted-runners.yml:9:17: bake.for: 30m, but no signal is required, and GitHub does not list the finished jobs of a runner, so the bake could reach no verdict; write bake.signals.health: required, or none here',
    ]);
    const judge = "{for: 30m, signals: {health: 'off', webhook: {url: https://judge.example.com}}}";
    expect(await problemsOf({ text: github(judge) })).toEqual([]);
    const reported =
      "{for: 30m, signals: {health: report, prometheus: [{query: up, url: 'http://127.0.0.1:9090', above: 1, use: report}]}}";
    expect(await problemsOf({ text: github(reported) })).toHaveLength(1);
  });

  test('warns about signals that are unread because bake.for is none', async () => {
    const text = withKeys('bake: {signals: {starvation: 5m, cloudwatch_alarms: [runner-errors]}}');
    expect((await load({ text })).warnings).toEqual([
      'linux: bake.signals.starvation, bake.signals.cloudwatch_alarms: set, but bake.for is none, so no signal is read.',
    ]);
  });
});
