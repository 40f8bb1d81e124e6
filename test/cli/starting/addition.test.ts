import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { validateConfiguration } from '../../../src/cli/validate-command.ts';
import { refusal } from '../../config/loading.ts';
import { renderPipeline } from '../../templates/configuration.ts';
import { problemsOf } from '../../templates/gitlab-schema.ts';
import { fill, init } from '../initialised.ts';

const common = { overrides: [], color: true };
const path = 'hosted-runners.yml';

async function started(options: Parameters<typeof init>[1] = {}) {
  const { surroundings } = await init({}, { stacks: ['linux'], ...options });
  return surroundings.folder.files;
}

describe('init --stack with an existing configuration', () => {
  test.each([
    ['gitlab', false],
    ['gitlab', true],
    ['github', true],
  ] as const)('adds stacks that validate, for %s, with Terraform: %s', async (ci, terraform) => {
    const files = await started({ ci, terraform });
    const before = { ...files };
    const { surroundings } = await init(files, { ci, stacks: ['arm', 'windows'] });
    const added = Object.keys(files).filter((file) => !(file in before));
    expect(added).toEqual(
      terraform ? ['infrastructure/arm.tfvars', 'infrastructure/windows.tfvars'] : [],
    );
    const same = Object.keys(before).filter((file) => files[file] === before[file]);
    expect(same).toEqual(Object.keys(before).filter((file) => file !== path));
    for (const [file, text] of Object.entries(files)) files[file] = fill(text);
    expect(await refusal(() => validateConfiguration(common, surroundings))).toBeUndefined();
    const { stacks } = parse(files[path] ?? '');
    expect(Object.keys(stacks)).toEqual(['linux', 'arm', 'windows']);
    expect(stacks.arm.canary?.job_name).toBe(
      ci === 'gitlab' ? 'arm:hosted_runner_canary' : undefined,
    );
  });

  test('prints the part of the CI file, and what to add elsewhere', async () => {
    const files = await started({ terraform: true });
    const { text } = await init(files, { stacks: ['arm'] });
    expect(text).toContain(
      '✔ Added arm to hosted-runners.yml.\n✔ Wrote infrastructure/arm.tfvars.\n',
    );
    expect(text).toContain(
      'Add "arm" to stacks in infrastructure/bootstrap/terraform.tfvars.\nThen an administrator of AWS runs:\n  terraform -chdir=infrastructure/bootstrap apply\n',
    );
    expect(text).toContain(
      'In .gitlab-ci.yml, add arm to runner_names of finalize, and this to include:\n',
    );
    const [, part = ''] = /and this to include:\n\n([\s\S]*)$/.exec(text) ?? [];
    // The part follows the existing includes, without a second file.
    const { include, ...own } = parse(files['.gitlab-ci.yml'] ?? '');
    const extended = { ...own, include: [...include, ...parse(part)] };
    expect(problemsOf(extended)).toEqual([]);
    const jobs = renderPipeline(extended);
    expect(problemsOf(jobs)).toEqual([]);
    expect(Object.keys(jobs)).toEqual(
      expect.arrayContaining(['hosted_runner_prepare', 'arm:hosted_runner_canary']),
    );
  });

  test('prompts only for values of the new stack, with those of the CI file', async () => {
    const answers = [
      '',
      'https://gitlab.example.com',
      '7',
      'acme',
      'ops',
      'eu-west-1',
      'acme-states',
      '',
    ];
    const files = await started({ terraform: true, stacks: ['linux'], answers });
    const { dialog, text } = await init(files, {
      stacks: ['arm'],
      answers: ['arm, large', 'subnet-0abc1234'],
    });
    expect(dialog.slice(1)).toEqual([
      'Tags that customers use in their jobs [arm]: arm, large',
      'Ids of the subnets of the runner managers: subnet-0abc1234',
    ]);
    expect(files['infrastructure/arm.tfvars']).toContain('subnet_ids = ["subnet-0abc1234"]\n');
    expect(files['infrastructure/arm.tfvars']).toContain(
      'gitlab_url = "https://gitlab.example.com"\n',
    );
    expect(text).toContain('component: $CI_SERVER_FQDN/acme/hosted-runner-deploy/deploy@');
    expect(text).toContain('runner_tags: [ops] #');
    expect(text).toContain('aws_region: eu-west-1\n');
  });

  test('writes a pipeline without a canary job if the canary runs elsewhere', async () => {
    const text = 'version: 1\ndefaults:\n  canary: { kind: off }\nstacks:\n  linux: {}\n';
    const files = { [path]: text };
    const { text: printed } = await init(files, { stacks: ['arm'] });
    expect(files[path]).not.toContain('job_name');
    expect(printed).toContain('\n      canary: false\n');
    const part = printed.slice(printed.indexOf('  - component'));
    expect(Object.keys(renderPipeline({ include: parse(part) }))).toContain(
      'arm:hosted_runner_prepare',
    );
  });

  test('never overwrites a variables file', async () => {
    const files = { ...(await started({ terraform: true })), 'infrastructure/arm.tfvars': 'mine' };
    const { text } = await init(files, { stacks: ['arm'], json: true });
    expect(files['infrastructure/arm.tfvars']).toBe('mine');
    expect(JSON.parse(text)).toMatchObject({ files: [path], stacks: ['arm'] });
  });

  test.each<[string, string, string[], object]>([
    [
      'a stack that exists',
      'version: 1\nstacks:\n  linux: {}\n',
      ['arm', 'linux'],
      {
        code: 'BadUsage',
        what: 'Nothing was added to hosted-runners.yml: it already contains the stack linux.',
      },
    ],
    [
      'a flow mapping',
      'version: 1\nstacks: { linux: {} }\n',
      ['arm'],
      {
        code: 'BadUsage',
        what: 'Nothing was added to hosted-runners.yml: its key stacks is written in braces, not as one stack below the other.',
        fix: ['Change the file or name another stack, then run it again: hosted-runner init'],
      },
    ],
    [
      'invalid YAML',
      'version: 1\nstacks:\n\tlinux: {}\n',
      ['arm'],
      {
        code: 'InvalidConfiguration',
        why: ['hosted-runners.yml:3:1: a tab indents this line; YAML allows spaces only'],
      },
    ],
    [
      'a key that is given twice',
      'version: 1\nstacks:\n  linux: {}\n  linux: {}\n',
      ['arm'],
      { code: 'InvalidConfiguration', why: ['hosted-runners.yml:4:3: this key is given twice'] },
    ],
    ['another file', 'mine', ['arm'], { code: 'InvalidConfiguration' }],
  ])('refuses %s and writes nothing', async (_, text, stacks, fields) => {
    const files = { ...(await started({ terraform: true })), [path]: text };
    const before = { ...files };
    const error = await refusal(() => init(files, { stacks, answers: [] }));
    expect(error?.fields).toMatchObject({ exitCode: 2, now: 'Nothing was touched.', ...fields });
    expect(files).toEqual(before);
  });

  test('refuses --terraform beside a configuration whose root module is not a copy', async () => {
    const files = {
      [path]: 'version: 1\nstacks:\n  linux: {}\n',
      'infrastructure/main.tf': 'mine',
    };
    const before = { ...files };
    const error = await refusal(() => init(files, { stacks: ['arm'], terraform: true }));
    expect(error?.code).toBe('FileExists');
    expect(files).toEqual(before);
  });

  test('overwrites the configuration with --force, as without an option', async () => {
    const files = await started();
    await init(files, { stacks: ['arm'], force: true });
    expect(Object.keys(parse(files[path] ?? '').stacks)).toEqual(['arm']);
  });
});
