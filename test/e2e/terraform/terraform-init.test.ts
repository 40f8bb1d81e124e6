import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram } from '../../support/program.ts';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror, writeMirrorConfiguration } from '../../terraform/mirror.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';

const run = promisify(execFile);

/** Program as in a package: the files of dist/ without sources. */
const program = dirname(bundledProgram);

describeWithTools(
  { name: 'the files of init --terraform', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let moto: Moto;
      let folder: string;
      let cli: string;
      let env: Record<string, string>;
      beforeAll(async () => {
        moto = await startMoto(path('moto_server'));
        folder = mkdtempSync(join(tmpdir(), 'started-'));
        cli = writeMirrorConfiguration(mirror);
        const bin = join(folder, 'bin');
        mkdirSync(bin);
        const command = join(bin, 'hosted-runner');
        writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${entryFile()}' "$@"\n`);
        chmodSync(command, 0o755);
        env = {
          ...moto.environment,
          PATH: [bin, dirname(path('terraform')), process.env['PATH']].join(delimiter),
          TF_CLI_CONFIG_FILE: cli,
          CHECKPOINT_DISABLE: '1',
        };
      });
      afterAll(async () => {
        await moto.close();
        rmSync(folder, { recursive: true, force: true });
        rmSync(dirname(cli), { recursive: true, force: true });
      });

      /** Copies dist/ alone, to make other files unreadable. */
      function entryFile(): string {
        const alone = join(folder, 'dist');
        mkdirSync(alone);
        for (const name of readdirSync(program))
          copyFileSync(join(program, name), join(alone, name));
        return join(alone, 'index.js');
      }

      async function shell(line: string): Promise<string> {
        const { stdout } = await run('/bin/sh', ['-ec', line], { cwd: work(), env });
        return stdout;
      }

      const work = () => join(folder, 'work');

      let output: string;
      beforeEach(async () => {
        rmSync(work(), { recursive: true, force: true });
        mkdirSync(work());
        output = await shell(
          'hosted-runner init --terraform --ci gitlab --stack linux --stack arm',
        );
      });

      test('plans once the marked places are filled in, with the printed commands', async () => {
        const vpc = /<vpcId>([^<]+)/.exec(await moto.ec2('DescribeSubnets'))?.[1] ?? '';
        const subnet = /<subnetId>([^<]+)/.exec(await moto.ec2('DescribeSubnets'))?.[1] ?? '';
        const values: Record<string, string> = {
          url: 'https://gitlab.example.com',
          group_id: '42',
          tags: 'linux',
          bucket: 'acme-states',
          region: 'eu-west-1',
          gitlab_url: 'https://gitlab.example.com',
          oidc_url: 'https://gitlab.example.com',
          oidc_subjects: 'acme/runners',
          vpc_id: vpc,
          subnet_ids: subnet,
          ami_id: 'ami-12c6146b',
          component: 'acme',
          runner_tags: 'operations',
          aws_role_arn: 'arn:aws:iam::123456789012:role/hosted-runner-deploy',
          aws_region: 'eu-west-1',
        };
        const places = [...output.matchAll(/^ {2}(\S+):(\d+) {2}(.*)$/gm)];
        for (const [, file = '', line = '', content = ''] of places) {
          const key = /^(?:- )?(\w+)/.exec(content)?.[1] ?? '';
          const lines = readFileSync(join(work(), file), 'utf8').split('\n');
          const before = lines[Number(line) - 1] ?? '';
          lines[Number(line) - 1] = before.replace('FILL_IN', values[key] ?? `no value: ${key}`);
          writeFileSync(join(work(), file), lines.join('\n'));
        }
        const printed = [...output.matchAll(/^ {2}(hosted-runner validate|terraform .*)$/gm)];
        expect(printed).toHaveLength(5);
        for (const [, line = ''] of printed)
          await shell(line.replace(/ apply$/, ' apply -auto-approve -input=false'));
        // The emulator ignores the condition of the bucket's policy, and refuses every call.
        await fetch(`${moto.url}/acme-states?policy`, { method: 'DELETE' });

        // These commands match the driver's, and an operator's to see the plan.
        const keys = readFileSync(join(work(), 'hosted-runners.yml'), 'utf8');
        const backend = [...keys.matchAll(/^ {6}- (\w+=\S+)/gm)].map(([, one = '']) => one);
        expect(backend).toHaveLength(4);
        for (const stack of ['linux', 'arm']) {
          const filled = [...backend, 'use_path_style=true'].map((one) =>
            one.replace('{runner_name}', stack).replace('{shard}', 'pink'),
          );
          await shell(
            `terraform -chdir=infrastructure init -reconfigure -input=false ${filled.map((one) => `-backend-config=${one}`).join(' ')}`,
          );
          const plan = await shell(
            `terraform -chdir=infrastructure plan -input=false -no-color -var-file=${stack}.tfvars -var shard=pink -var runner_name=${stack}`,
          );
          expect(plan).toMatch(/^Plan: \d+ to add, 0 to change, 0 to destroy\.$/m);
          expect(plan).toContain(`hosted-runner-${stack}-boundary`);
        }
        expect(await shell('terraform -chdir=infrastructure fmt -check -recursive')).toBe('');
      });

      test('stays unchanged by a second init', async () => {
        const file = join(work(), 'infrastructure/main.tf');
        writeFileSync(file, '# mine\n');
        await expect(shell('hosted-runner init --terraform --config other.yml')).rejects.toThrow(
          /infrastructure\/ already exists/,
        );
        expect(readFileSync(file, 'utf8')).toBe('# mine\n');
        expect(readdirSync(work())).not.toContain('other.yml');
      });
    });
  },
);
