import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { read } from '../../structure/tree.ts';
import { root } from '../../support/program.ts';
import { configuration, findings } from './validation-findings.ts';

describe('a workflow of GitHub', () => {
  const workflow = (text: string) => findings({ '.github/workflows/runners.yml': text });
  const call = (uses: string, rest: string) => `on: workflow_dispatch
jobs:
  linux:
    uses: ${uses}
    ${rest}
`;
  const address = 'acme/hosted-runner-deploy/.github/workflows/hosted-runner-deploy.yml@0.1.0';

  test.each<[string, string, readonly string[]]>([
    [
      'of another project',
      call('acme/other/.github/workflows/x.yml@1', 'with: { a: FILL_IN }'),
      [],
    ],
    ['with its inputs', call(address, 'with: { runner_name: linux, aws_region: eu-west-1 }'), []],
    [
      'with placeholders',
      call(address.replace('acme', 'OWNER'), 'with: { runner_name: linux, aws_region: FILL_IN }'),
      [
        '.github/workflows/runners.yml:5:45: replace FILL_IN by a value',
        '.github/workflows/runners.yml:4:5: replace OWNER by the owner of hosted-runner-deploy',
      ],
    ],
    [
      'with wrong inputs and secrets',
      call(
        address,
        'with: { runner_name: windows, aws-region: x, bake: "no" }\n    secrets: { gitlab_tokn: x }',
      ),
      [
        '.github/workflows/runners.yml:5:35: unknown input "aws-region"; did you mean "aws_region"?',
        '.github/workflows/runners.yml:5:50: bake: expected a boolean, found "no"',
        '.github/workflows/runners.yml:4:5: the input aws_region is missing',
        '.github/workflows/runners.yml:6:16: unknown secret "gitlab_tokn"; did you mean "gitlab_token"?',
        '.github/workflows/runners.yml:5:13: hosted-runners.yml has no stack "windows"',
      ],
    ],
    [
      'with the action in a step',
      `jobs: { a: { steps: [{ uses: acme/hosted-runner-deploy@v1, with: { stage: deploy, runer_name: linux } }] } }\n`,
      [
        '.github/workflows/runners.yml:1:83: unknown input "runer_name"; did you mean "runner_name"?',
      ],
    ],
  ])('validate checks one %s', async (_name, text, expected) => {
    expect(await workflow(text)).toEqual(expected);
  });
});

describe('the examples', () => {
  const named = configuration.replace(
    'arm: { canary: { kind: "off" } }',
    'arm: {}\n  linux-large: {}',
  );

  test.each(readdirSync(join(root, 'examples/gitlab')))(
    'examples/gitlab/%s has no problem',
    async (file) => {
      const text = read(`examples/gitlab/${file}`);
      const found = await findings({ 'hosted-runners.yml': named, '.gitlab-ci.yml': text });
      expect(found.filter((line) => !line.includes('canary.job_name'))).toEqual([]);
    },
  );

  test.each(readdirSync(join(root, 'examples/github')))(
    'examples/github/%s has no problem',
    async (file) => {
      const text = read(`examples/github/${file}`).replaceAll('OWNER', 'acme');
      const found = await findings({
        'hosted-runners.yml': named,
        [`.github/workflows/${file}`]: text,
      });
      expect(found).toEqual([]);
    },
  );
});
