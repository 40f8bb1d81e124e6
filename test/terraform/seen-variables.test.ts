import { expect, test } from '@jest/globals';
import { commandEnvironment } from '../../src/adapters/command/command-environment.ts';
import { terraformEnvironment } from '../../src/adapters/terraform/terraform-environment.ts';
import type { StackShard } from '../../src/domain/shard.ts';

/** Environment of a CI job with more variables than Terraform needs. */
const job = {
  PATH: '/usr/bin',
  HTTPS_PROXY: 'http://proxy:3128',
  AWS_REGION: 'eu-west-1',
  TF_VAR_region: 'eu-west-1',
  TF_TOKEN_app_terraform_io: 'of the registry',
  TF_HTTP_PASSWORD: 'of the state',
  TF_CLI_ARGS: '-target=module.purple',
  TF_CLI_ARGS_apply: '-auto-approve',
  TF_WORKSPACE: 'purple',
  TF_DATA_DIR: '/elsewhere',
  TF_LOG: 'TRACE',
  TF_REATTACH_PROVIDERS: '{}',
  HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-1',
  GITLAB_TOKEN: 'glpat-2',
  CI_JOB_TOKEN: 'glcbt-3',
  NODE_OPTIONS: '--require /tmp/theirs.js',
  LD_PRELOAD: '/tmp/theirs.so',
  VAULT_TOKEN: 'hvs.4',
};

test('Terraform receives the variables that it needs, and none that changes its commands', () => {
  const seen = terraformEnvironment({
    environment: job,
    passEnvironment: ['VAULT_TOKEN'],
    dataDirectory: '/of/pink',
  });
  expect(seen).toEqual({
    PATH: '/usr/bin',
    HTTPS_PROXY: 'http://proxy:3128',
    AWS_REGION: 'eu-west-1',
    TF_VAR_region: 'eu-west-1',
    TF_TOKEN_app_terraform_io: 'of the registry',
    TF_HTTP_PASSWORD: 'of the state',
    VAULT_TOKEN: 'hvs.4',
    TF_DATA_DIR: '/of/pink',
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
  });
});

test('a custom command receives its tools’ variables, the shard, and no token', () => {
  const shard = { runnerName: 'linux', shard: 'pink' } as StackShard;
  const { GITLAB_TOKEN, CI_JOB_TOKEN, HOSTED_RUNNER_GITLAB_TOKEN, ...rest } = job;
  const { NODE_OPTIONS, LD_PRELOAD, VAULT_TOKEN, ...left } = rest;
  expect(commandEnvironment({ environment: job, passEnvironment: ['VAULT_TOKEN'], shard })).toEqual(
    { ...left, VAULT_TOKEN, HOSTED_RUNNER_SHARD: 'pink', HOSTED_RUNNER_NAME: 'linux' },
  );
});
