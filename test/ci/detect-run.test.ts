import { describe, expect, test } from '@jest/globals';
import { readGitLabPipeline } from '../../src/adapters/ci/gitlab-run.ts';
import { detect, github, gitlab, problemOf, refused } from './detected.ts';

describe('the AWS role of a GitHub job', () => {
  test('causes an error with an explanation if STS would refuse it', async () => {
    const fields = await problemOf({
      ...github,
      HOSTED_RUNNER_AWS_ROLE: 'deployer',
      HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS: '1h',
    });
    expect(fields?.why).toEqual([
      'HOSTED_RUNNER_AWS_ROLE is "deployer"; expected the ARN of a role, such as arn:aws:iam::123456789012:role/deployer.',
      'HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS is "1h"; expected seconds, from 900 to 43200.',
    ]);
  });

  test.each(['899', '43201', '3600.5', '-900', '0900'])(
    'refuses a duration of %s seconds',
    async (seconds) => {
      const given = { ...github, HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS: seconds };
      expect((await problemOf(given))?.why).toHaveLength(1);
    },
  );

  test.each(['900', '3600', '43200', ''])('accepts a duration of %j seconds', async (seconds) => {
    const role = 'arn:aws-us-gov:iam::123456789012:role/teams/deployer';
    const given = {
      HOSTED_RUNNER_AWS_ROLE: role,
      HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS: seconds,
    };
    expect((await detect({ ...github, ...given }, '2026-11-02T08:00:00Z').run).ci).toBe('github');
  });
});

describe('the detection of a GitLab job', () => {
  test('takes the id from the pipeline, and the end from its timeout', async () => {
    expect(await detect(gitlab).run).toEqual({
      ci: 'gitlab',
      deploymentId: '101-5001',
      pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
      pipelineUrl: 'https://gitlab.example.com/acme/runners/-/pipelines/5001',
      jobId: '90001',
      by: 'deployer',
      ownRegistrationId: '48213',
      deadline: Date.parse('2026-11-02T09:01:00Z'),
      timeLimitMs: 3_600_000,
    });
  });

  test('leaves out a timeout, a runner and a user that GitLab does not give', async () => {
    const { CI_JOB_TIMEOUT, CI_RUNNER_ID, GITLAB_USER_LOGIN, ...rest } = gitlab;
    const run = await detect(rest).run;
    expect(run).not.toHaveProperty('deadline');
    expect(run).not.toHaveProperty('timeLimitMs');
    expect(run).not.toHaveProperty('ownRegistrationId');
    expect(run.by).toBe('unknown');
  });

  test('names every missing or invalid variable at once', async () => {
    const fields = await problemOf({
      ...gitlab,
      CI_PROJECT_ID: '../101',
      CI_PIPELINE_CREATED_AT: 'yesterday',
      CI_JOB_ID: '',
      CI_RUNNER_ID: 'javascript:alert(1)',
    });
    expect(fields).toMatchObject({
      what: 'Detected a GitLab job, but CI_PROJECT_ID, CI_PIPELINE_CREATED_AT, CI_JOB_ID, CI_RUNNER_ID are missing or invalid; nothing was touched.',
      why: [
        'CI_PROJECT_ID is "../101"; expected a number.',
        'CI_PIPELINE_CREATED_AT is "yesterday"; expected a time such as 2026-11-20T10:00:00Z.',
        'CI_JOB_ID is not set; expected a number.',
        'CI_RUNNER_ID is "javascript:alert(1)"; expected a number.',
      ],
    });
  });

  test('returns the numbers for the canary’s tag', () => {
    expect(readGitLabPipeline(gitlab)).toEqual({
      projectId: 101,
      pipelineId: 5001,
      pipelineIid: 17,
    });
  });
});

describe('the detection of a GitHub job', () => {
  test('takes the id from the run, whose creation time the API returns', async () => {
    const { run, requests } = detect(github);
    expect(await run).toEqual({
      ci: 'github',
      deploymentId: 'acme/runners-777',
      pipelineCreatedAt: '2026-11-02T08:59:00.000Z',
      pipelineUrl: 'https://github.com/acme/runners/actions/runs/777',
      jobId: '777/2/hosted_runner_provision/runner 1',
      by: 'dependabot[bot]',
    });
    expect(requests).toEqual([{ repository: 'acme/runners', runId: '777' }]);
  });

  test('keeps the deployment in its next attempt', async () => {
    const next = await detect({ ...github, GITHUB_RUN_ATTEMPT: '3' }).run;
    expect(next.deploymentId).toBe('acme/runners-777');
    expect(next.jobId).not.toBe((await detect(github).run).jobId);
  });

  test('sends no request if the creation time is given, and uses the given timeout', async () => {
    const { run, requests } = detect({
      ...github,
      HOSTED_RUNNER_PIPELINE_CREATED_AT: '2026-11-02T08:00:00Z',
      HOSTED_RUNNER_JOB_TIMEOUT: '6h',
    });
    expect(await run).toMatchObject({
      pipelineCreatedAt: '2026-11-02T08:00:00.000Z',
      deadline: Date.parse('2026-11-02T16:00:00.250Z'),
      timeLimitMs: 21_600_000,
    });
    expect(requests).toEqual([]);
  });

  test('counts the timeout from the job’s start if it is given, not from the step’s', async () => {
    const { run } = detect({
      ...github,
      HOSTED_RUNNER_JOB_STARTED_AT: '2026-11-02T09:30:00Z',
      HOSTED_RUNNER_JOB_TIMEOUT: '350m',
    });
    expect((await run).deadline).toBe(Date.parse('2026-11-02T15:20:00Z'));
  });

  test.each<[string, string | null | Error, string]>([
    ['does not return it', null, 'Its response has no created_at.'],
    ['returns no time', 'soon', 'Its response has no created_at.'],
    ['refuses', refused, 'GitHub GET /repos/acme/runners/actions/runs/777: Not Found'],
  ])('causes an error about the creation time if GitHub %s', async (_, creation, why) => {
    expect(await problemOf(github, creation)).toMatchObject({
      what: 'GitHub did not return the creation time of workflow run acme/runners/actions/runs/777; nothing was touched.',
      why: [why],
    });
  });
});

describe('a terminal', () => {
  test('starts a new deployment', async () => {
    expect(await detect({ CI: 'true' }).run).toEqual({
      ci: 'terminal',
      deploymentId: 'terminal-20261102T100000Z-abcd',
      pipelineCreatedAt: '2026-11-02T10:00:00.000Z',
      jobId: 'linux:boot:1:42:99',
      by: 'ada@laptop',
    });
  });

  test('resumes the given deployment, whose id contains its age', async () => {
    expect(
      await detect({ HOSTED_RUNNER_DEPLOYMENT: 'terminal-20261101T235959Z-k3x9' }).run,
    ).toMatchObject({
      deploymentId: 'terminal-20261101T235959Z-k3x9',
      pipelineCreatedAt: '2026-11-01T23:59:59.000Z',
    });
  });

  test('refuses an invalid id', async () => {
    expect((await problemOf({ HOSTED_RUNNER_DEPLOYMENT: '-x; rm' }))?.why).toEqual([
      'HOSTED_RUNNER_DEPLOYMENT is "-x; rm"; expected up to 100 letters, digits and _.-.',
    ]);
  });
});
