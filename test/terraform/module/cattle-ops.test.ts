import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../support/program.ts';
import { findTroubles, findUnpublished, published, readExample } from './cattle-ops.ts';

const given = readExample(
  readFileSync(join(root, 'examples/terraform/cattle-ops/main.tf'), 'utf8'),
);

describe('the example of cattle-ops/terraform-aws-gitlab-runner', () => {
  test('is held to the variables of the version that it names', () => {
    expect(given['version']).toBe(published.version);
    expect(findUnpublished(given)).toEqual([]);
  });

  test('builds a host that hosted-runner finds, that has a list of its jobs, and whose jobs end', () => {
    expect(findTroubles(given)).toEqual([]);
  });

  test('reads the token where hosted-runner writes it, and carries both tags', () => {
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

describe('the defaults of that module', () => {
  test('are no host of ours: each of them is a trouble of its own', () => {
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

  test('make no group of workers, or one that is refreshed under its jobs', () => {
    const { runner_worker_docker_autoscaler_asg: _group, ...rest } = given;
    const { runner_worker_docker_autoscaler_instance: _instance, ...bare } = rest;
    expect(findTroubles(bare)).toEqual([
      'workers have no subnet',
      'a rolling refresh ends workers under their jobs',
      'the root volume of Amazon Linux is not /dev/sda1',
    ]);
  });

  test('make no Name tag of the runner’s own name', () => {
    const named = { ...given, runner_instance: { name: 'pink-linux_runner-manager' } };
    expect(findTroubles(named)).toContain('the Name tag is pink-linux');
  });

  test.each([
    [{ runner_instance: { name: 'x', nam_prefix: 'y' } }, ['runner_instance has no nam_prefix']],
    [{ runner_instance: { ssm_access: 'true' } }, ['runner_instance needs name']],
    [{ runner_listen_address: 'x' }, ['runner_listen_address is no variable of the module']],
  ])('know no %j', (one, expected) => {
    expect(findUnpublished(one)).toEqual(expected);
  });
});
