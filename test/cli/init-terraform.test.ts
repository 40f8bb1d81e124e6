import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openFolder } from '../../src/cli/starting/folder.ts';
import { initialise } from '../../src/cli/starting/init.ts';
import { validateConfiguration } from '../../src/cli/validate-command.ts';
import { refusal } from '../config/loading.ts';
import { commandsIn } from '../errors/commands-in.ts';
import { root } from '../support/program.ts';
import { fill, init } from './initialised.ts';

describe('init --terraform', () => {
  const next = (text: string) =>
    text.split('\n').filter((line) => /^ {2}(terraform|hosted-runner) /.test(line));

  test('writes a root module, and names missing values and the commands that check it', async () => {
    const { text, surroundings } = await init({}, { terraform: true });
    const { files } = surroundings.folder;
    expect(files['infrastructure/main.tf']).toContain('source = "./modules/shard"');
    expect(files['infrastructure/modules/shard/main.tf']).toBe(
      readFileSync(join(root, 'terraform/main.tf'), 'utf8'),
    );
    expect(text).toContain('✔ Wrote infrastructure/, a root module for one shard.\n');
    expect(text).toContain('  infrastructure/linux.tfvars:7  vpc_id     = "FILL_IN"');
    expect(text).toContain('- bucket=FILL_IN\n');
    expect(next(text)).toEqual([
      '  hosted-runner validate',
      '  terraform -chdir=infrastructure init -backend=false',
      '  terraform -chdir=infrastructure validate',
      '  terraform -chdir=infrastructure/bootstrap init',
      '  terraform -chdir=infrastructure/bootstrap apply',
      '  hosted-runner setup gitlab --store-token',
    ]);
  });

  const remote = (url: string) => ({ '.git/config': `[remote "origin"]\n\turl = ${url}\n` });
  const values = async (ci: 'gitlab' | 'github', environment: Record<string, string>) => {
    const files = remote(`https://${ci}.com/acme/runners.git`);
    const { text, surroundings } = await init(files, { terraform: true, ci, environment });
    const place = 'infrastructure/bootstrap/terraform.tfvars';
    return { text, values: surroundings.folder.files[place] };
  };

  test('writes the bootstrap root module with the values that it detected', async () => {
    const { text, values: written } = await values('gitlab', { AWS_REGION: 'eu-west-1' });
    expect(written).toContain('region   = "eu-west-1"\n');
    expect(written).toContain('oidc_url = "https://gitlab.com"\n');
    expect(written).toContain('["project_path:acme/runners:ref_type:branch:ref:main"]');
    expect(text).toContain('  infrastructure/bootstrap/terraform.tfvars:4  bucket   = "FILL_IN"');
  });

  test.each([
    [{}, '["repo:acme/runners:ref:refs/heads/main"]'],
    [
      { GITHUB_REPOSITORY_OWNER_ID: '1', GITHUB_REPOSITORY_ID: '2' },
      '["repo:acme/runners:ref:refs/heads/main", "repo:acme@1/runners@2:ref:refs/heads/main"]',
    ],
  ])('the bootstrap root module trusts the known subjects of GitHub: %j', async (ids, subjects) => {
    const { values: written } = await values('github', { AWS_REGION: 'nowhere', ...ids });
    expect(written).toContain(`oidc_subjects = ${subjects}\n`);
    expect(written).toContain('oidc_url = "https://token.actions.githubusercontent.com"\n');
    expect(written).toContain('region   = "FILL_IN"\n');
  });

  describe('validate with the files that init wrote', () => {
    async function validate(values: (written: string) => string) {
      const { written, surroundings } = await init({}, { terraform: true });
      const { files } = surroundings.folder;
      files['hosted-runners.yml'] = fill(written).replaceAll('=FILL_IN', '=eu-west-1');
      files['.gitlab-ci.yml'] = fill(files['.gitlab-ci.yml'] ?? '');
      const bootstrap = 'infrastructure/bootstrap/terraform.tfvars';
      for (const file of ['infrastructure/linux.tfvars', bootstrap])
        files[file] = values(files[file] ?? '');
      return validateConfiguration({ overrides: [], color: true }, surroundings);
    }

    test('refuses placeholders left in the variables file, line by line', async () => {
      const error = await refusal(() => validate((written) => written));
      expect(error).toMatchObject({ code: 'InvalidConfiguration', exitCode: 2 });
      expect(error?.fields.why).toEqual([
        'infrastructure/linux.tfvars:5:15: region: replace FILL_IN by a value',
        'infrastructure/linux.tfvars:6:15: gitlab_url: replace FILL_IN by a value',
        'infrastructure/linux.tfvars:7:15: vpc_id: replace FILL_IN by a value',
        'infrastructure/linux.tfvars:8:16: subnet_ids: replace FILL_IN by a value',
        'infrastructure/linux.tfvars:9:15: ami_id: replace FILL_IN by a value',
        'infrastructure/bootstrap/terraform.tfvars:2:13: region: replace FILL_IN by a value',
        'infrastructure/bootstrap/terraform.tfvars:4:13: bucket: replace FILL_IN by a value',
        'infrastructure/bootstrap/terraform.tfvars:5:13: oidc_url: replace FILL_IN by a value',
        'infrastructure/bootstrap/terraform.tfvars:8:32: oidc_subjects: replace FILL_IN by a value',
      ]);
      expect(error?.fields.now).toBe('Nothing was touched.');
    });

    test('accepts a filled-in file, whatever its comments contain', async () => {
      const comment = '# FILL_IN\n  // "FILL_IN"\nowner = "a#b" # was FILL_IN\n';
      const filled = (written: string) => `${written.replaceAll('FILL_IN', 'eu-west-1')}${comment}`;
      expect(await validate(filled)).toBe(0);
    });
  });

  const beside =
    'Keep the file, and write the module with a separate sample configuration: hosted-runner init --terraform --config hosted-runners.new.yml';
  const check = 'Check the existing file: hosted-runner validate';

  test.each<[Record<string, string>, string, readonly string[]]>([
    [
      { 'infrastructure/mine.tf': 'mine' },
      'infrastructure/ already exists',
      [
        'Keep the directory, and write only a configuration: hosted-runner init',
        'Overwrite the directory: hosted-runner init --terraform --force',
      ],
    ],
    [{ 'hosted-runners.yml': 'mine' }, 'hosted-runners.yml already exists', [beside, check]],
    [
      { 'hosted-runners.yml': 'mine', 'infrastructure/mine.tf': 'mine' },
      'infrastructure/ already exists',
      ['Keep the directory, and check the configuration: hosted-runner validate'],
    ],
  ])('init --terraform overwrites no existing file: %j', async (files, what, fix) => {
    const before = { ...files };
    const error = await refusal(() => init(files, { terraform: true }));
    expect(error?.message).toContain(what);
    expect(error?.fields.fix).toEqual(fix);
    expect(files).toEqual(before);
  });

  test.each<[Record<string, string>, readonly string[]]>([
    [
      { 'hosted-runners.yml': 'mine' },
      [
        'hosted-runner init --terraform --ci github --json --config hosted-runners.new.yml',
        'hosted-runner validate',
      ],
    ],
    [
      { 'infrastructure/mine.tf': 'mine' },
      [
        'hosted-runner init --ci github --json',
        'hosted-runner init --ci github --json --terraform --force',
      ],
    ],
  ])('the text commands are for the requested CI: %j', async (files, commands) => {
    const typed = { terraform: true, ci: 'github', json: true } as const;
    const error = await refusal(() => init(files, typed));
    expect(commandsIn(error?.fields.fix ?? [])).toEqual(commands);
  });

  test('the file proposed beside a configuration is written, and the configuration stays', async () => {
    const files = { 'hosted-runners.yml': 'mine' };
    const { surroundings } = await init(files, {
      terraform: true,
      config: 'hosted-runners.new.yml',
    });
    expect(surroundings.folder.files['hosted-runners.yml']).toBe('mine');
    expect(surroundings.folder.files['hosted-runners.new.yml']).toContain('infrastructure');
    expect(surroundings.folder.files['infrastructure/main.tf']).toContain('runner_manager');
  });

  test('--force overwrites existing files and removes nothing else', async () => {
    const files = { 'infrastructure/main.tf': 'old', 'infrastructure/mine.tfvars': 'mine' };
    const { surroundings } = await init(files, { terraform: true, force: true });
    expect(surroundings.folder.files['infrastructure/main.tf']).toContain('runner_manager');
    expect(surroundings.folder.files['infrastructure/mine.tfvars']).toBe('mine');
  });

  test('--force works in a real folder, too', async () => {
    const path = await mkdtemp(join(tmpdir(), 'init-'));
    try {
      const ignore = () => {};
      const surroundings = {
        folder: openFolder(path),
        environment: {},
        write: ignore,
        show: ignore,
      };
      await initialise({ terraform: true, force: false, color: true }, surroundings);
      expect(
        await readFile(join(path, 'infrastructure/modules/shard/modules/ec2/main.tf'), 'utf8'),
      ).toContain('aws_instance');
    } finally {
      await rm(path, { recursive: true });
    }
  });
});
