import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createCanaryJob } from '../../../src/adapters/gitlab/canary/gitlab-canary.ts';
import { register, runnerClient } from '../../sandbox/gitlab/protocol/runner-client.ts';
import { renderExample } from '../../templates/configuration.ts';
import { createSandboxGitLab, type SandboxGitLab } from '../sandbox-gitlab.ts';

const own = 'HOSTED_RUNNER_GITLAB_TOKEN';
let gitlab: SandboxGitLab;
beforeEach(() => {
  gitlab = createSandboxGitLab();
});
afterEach(() => gitlab.world.close());

function runScript(script: readonly string[], env: Record<string, string>) {
  const { status, stdout } = spawnSync('/bin/sh', ['-e'], { input: script.join('\n'), env });
  return { status, lines: stdout.toString() };
}

/** Runs a canary whose job has these group variables, as its runner reports it. */
async function canaryWith(names: readonly string[], secrets: readonly string[] = names) {
  for (const key of names)
    await gitlab.client.raw.post('groups/10/variables', { body: { key, value: 'glpat-x' } });
  const { id, iid } = gitlab.world.gitlab.createPipeline({ project: 101 });
  const canary = createCanaryJob({
    client: gitlab.client,
    clock: gitlab.clock,
    projectId: 101,
    pipelineId: id,
    pipelineIid: iid,
    pipelineUrl: '',
    runnerName: 'linux',
    jobName: 'hosted_runner_canary',
    secrets,
  });
  const { token } = await register(gitlab.world, { tag_list: [canary.tag] });
  const runner = runnerClient(gitlab.world, token, { systemId: 's_1' });
  const { body: job } = await runner.request();
  const given = job.variables.map((one: { key: string; value: string }) => [one.key, one.value]);
  const { status, lines } = runScript(job.steps[0].script, Object.fromEntries(given));
  await runner.patch(job, lines, 0);
  const isGood = status === 0;
  await runner.update(
    job,
    isGood ? 'success' : 'failed',
    isGood ? {} : { failure_reason: 'script_failure' },
  );
  return canary;
}

describe('a finished canary', () => {
  test.each([
    [[own], [own], 'failed', [own]],
    [[own, 'GITLAB_TOKEN'], [own], 'failed', [own]],
    [['HOSTED_RUNNER_WEBHOOK_TOKEN'], [own], 'failed', ['HOSTED_RUNNER_WEBHOOK_TOKEN']],
    [['GITLAB_TOKEN'], ['GITLAB_TOKEN'], 'success', ['GITLAB_TOKEN']],
    [
      ['AWS_SECRET_ACCESS_KEY'],
      [own, 'AWS_SECRET_ACCESS_KEY'],
      'success',
      ['AWS_SECRET_ACCESS_KEY'],
    ],
    [['GITLAB_TOKEN'], [own], 'success', undefined],
    [['AWS_SECRET_ACCESS_KEY'], [own], 'success', undefined],
    [[], [own, 'GITLAB_TOKEN'], 'success', undefined],
  ])(
    'ends with %j, in a deployment with its secrets in %j, as %s and exposes %j',
    async (names, secrets, status, exposed) => {
      const canary = await canaryWith(names, secrets);
      const found = await canary.findNewest();
      expect(found).toMatchObject({ status, ...(exposed === undefined ? {} : { exposed }) });
      expect(found?.exposed).toEqual(exposed);
      expect(await canary.find(found?.id ?? '')).toEqual(found);
    },
  );

  test('keeps GitLab’s status if its log cannot be read', async () => {
    const canary = await canaryWith([own]);
    gitlab.disturb('drop', ({ url }) => url.endsWith('/trace'), 1000);
    expect(await canary.findNewest()).toMatchObject({
      status: 'failed',
      failureReason: 'script_failure',
    });
    expect((await canary.findNewest())?.exposed).toBeUndefined();
  });

  test.each([
    [[], [own], 0],
    [[], [own, 'GITLAB_TOKEN'], 1],
    [[own], [own], 1],
  ])('causes, with %j of %j, %d reads of its log', async (names, secrets, times) => {
    await (await canaryWith(names, secrets)).findNewest();
    expect(gitlab.sent.filter((call) => call.endsWith('/trace'))).toHaveLength(times);
  });
});

test.each([
  [],
  [own],
  ['GITLAB_TOKEN'],
  ['AWS_SECRET_ACCESS_KEY'],
  ['HOSTED_RUNNER_GITHUB_TOKEN', 'HOSTED_RUNNER_GITHUB_PRIVATE_KEY'],
  ['HOSTED_RUNNER_PROMETHEUS_TOKEN', 'HOSTED_RUNNER_WEBHOOK_TOKEN', 'GITLAB_TOKEN'],
])("the template's canary prints the names of its secrets and no value: %j %j %j", (...names) => {
  const env = Object.fromEntries(names.map((name) => [name, 'glpat-secret']));
  const script = renderExample('minimal')['hosted_runner_canary']?.script as string[];
  const { status, lines } = runScript(script, env);
  const printed = [...lines.matchAll(/hosted_runner_canary_has:(\S+)/g)].map(([, name]) => name);
  expect(printed.toSorted()).toEqual(names.toSorted());
  expect(status).toBe(names.some((name) => name.startsWith('HOSTED_RUNNER_')) ? 1 : 0);
  expect(lines).not.toContain('glpat-secret');
  // The script itself must not contain the mark, because a runner may echo it.
  expect(script.join('\n')).not.toContain('hosted_runner_canary_has:');
});
