import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { renderStarter } from '../../../src/cli/starting/starter.ts';
import { blockOf } from '../../docs/shown-blocks.ts';
import { read } from '../../structure/tree.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';

const shown = (name: string) => blockOf('docs/operate/runbook.md', name);
const withWorkspace = shown('Terraform for one shard 1');
const withBackend = shown('Terraform for one shard 2');
const build = shown('Build the shard 1');
const replace = shown('Replace an unhealthy manager 1');
const destroy = shown('Destroy the old shard 1');

const repository = { ci: 'gitlab', ciReason: '' } as const;
const values = { stacks: [{ name: 'linux' }] };

/**
 * Stand-in for the manager at its address in the reference module, with a type that needs no
 * provider.
 */
const manager = 'module.runner_manager.module.ec2[0].terraform_data.runner_manager';

const variables = 'variable "shard" {}\nvariable "runner_name" {}\n';
const passed = 'shard = var.shard\n  runner_name = var.runner_name\n';

/** Backend for workspaces with a shared bucket. The stand-in for S3 has no host per bucket. */
const inBucket = `bucket = "acme-terraform-states"
  key = "shards"
  use_path_style = true
  use_lockfile = true`;

function writeModule(folder: string, backend: string, more = ''): void {
  const files = {
    'main.tf': `terraform {\n  backend "s3" {\n  ${backend}\n  }\n}\n${variables}${more}
module "runner_manager" {\n  source = "./shard"\n  ${passed}}\n`,
    'shard/main.tf': `${variables}module "ec2" {\n  count = 1\n  source = "./ec2"\n  ${passed}}\n`,
    'shard/ec2/main.tf': `${variables}resource "terraform_data" "runner_manager" {
  input = { Name = "\${var.shard}-\${var.runner_name}_runner-manager" }\n}\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe('the Terraform commands of the runbook for one shard', () => {
  test('select the state that init configures', () => {
    const [, workspace = ''] =
      /^ +workspace: "(.*)"$/m.exec(renderStarter(repository, values)) ?? [];
    expect(read('docs/use/infrastructure.md')).toContain(`workspace: "${workspace}"`);
    expect(withWorkspace).toContain(`workspace select "${filledIn(workspace)}" &&`);
    const backend = [...renderStarter(repository, values, true).matchAll(/^ +- (\w+=)(\S+)/gm)];
    expect(backend).toHaveLength(4);
    for (const [, key = '', value = ''] of backend)
      expect(withBackend.replaceAll('"', '')).toContain(
        `-backend-config=${key}${value === 'FILL_IN' ? '' : filledIn(value)}`,
      );
    const [, file = ''] =
      /^ +var_files: \["(.*)"\]$/m.exec(renderStarter(repository, values, true)) ?? [];
    expect(withBackend).toContain(`-var-file=${filledIn(file)} `);
  });
});

function filledIn(text: string): string {
  return text.replace('{runner_name}', 'linux').replace('{shard}', '$shard');
}

describeWithTools(
  { name: "the runbook's Terraform", needs: ['terraform', 'moto_server'] },
  (path) => {
    let moto: Moto;
    let folder: string;
    beforeEach(async () => {
      moto = await startMoto(path('moto_server'));
      await moto.createBucket('acme-terraform-states');
      folder = mkdtempSync(join(tmpdir(), 'by-hand-terraform-'));
      writeFileSync(join(folder, 'cli.tfrc'), '');
    });
    afterEach(async () => {
      await moto.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Pastes blocks into one shell in order, with the answer that Terraform requires. */
    function paste(...blocks: readonly string[]): { text: string; exitCode: number | null } {
      const ended = spawnSync('sh', ['-c', `exec 2>&1\n${blocks.join('\n')}`], {
        cwd: folder,
        env: {
          ...moto.environment,
          HOME: folder,
          PATH: [dirname(path('terraform')), process.env['PATH']].join(delimiter),
          TF_CLI_CONFIG_FILE: join(folder, 'cli.tfrc'),
          CHECKPOINT_DISABLE: '1',
          // A workspace that other work left in the shell must have no effect here.
          TF_WORKSPACE: 'elsewhere',
        },
        input: 'yes\n',
        encoding: 'utf8',
      });
      return { text: ended.stdout, exitCode: ended.status };
    }

    const here = replace.replace('aws_instance', 'terraform_data');
    const purple = build.replace('pink', 'purple');

    test('apply acts on the workspace of the named shard, and on no other', async () => {
      writeModule(join(folder, 'infrastructure'), inBucket);
      const first = withWorkspace.replace('workspace select', 'workspace select -or-create');
      expect(paste(first, build)).toMatchObject({
        exitCode: 0,
        text: expect.stringContaining(`${manager}: Creation complete`),
      });
      expect(paste(first, purple)).toMatchObject({ exitCode: 0 });
      const own = join(folder, 'infrastructure/.terraform/hosted-runner/linux-pink');
      expect(existsSync(own)).toBe(true);
      expect(paste(withWorkspace, here).text).toContain('1 added, 0 changed, 1 destroyed');
      expect(paste(withWorkspace, destroy)).toMatchObject({
        exitCode: 0,
        text: expect.stringContaining('Destroy complete! Resources: 1 destroyed.'),
      });
      expect(paste(withWorkspace, 'terraform_of pink plan').text).toContain('No changes.');
      expect(await moto.list('acme-terraform-states')).toEqual([
        'env:/linux-pink/shards',
        'env:/linux-purple/shards',
      ]);
    }, 120_000);

    test('destroy does nothing if the workspace is missing, whatever is selected', () => {
      writeModule(join(folder, 'infrastructure'), inBucket);
      const first = withWorkspace.replace('workspace select', 'workspace select -or-create');
      expect(paste(first, build)).toMatchObject({ exitCode: 0 });
      const { text, exitCode } = paste(withWorkspace, destroy);
      expect(exitCode).not.toBe(0);
      expect(text).toContain('Workspace "linux-purple" doesn\'t exist');
      expect(text).not.toContain('Destroy complete');
      // Without the block that selects, the command is missing too.
      expect(paste(destroy)).toMatchObject({ exitCode: 127 });
    }, 120_000);

    test('apply acts on the state of the shard in the bucket, with the variables file', async () => {
      const needed = 'variable "vpc_id" { type = string }\n';
      writeModule(join(folder, 'infrastructure'), '', needed);
      writeFileSync(join(folder, 'infrastructure/linux.tfvars'), 'vpc_id = "vpc-1"\n');
      const define = withBackend.replace(
        '-backend-config=use_lockfile',
        '-backend-config=use_path_style=true -backend-config=use_lockfile',
      );
      expect(paste(define, build)).toMatchObject({ exitCode: 0 });
      expect(paste(define, purple)).toMatchObject({ exitCode: 0 });
      expect(await moto.list('acme-terraform-states')).toEqual([
        'hosted-runners/linux/pink.tfstate',
        'hosted-runners/linux/purple.tfstate',
      ]);
      expect(paste(define, here).text).toContain('1 added, 0 changed, 1 destroyed');
      expect(paste(define, destroy).text).toContain('Resources: 1 destroyed.');
      expect(paste(define, 'terraform_of pink plan').text).toContain('No changes.');
    }, 120_000);
  },
);
