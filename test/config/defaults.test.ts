import { describe, expect, test } from '@jest/globals';
import { loadConfiguration } from '../../src/config/load.ts';
import { filesOf, load, loadStack, minimal, refusal, withKeys } from './loading.ts';

describe('the smallest file', () => {
  test('sets the combined defaults of several keys', async () => {
    expect(await loadStack({ text: minimal })).toMatchObject({
      runnerName: 'linux',
      gitlabUrl: 'https://gitlab.example.com',
      callLimits: [],
      ciServers: { gitlab: 'https://gitlab.example.com', github: 'https://github.com' },
      shards: ['pink', 'purple'],
      parameterPrefix: '/gitlab/dedicated/runner/linux/',
      aws: { stageRoles: {}, stackTag: 'hosted-runner:stack', shardTag: 'hosted-runner:shard' },
      healthcheck: {
        evidence: {
          instance: 'required',
          manager: 'required',
          host: 'required',
          workload: 'off',
          capacity: 'off',
          reachability: 'off',
          canary: 'required',
          observe: 'off',
        },
        timeoutsMs: {},
      },
      drain: { pollOfRunnerMs: 55_000 },
      bake: {
        jobs: 20,
        pollMs: 60_000,
        signals: { health: 'required', canary: 'required', failures: 'report' },
        onUnhealthy: 'off',
      },
    });
  });

  test('adds no value to the parts whose digest is compared', async () => {
    const { registration, host, canary, infrastructure } = await loadStack({ text: minimal });
    expect({ registration, host, canary, infrastructure }).toEqual({
      registration: {
        scope: { kind: 'instance' },
        tags: ['linux'],
        runUntagged: false,
        locked: false,
        accessLevel: 'not_protected',
      },
      host: {
        access: 'run_command',
        process: { kind: 'docker', container: 'gitlab-runner' },
        listenPort: 9252,
      },
      canary: { kind: 'job', jobName: 'hosted_runner_canary' },
      infrastructure: {
        driver: 'command',
        apply: ['./up', '{shard}'],
        destroy: ['./down', '{shard}'],
        passEnvironment: [],
        timeoutMs: 3_600_000,
      },
    });
  });
});

const terraform = minimal.replace(
  /apply: .*\n.*destroy: .*\n/,
  'directory: infra\n    backend_config: ["key={runner_name}/{shard}.tfstate"]\n',
);

test('a directory is the only key that Terraform needs', async () => {
  expect((await loadStack({ text: terraform })).infrastructure).toEqual({
    driver: 'terraform',
    binary: 'terraform',
    directory: 'infra',
    backendConfig: ['key={runner_name}/{shard}.tfstate'],
    varFiles: [],
    variables: ['shard={shard}', 'runner_name={runner_name}'],
    lockTimeoutMs: 300_000,
    ownNames: [],
    stackTag: 'hosted-runner:stack',
    shardTag: 'hosted-runner:shard',
    passEnvironment: [],
    timeoutMs: 3_600_000,
  });
});

test('a stack may use commands while the other stacks use Terraform', async () => {
  const keys = ['infrastructure:', '  driver: command', '  apply: [up, "{shard}"]'];
  const text = `${terraform}${[...keys, '  destroy: [down, "{shard}"]'].map((line) => `    ${line}\n`).join('')}`;
  expect((await loadStack({ text })).infrastructure).toMatchObject({ driver: 'command' });
});

describe('evidence that is unavailable', () => {
  test('stays optional on a host without access', async () => {
    const { healthcheck } = await loadStack({ text: withKeys('host: {access: none}') });
    expect(healthcheck.evidence).toMatchObject({ instance: 'optional', host: 'optional' });
  });

  test('stays off if the canary is off', async () => {
    const { healthcheck } = await loadStack({ text: withKeys('canary: {kind: off}') });
    expect(healthcheck.evidence.canary).toBe('off');
  });
});

test('a permitted but dangerous value causes a warning', async () => {
  const text = withKeys('canary: {kind: off}', 'drain: {force_after: 2h, poll_of_runner: 10s}');
  expect((await load({ text })).warnings).toEqual([
    'linux: drain.force_after is set: jobs still running after 2h are killed.',
    'linux: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.',
    'linux: healthcheck.evidence.canary is off: a candidate can become active without having run a job.',
  ]);
  expect((await load()).warnings).toEqual([]);
});

test.each([
  ['40s', '1h', '40s, but an idle runner polls every 50s'],
  ['5s', '10s', '5s, but an idle runner polls every 10s'],
])(
  'evidence that is too old after %s with a poll of %s causes a warning',
  async (age, poll, expected) => {
    const keys = [`healthcheck: {evidence_max_age: ${age}}`, `drain: {poll_of_runner: ${poll}}`];
    expect((await load({ text: withKeys(...keys) })).warnings).toContain(
      `linux: healthcheck.evidence_max_age is ${expected}: only a job or a canary is recent enough to verify its shard.`,
    );
  },
);

test('the short poll of a loopback sandbox causes no warning', async () => {
  const keys = ['drain: {poll_of_runner: 5s}', 'healthcheck: {evidence_max_age: 1s}'];
  const text = withKeys(...keys).replace('https://gitlab.example.com', 'http://127.0.0.1:4000');
  expect(text).toContain('127.0.0.1');
  expect((await load({ text })).warnings).toEqual([]);
});

describe('the configuration file', () => {
  const request = { environment: {}, overrides: [] };

  test('causes an error that names init if it is absent', async () => {
    const error = await refusal(() =>
      loadConfiguration({ ...request, files: filesOf(async () => undefined), path: 'infra/x.yml' }),
    );
    expect(error?.fields).toEqual({
      code: 'ConfigurationMissing',
      exitCode: 2,
      what: 'There is no configuration file infra/x.yml.',
      now: 'Nothing was touched.',
      fix: [
        'Write a configuration for this repository: hosted-runner init',
        'Or name an existing file: --config FILE, or HOSTED_RUNNER_CONFIG',
      ],
    });
  });

  test('causes an error if it cannot be read', async () => {
    const error = await refusal(() =>
      loadConfiguration({
        ...request,
        files: filesOf(() => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))),
      }),
    );
    expect(error?.fields.why).toEqual(['hosted-runners.yml: the file cannot be read (EACCES)']);
  });

  test.each([
    ['--config', { path: 'a.yml', environment: { HOSTED_RUNNER_CONFIG: 'b.yml' } }, 'a.yml'],
    ['HOSTED_RUNNER_CONFIG', { environment: { HOSTED_RUNNER_CONFIG: 'b.yml' } }, 'b.yml'],
    ['its usual name', { environment: { HOSTED_RUNNER_CONFIG: '' } }, 'hosted-runners.yml'],
  ])('comes from %s', async (_name, given, path) => {
    const configuration = await loadConfiguration({
      files: filesOf(async (requested) => (requested === path ? minimal : undefined)),
      ...given,
    });
    expect(configuration.path).toBe(path);
  });
});
