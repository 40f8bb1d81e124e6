import { describe, expect, test } from '@jest/globals';
import { validateConfiguration } from '../../../src/cli/validate-command.ts';
import { example, refusal } from '../../config/loading.ts';
import { folderOf } from '../folder-in-memory.ts';

async function validate(
  files: Record<string, string>,
  overrides: string[] = [],
  environment: Record<string, string> = {},
) {
  let output = '';
  const exit = await validateConfiguration(
    { overrides, color: true },
    {
      folder: folderOf(files),
      environment,
      write: (text) => {
        output += text;
      },
    },
  );
  return { exit, text: output };
}

test('reports the effective configuration', async () => {
  expect(await validate({ 'hosted-runners.yml': example }, ['drain.poll_of_runner=10s'])).toEqual({
    exit: 0,
    text: `✔ hosted-runners.yml is valid: 2 stacks.
  linux: pink and purple for group 42 of https://gitlab.example.com · tags linux, docker · canary job · healthcheck 15m · drain 6h
  linux-large: pink and purple for group 42 of https://gitlab.example.com · tags linux-large · canary project · healthcheck 15m · drain no limit
  ⚠ linux: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.
  ⚠ linux-large: drain.poll_of_runner is shorter than a long poll (50s), so a runner that long-polls can take a job after it.
`,
  });
});

test('names init if there is no configuration', async () => {
  expect((await refusal(() => validate({})))?.code).toBe('ConfigurationMissing');
});

const terraform = `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: group, group_id: 42, tags: [linux] }
  infrastructure:
    driver: terraform
    directory: infrastructure
    workspace: '{runner_name}-{shard}'
    var_files: ['{runner_name}.tfvars']
stacks: { linux: {}, arm: { canary: { job_name: 'arm:hosted_runner_canary' } } }
`;
const variables = `variable "shard" {}
variable "runner_name" {}
variable "region" {}
variable "size" { default = 1 }
`;
const complete = {
  'hosted-runners.yml': terraform,
  'infrastructure/variables.tf': variables,
  'infrastructure/linux.tfvars': 'region = "eu-west-1"\n',
  'infrastructure/arm.tfvars': 'region = "eu-west-1"\n',
};

/** Returns the listed problems, or the warnings of valid files. */
async function findings(
  files: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<readonly string[]> {
  let printed: readonly string[] = [];
  const error = await refusal(async () => {
    const { text } = await validate({ ...complete, ...files }, [], environment);
    printed = text.match(/⚠.*/g) ?? [];
  });
  return error?.fields.why ?? printed;
}

const without = (name: keyof typeof complete): Record<string, string> =>
  Object.fromEntries(Object.entries(complete).filter(([file]) => file !== name));

test('warns about files that do not exist, once for both shards', async () => {
  const { exit, text } = await validate(without('infrastructure/arm.tfvars'));
  expect(exit).toBe(0);
  expect(text.match(/⚠.*/g)).toEqual([
    '⚠ arm: infrastructure/arm.tfvars does not exist (infrastructure.var_files). An earlier job has to create it.',
  ]);
  const noModule = await validate({ 'hosted-runners.yml': terraform });
  expect(noModule.text).toContain(
    '⚠ linux: infrastructure does not exist (infrastructure.directory). An earlier job has to create it.',
  );
});

test('lists the problems of all files in one run', async () => {
  expect(
    await findings({
      'hosted-runners.yml': terraform.replace('group_id: 42', 'group_id: FILL_IN'),
      'infrastructure/arm.tfvars': 'size = "FILL_IN"\n',
      'infrastructure/bootstrap/terraform.tfvars': 'bucket = "FILL_IN"\n',
      '.gitlab-ci.yml': `include:
  - component: $CI_SERVER_FQDN/FILL_IN/hosted-runner-deploy/deploy@0.1.0
    inputs: { runner_name: lnux, runner_tags: [operations] }
`,
    }),
  ).toEqual([
    'hosted-runners.yml:4:43: registration.group_id: replace FILL_IN by a value',
    'infrastructure/arm.tfvars:1:9: size: replace FILL_IN by a value',
    'infrastructure/arm.tfvars:1:1: region has no value; infrastructure/variables.tf:3 declares it without a default (set it here, or TF_VAR_region in the environment)',
    'infrastructure/bootstrap/terraform.tfvars:1:11: bucket: replace FILL_IN by a value',
    '.gitlab-ci.yml:2:32: replace FILL_IN by a value',
    '.gitlab-ci.yml:3:15: hosted-runners.yml has no stack "lnux"; did you mean "linux"?',
  ]);
});

test('validate lists each placeholder of a list with its line', async () => {
  const text = terraform.replace(
    "workspace: '{runner_name}-{shard}'",
    'backend_config:\n      - bucket=FILL_IN\n      - key={runner_name}/{shard}\n      - region=FILL_IN',
  );
  expect(await findings({ 'hosted-runners.yml': text })).toEqual([
    'hosted-runners.yml:9:9: infrastructure.backend_config: replace FILL_IN by a value',
    'hosted-runners.yml:11:9: infrastructure.backend_config: replace FILL_IN by a value',
  ]);
});

describe('variables of the root module', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['in a variable file', {}, {}],
    [
      'in terraform.tfvars',
      {
        ...without('infrastructure/arm.tfvars'),
        'infrastructure/arm.tfvars': '',
        'infrastructure/terraform.tfvars': 'region = 1',
      },
      {},
    ],
    [
      'in a file *.auto.tfvars.json',
      { 'infrastructure/arm.tfvars': '', 'infrastructure/a.auto.tfvars.json': '{"region": 1}' },
      {},
    ],
    ['in the environment', { 'infrastructure/arm.tfvars': '' }, { TF_VAR_region: 'eu-west-1' }],
    [
      'in infrastructure.variables',
      {
        'infrastructure/arm.tfvars': '',
        'hosted-runners.yml': terraform.replace(
          'directory:',
          "variables: ['shard={shard}', 'runner_name={runner_name}', region=eu-west-1]\n    directory:",
        ),
      },
      {},
    ],
  ])('validate accepts values %s', async (_name, files, environment) => {
    expect(await findings(files, environment)).toEqual([]);
  });

  test('validate names the key of the directory if a value and a variable file are missing', async () => {
    const text = terraform.replace("    var_files: ['{runner_name}.tfvars']\n", '');
    expect(await findings({ 'hosted-runners.yml': text })).toEqual([
      'hosted-runners.yml:7:16: region has no value; infrastructure/variables.tf:3 declares it without a default (set it in infrastructure.var_files, or TF_VAR_region in the environment)',
    ]);
  });

  test('validate lists variables that are set twice or that no file declares', async () => {
    const twice = { 'infrastructure/arm.tfvars': 'region = 1\nregion = 2\n' };
    expect(await findings(twice)).toEqual([
      'infrastructure/arm.tfvars:2:1: region: this variable is set twice',
    ]);
    const unknown = { 'infrastructure/arm.tfvars': 'region = 1\nsizes = 2\n' };
    expect(await findings(unknown)).toEqual([
      '⚠ infrastructure/arm.tfvars:2:1: sizes: the root module does not declare this variable, and Terraform ignores it; did you mean "size"?',
    ]);
    const undeclared = {
      'infrastructure/variables.tf': 'variable "shard" {}\nvariable "region" {}',
    };
    expect(await findings(undeclared)).toEqual([
      'hosted-runners.yml:10:11: infrastructure.variables: the root module in infrastructure does not declare runner_name',
      'hosted-runners.yml:10:22: infrastructure.variables: the root module in infrastructure does not declare runner_name',
    ]);
  });
});
