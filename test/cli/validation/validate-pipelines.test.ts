import { describe, expect, test } from '@jest/globals';
import { findings } from './validation-findings.ts';

const component = (name: string, inputs: string, more = '') => `include:
  - component: $CI_SERVER_FQDN/acme/hosted-runner-deploy/${name}@0.1.0
    inputs: ${inputs}
${more}`;

describe('a pipeline of GitLab', () => {
  const ci = (text: string) => findings({ '.gitlab-ci.yml': text });

  test.each<[string, string, readonly string[]]>([
    ['none of this project', 'build: { script: [FILL_IN] }\n', []],
    ['the smallest', component('deploy', '{ runner_name: linux, runner_tags: [operations] }'), []],
    [
      'a missing input',
      component('deploy', '{ runner_name: linux }'),
      ['.gitlab-ci.yml:2:5: the input runner_tags is missing'],
    ],
    [
      'no inputs',
      'include: { component: gitlab.example.com/a/hosted-runner-deploy/recover@1 }\n',
      [
        '.gitlab-ci.yml:1:12: the input runner_name is missing',
        '.gitlab-ci.yml:1:12: the input runner_tags is missing',
      ],
    ],
    [
      'an unknown input',
      component('deploy', '{ runner_name: linux, runner_tags: [operations], aprooval: true }'),
      ['.gitlab-ci.yml:3:62: unknown input "aprooval"; did you mean "approval"?'],
    ],
    [
      'values of another type',
      component('deploy', '{ runner_name: linux, runner_tags: operations, approval: "yes" }'),
      [
        '.gitlab-ci.yml:3:35: runner_tags: expected a list, found "operations"',
        '.gitlab-ci.yml:3:60: approval: expected a boolean, found "yes"',
      ],
    ],
    [
      'off without quotes, which GitLab reads as false',
      component('healthcheck', '{ runner_names: [linux], runner_tags: [a], canary_evidence: off }'),
      ['.gitlab-ci.yml:3:56: canary_evidence: expected a text, found false'],
    ],
    [
      'a value that the template refuses',
      component('deploy', '{ runner_name: linux, runner_tags: [a], aws_region: Ireland }'),
      ['.gitlab-ci.yml:3:53: aws_region: expected a region, such as eu-west-1, found "Ireland"'],
    ],
    [
      'an unknown component',
      component('deplyo', '{ runner_name: linux, runner_tags: [a] }'),
      ['.gitlab-ci.yml:2:5: unknown component "deplyo" (deploy, finalize, healthcheck, recover)'],
    ],
    [
      'a stage that the pipeline does not list',
      component(
        'deploy',
        '{ runner_name: linux, runner_tags: [a], stage: runners }',
        'stages: [build]\n',
      ),
      ['.gitlab-ci.yml:3:53: stage: "runners" is not in stages'],
    ],
    [
      'tags that the stack itself has',
      component('deploy', '{ runner_name: linux, runner_tags: [docker] }'),
      [
        '.gitlab-ci.yml:3:35: runner_tags: the runners of linux have this tag, so they could run the job that drains them',
      ],
    ],
    [
      'a canary job that the configuration does not use',
      component('deploy', '{ runner_name: arm, runner_tags: [a] }'),
      ['.gitlab-ci.yml:2:5: set canary: false, because canary.kind is off'],
    ],
    [
      'rules that replace the keywords of the jobs',
      component(
        'deploy',
        '{ runner_name: linux, runner_tags: [a], rules: [{ if: $A, when: always }] }',
      ),
      [
        '.gitlab-ci.yml:3:53: rules: rule 1 has "when: always", which would replace the "when" of each job; only "never" is allowed',
      ],
    ],
    [
      'the same job names twice',
      `${component('deploy', '{ runner_name: linux, runner_tags: [a] }')}  - component: x.example.com/acme/hosted-runner-deploy/deploy@0.1.0
    inputs: { runner_name: linux, runner_tags: [a] }
`,
      [
        '.gitlab-ci.yml:4:5: the component deploy is also included at .gitlab-ci.yml:2:5; give each inclusion its own job_prefix',
      ],
    ],
    [
      'a prefix without its canary, and a cancellation after failures',
      component(
        'deploy',
        '{ runner_name: linux, runner_tags: [a], job_prefix: "linux:" }',
        'workflow: { auto_cancel: { on_job_failure: all } }\n',
      ),
      [
        '⚠ .gitlab-ci.yml:3:53: the canary job is linux:hosted_runner_canary, but canary.job_name is hosted_runner_canary, so finalize and recover cannot find it.',
        '⚠ .gitlab-ci.yml:4:28: on_job_failure: all cancels the later jobs of a failed deployment; set none.',
      ],
    ],
    [
      'values that only the pipeline knows, aliases and merged keys',
      `.common: &common { runner_tags: [operations] }
include:
  - local: absent.yml
  - project: acme/hosted-runner-deploy
    ref: 0.1.0
    file: /templates/deploy/template.yml
    inputs:
      <<: *common
      runner_name: $[[ inputs.stack ]]
      aws_region: $[[ inputs.region ]]
job: { script: !reference [.other, script] }
`,
      [],
    ],
    [
      'another configuration',
      component('deploy', '{ runner_name: other, runner_tags: [a], config: other.yml }'),
      [],
    ],
    [
      'text that is not YAML',
      `${component('deploy', '{ runner_name: linux, runner_tags: [a] }')}]\n`,
      ['.gitlab-ci.yml:4:1: not valid YAML'],
    ],
  ])('validate checks %s', async (_name, text, expected) => {
    expect(await ci(text)).toEqual(expected);
  });

  test.each<[string, string, readonly unknown[]]>([
    [
      'deep lists',
      `# hosted-runner-deploy\n${'['.repeat(20_000)}`,
      [expect.stringMatching(/^\.gitlab-ci\.yml:2:\d+: not valid YAML$/)],
    ],
    ['a merge of itself', 'include: &a { <<: *a, component: *a }\n', []],
    [
      'an anchor that is absent',
      `${component('deploy', '{ runner_name: *none, runner_tags: [a] }')}`,
      [],
    ],
  ])('validate does not fail on %s', async (_name, text, expected) => {
    expect(await ci(text)).toEqual(expected);
  });

  test('validate names a file that cannot be read', async () => {
    const files = { '.gitlab-ci.yml': component('deploy', '{ runner_name: linux }') };
    expect(await findings(files, { 'ci/x.yml': 'EACCES', '.gitlab-ci.yml': 'EISDIR' })).toEqual([
      '.gitlab-ci.yml: the file cannot be read (EISDIR)',
    ]);
    const workflows = { '.github/workflows/x.yml': 'on: push\n' };
    expect(await findings(workflows, { '.github/workflows/x.yml': 'EACCES' })).toEqual([
      '.github/workflows/x.yml: the file cannot be read (EACCES)',
    ]);
  });

  test('validate also reads the local files that the pipeline includes', async () => {
    const files = {
      '.gitlab-ci.yml': 'include:\n  - local: /ci/runners.yml\n',
      'ci/runners.yml': component('deploy', '{ runner_name: lynux, runner_tags: [a] }'),
    };
    expect(await findings(files)).toEqual([
      'ci/runners.yml:3:15: hosted-runners.yml has no stack "lynux"; did you mean "linux"?',
    ]);
  });
});
