import { describe, expect, test } from '@jest/globals';
import { validateConfiguration } from '../../../src/cli/validate-command.ts';
import { refusal } from '../../config/loading.ts';
import { fill, init } from '../initialised.ts';

const introduction =
  'Enter accepts the value in brackets. Without a value in brackets, Enter leaves FILL_IN in the files.';
const remote = {
  '.git/config': '[remote "origin"]\n\turl = git@gitlab.example.com:acme/runners.git\n',
};

describe('init at a terminal', () => {
  test('prompts for each value that is unknown, and writes the answers', async () => {
    const answers = [
      'linux arm',
      '42',
      'acme/tools',
      'operations',
      'eu-west-1',
      'acme-states',
      'subnet-0abc1234',
    ];
    const { dialog, surroundings, text } = await init({ ...remote }, { terraform: true, answers });
    expect(dialog).toEqual([
      introduction,
      'Names of the stacks [linux]: linux arm',
      'Id of the GitLab group whose jobs run on the stacks: 42',
      'Group that publishes hosted-runner-deploy on your GitLab: acme/tools',
      "Tags of the runner that runs the deployment's jobs: operations",
      'AWS region, such as eu-west-1: eu-west-1',
      "Name of the bucket for Terraform's states, which bootstrap/ creates: acme-states",
      'Ids of the subnets of the runner managers: subnet-0abc1234',
    ]);
    const filledIn = text.split('\n').filter((line) => line.includes('FILL_IN'));
    expect(filledIn.map((line) => line.trim().split(/\s+/).slice(0, 2))).toEqual([
      ['infrastructure/linux.tfvars:7', 'vpc_id'],
      ['infrastructure/linux.tfvars:9', 'ami_id'],
      ['infrastructure/arm.tfvars:7', 'vpc_id'],
      ['infrastructure/arm.tfvars:9', 'ami_id'],
      ['.gitlab-ci.yml:19', 'aws_role_arn:'],
    ]);
    const { files } = surroundings.folder;
    for (const name of ['linux', 'arm'])
      files[`infrastructure/${name}.tfvars`] =
        files[`infrastructure/${name}.tfvars`]?.replaceAll('FILL_IN', 'x') ?? '';
    files['.gitlab-ci.yml'] = fill(files['.gitlab-ci.yml'] ?? '');
    const common = { overrides: [], color: true };
    expect(await refusal(() => validateConfiguration(common, surroundings))).toBeUndefined();
    expect(files['.gitlab-ci.yml']).toContain(
      'component: $CI_SERVER_FQDN/acme/tools/hosted-runner-deploy/deploy@',
    );
  });

  test('prompts for at most eight values, so the last one stays open', async () => {
    const answers = [
      '',
      '',
      'https://gitlab.example.com',
      '42',
      'acme',
      'ops',
      'eu-west-1',
      'acme-states',
    ];
    const { dialog, surroundings } = await init({}, { terraform: true, answers });
    expect(dialog.length).toBe(1 + 8);
    const { files } = surroundings.folder;
    expect(files['infrastructure/linux.tfvars']).toContain('subnet_ids = ["FILL_IN"]');
    expect(files['hosted-runners.yml']).toContain('tags: [linux] #');
  });

  test('leaves the placeholder if an answer without a default is empty', async () => {
    const { written, dialog } = await init({ ...remote }, { answers: ['', 'a, b', '', '', ''] });
    expect(dialog.length).toBe(1 + 5);
    expect(written).toContain('group_id: FILL_IN');
    expect(written).toContain('tags: [a, b]');
  });

  test('does not prompt for what the options, the variables and the CI file contain', async () => {
    const files = {
      ...remote,
      '.gitlab-ci.yml': `include:
  - component: $CI_SERVER_FQDN/acme/tools/hosted-runner-deploy/deploy@0.1.0
    inputs: { runner_name: other }
      runner_tags: [ops, "x y"]
      aws_role_arn: arn:aws:iam::111122223333:role/deploy
`,
    };
    const environment = { AWS_REGION: 'eu-west-1' };
    const options = { stacks: ['arm', 'arm'], terraform: true, environment };
    const { dialog, text } = await init(files, { ...options, answers: ['', '42', '', ''] });
    expect(dialog.slice(1).map((line) => line.split(/ \[|: /)[0])).toEqual([
      'Tags that customers use in their jobs',
      'Id of the GitLab group whose jobs run on the stacks',
      "Name of the bucket for Terraform's states, which bootstrap/ creates",
      'Ids of the subnets of the runner managers',
    ]);
    expect(text).toContain('runner_tags: &runner_tags [ops, "x y"] #');
    expect(text).toContain('aws_role_arn: &aws_role_arn arn:aws:iam::111122223333:role/deploy\n');
    expect(text).toContain('aws_region: &aws_region eu-west-1\n');
  });

  test.each<[number, string, string, string]>([
    [
      0,
      'Linux',
      'linux',
      '"Linux" cannot be the name of a stack. A name has 1 to 63 lower-case letters, digits and inner hyphens.',
    ],
    [0, 'a, b, a', 'linux', 'a is named twice.'],
    [
      1,
      'canary-1',
      'x',
      'Expected a tag of at most 255 characters, without spaces, commas and control characters, that does not begin with "canary-", found "canary-1".',
    ],
    [
      2,
      'gitlab.example.com',
      'https://gitlab.example.com',
      'Expected an https:// URL (http:// only for loopback), found "gitlab.example.com".',
    ],
    [
      2,
      'https://a.example/$x',
      'https://a.example',
      '"https://a.example/$x" is no address of GitLab.',
    ],
    [3, 'acme', '42', 'Expected a number from 1 to 2147483647, found "acme".'],
    [4, 'a b', 'acme', 'Expected a path such as acme/tools, found "a b".'],
    [
      5,
      'linux',
      'ops',
      'The runners of linux take jobs with these tags, and would drain themselves. Name the tags of another runner.',
    ],
    [6, 'Ireland', 'eu-west-1', 'Expected a region, such as eu-west-1, found "Ireland".'],
    [
      7,
      'Acme',
      'acme',
      'Expected 3 to 63 lower-case letters, digits, dots and hyphens, found "Acme".',
    ],
  ])('repeats question %i after the invalid answer %s', async (index, wrong, right, reason) => {
    const usual = [
      'linux',
      'linux',
      'https://gitlab.example.com',
      '42',
      'acme',
      'ops',
      'eu-west-1',
      'acme-states',
    ];
    const answers = [...usual.slice(0, index), wrong, right, ...usual.slice(index + 1)];
    const { dialog } = await init({}, { terraform: true, answers });
    expect(dialog[index + 2]).toBe(`✖ ${reason}`);
    expect(dialog[index + 3]?.slice(0, -right.length)).toBe(
      dialog[index + 1]?.slice(0, -wrong.length),
    );
  });

  test('refuses an id that is no subnet', async () => {
    const answers = [
      '',
      '',
      '42',
      'acme',
      'ops',
      'eu-west-1',
      'acme-states',
      'vpc-1',
      'subnet-0abc1234',
    ];
    const { dialog } = await init({ ...remote }, { terraform: true, answers });
    expect(dialog.at(-2)).toBe(
      '✖ "vpc-1" is no subnet: an id is subnet- and 8 to 17 hexadecimal digits.',
    );
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'writes no file if the input ends after %i answers',
    async (count) => {
      const usual = [
        'linux',
        'linux',
        'https://gitlab.example.com',
        '42',
        'acme',
        'ops',
        'eu-west-1',
      ];
      const files = {};
      await expect(
        init(files, { terraform: true, answers: usual.slice(0, count) }),
      ).rejects.toThrow('the input ends');
      expect(files).toEqual({});
    },
  );

  test('prompts for nothing if the command is refused', async () => {
    const error = await refusal(() => init({ 'hosted-runners.yml': 'mine' }, { answers: [] }));
    expect(error?.code).toBe('FileExists');
  });
});
