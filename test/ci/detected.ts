import { expect } from '@jest/globals';
import { detectRun } from '../../src/adapters/ci/detect-run.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

export const gitlab = {
  GITLAB_CI: 'true',
  CI_PROJECT_ID: '101',
  CI_PIPELINE_ID: '5001',
  CI_PIPELINE_IID: '17',
  CI_PIPELINE_CREATED_AT: '2026-11-02T09:00:00+01:00',
  CI_PIPELINE_URL: 'https://gitlab.example.com/acme/runners/-/pipelines/5001',
  CI_JOB_ID: '90001',
  CI_JOB_STARTED_AT: '2026-11-02T08:01:00Z',
  CI_JOB_TIMEOUT: '3600',
  CI_RUNNER_ID: '48213',
  GITLAB_USER_LOGIN: 'deployer',
};

export const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/runners',
  GITHUB_RUN_ID: '777',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'hosted_runner_provision',
  GITHUB_ACTOR: 'dependabot[bot]',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_TOKEN: 'ghs_made_up',
  RUNNER_NAME: 'runner 1',
};

export const refused = new PortFailure({
  kind: 'refused',
  effect: 'none',
  source: 'GitHub GET /repos/acme/runners/actions/runs/777',
  detail: 'Not Found',
});

export type Environment = Record<string, string | undefined>;

export function detect(
  environment: Environment,
  creation: string | null | Error = '2026-11-02T08:59:00Z',
) {
  const requests: unknown[] = [];
  const run = detectRun({
    environment,
    clock: createVirtualClock(Date.parse('2026-11-02T10:00:00.250Z')),
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    processes: {
      self: 'linux:boot:1:42:99',
      host: 'laptop',
      identify: () => undefined,
      isAlive: () => 'unknown',
      find: () => undefined,
    },
    operator: 'ada@laptop',
    readCreation: async (reference) => {
      requests.push(reference);
      if (creation instanceof Error) throw creation;
      return creation;
    },
  });
  return { run, requests };
}

export async function problemOf(environment: Environment, creation?: string | null | Error) {
  const error = await detect(environment, creation).run.then(
    () => undefined,
    (reason: DeployError) => reason,
  );
  expect(error).toMatchObject({ code: 'RunUnknown', exitCode: 2 });
  return error?.fields;
}
