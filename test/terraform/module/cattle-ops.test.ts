import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../support/program.ts';
import { findTroubles, findUnpublished, published, readExample } from './cattle-ops.ts';

const given = readExample(
  readFileSync(join(root, 'examples/terraform/cattle-ops/main.tf'), 'utf8'),
);

describe('the example of cattle-ops/terraform-aws-gitlab-runner', () => {
  test('uses only variables of the version that it names', () => {
    expect(given['version']).toBe(published.version);
    expect(findUnpublished(given)).toEqual([]);
  });

  test('builds a host that hosted-runner finds, with a job list and jobs that end', () => {
    expect(findTroubles(given)).toEqual([]);
  });

  test('reads the token from the parameter that hosted-runner writes, and carries both tags', () => {
    expect(given).toMatchObject({
      environment: 'pink-linux',
      runner_gitlab: {
        preregistered_runner_token_ssm_parameter_name:
          '/gitlab/dedicated/runner/linux/pink/runner_token',
      },
      tags: { 'hosted-runner:stack': 'var.runner_name', 'hosted-runner:shard': 'var.shard' },
    });
  });
});

describe('the defaults of the cattle-ops module', () => {
  test('cause a finding each, because they do not fit hosted-runner', () => {
    const bare = { environment: 'pink-linux', runner_instance: { name: 'x' }, runner_gitlab: {} };
    expect(findTroubles(bare)).toEqual([
      'the Name tag is pink-linux',
      'no SSM agent may register',
      'the listener is ""',
      'the runner is 16.0.3',
      'a terminated host has 300 s for its jobs',
      "a job's container reaches the host's role: 2 hops",
      'workers are of docker+machine',
    ]);
  });

  test('create no worker group, or one that is refreshed while its jobs run', () => {
    const { runner_worker_docker_autoscaler_asg: _group, ...rest } = given;
    const { runner_worker_docker_autoscaler_instance: _instance, ...bare } = rest;
    expect(findTroubles(bare)).toEqual([
      'workers have no subnet',
      'a rolling refresh ends workers under their jobs',
      'the root volume of Amazon Linux is not /dev/sda1',
    ]);
  });

  test('create no Name tag with the name of the runner manager', () => {
    const named = { ...given, runner_instance: { name: 'pink-linux_runner-manager' } };
    expect(findTroubles(named)).toContain('the Name tag is pink-linux');
  });

  test.each([
    [{ runner_instance: { name: 'x', nam_prefix: 'y' } }, ['runner_instance has no nam_prefix']],
    [{ runner_instance: { ssm_access: 'true' } }, ['runner_instance needs name']],
    [{ runner_listen_address: 'x' }, ['runner_listen_address is no variable of the module']],
  ])('lack %j', (one, expected) => {
    expect(findUnpublished(one)).toEqual(expected);
  });
});
