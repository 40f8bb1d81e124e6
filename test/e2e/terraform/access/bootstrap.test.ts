import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bootstrapFiles } from '../../../../generate/policies.ts';
import { root } from '../../../support/program.ts';
import { describeWithTools } from '../../../support/tools.ts';
import { describeWithMirror, writeMirrorConfiguration } from '../../../terraform/mirror.ts';
import { type Moto, startMoto } from '../../../terraform/moto.ts';
import { signedAs } from './iam-front.ts';

const run = promisify(execFile);
const bucket = 'acme-terraform-states';
const stacks = ['linux', 'windows'];

/** Fills in a generated template like Terraform. */
function filled(path: string, stack: string): unknown {
  const values: Record<string, string> = {
    partition: 'aws',
    account: '123456789012',
    region: 'eu-west-1',
    bucket,
    stack,
    first: 'pink',
    second: 'purple',
    prefix: `/gitlab/dedicated/runner/${stack}/`,
  };
  const text = bootstrapFiles().find((file) => file.path.endsWith(`/${path}.json.tftpl`))?.text;
  return JSON.parse(
    (text ?? '').replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? `no value: ${name}`),
  );
}

describeWithTools(
  { name: 'the bootstrap root module', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let moto: Moto;
      let folder: string;
      let cli: string;
      beforeAll(async () => {
        moto = await startMoto(path('moto_server'));
        folder = mkdtempSync(join(tmpdir(), 'bootstrap-'));
        cpSync(join(root, 'terraform/bootstrap'), folder, { recursive: true });
        cli = writeMirrorConfiguration(mirror);
        writeFileSync(
          join(folder, 'terraform.tfvars'),
          `region = "eu-west-1"
stacks = ${JSON.stringify(stacks)}
bucket = "${bucket}"
oidc_url = "https://gitlab.example.com"
oidc_subjects = ["project_path:acme/runners:ref_type:branch:ref:main"]
`,
        );
        await terraform('init', '-input=false');
      });
      afterAll(async () => {
        await moto?.close();
        for (const one of [folder, dirname(cli)]) rmSync(one, { recursive: true, force: true });
      });

      async function terraform(...words: string[]): Promise<string> {
        const { stdout } = await run(path('terraform'), [`-chdir=${folder}`, ...words], {
          env: { ...moto.environment, TF_CLI_CONFIG_FILE: cli, CHECKPOINT_DISABLE: '1' },
        });
        return stdout;
      }

      async function policyOf(name: string): Promise<unknown> {
        const PolicyArn = `arn:aws:iam::123456789012:policy/hosted-runner-${name}`;
        const answer = await moto.iam('GetPolicyVersion', { PolicyArn, VersionId: 'v1' });
        const text = /<Document>([\s\S]*)<\/Document>/.exec(answer)?.[1] ?? answer;
        return JSON.parse(
          (text.includes('%22') ? decodeURIComponent(text) : text).replaceAll('&quot;', '"'),
        );
      }

      test('one apply creates the role with the generated policies, and the bucket', async () => {
        await terraform('validate');
        await terraform('apply', '-auto-approve', '-input=false', '-no-color');
        for (const stack of stacks) {
          for (const name of ['deploy', 'terraform-destroy', 'terraform-apply'])
            expect(await policyOf(`${stack}-${name}`)).toEqual(filled(name, stack));
          expect(await policyOf(`${stack}-boundary`)).toEqual(filled('terraform-boundary', stack));
        }
        const attached = await moto.iam('ListAttachedRolePolicies', {
          RoleName: 'hosted-runner-deploy',
        });
        expect(
          [...attached.matchAll(/<PolicyName>([^<]+)/g)].map(([, name]) => name).sort(),
        ).toEqual(
          stacks.flatMap((stack) =>
            ['deploy', 'terraform-apply', 'terraform-destroy'].map(
              (name) => `hosted-runner-${stack}-${name}`,
            ),
          ),
        );
        const role = decodeURIComponent(
          await moto.iam('GetRole', { RoleName: 'hosted-runner-deploy' }),
        );
        for (const part of [
          ':oidc-provider/gitlab.example.com"',
          '"gitlab.example.com:aud":"sts.amazonaws.com"',
          '"gitlab.example.com:sub":"project_path:acme/runners:ref_type:branch:ref:main"',
        ])
          expect(role.replaceAll('&quot;', '"').replaceAll(/\s/g, '')).toContain(part);
        const outputs = JSON.parse(await terraform('output', '-json'));
        expect(outputs).toMatchObject({
          aws_role: { value: 'arn:aws:iam::123456789012:role/hosted-runner-deploy' },
          region: { value: 'eu-west-1' },
          permissions_boundaries: { value: { linux: 'hosted-runner-linux-boundary' } },
        });
        expect(outputs.backend_config.value).toContain(`bucket=${bucket}`);
        await bucketIsPrivate();
        // A second apply changes nothing.
        await terraform('plan', '-detailed-exitcode', '-input=false');

        const existing = 'arn:aws:iam::123456789012:oidc-provider/gitlab.example.com';
        expect(
          await terraform(
            'plan',
            '-input=false',
            '-no-color',
            `-var=oidc_provider_arn=${existing}`,
          ),
        ).toMatch(/aws_iam_openid_connect_provider\.ci\[0\] will be destroyed/);

        await terraform('destroy', '-auto-approve', '-input=false');
        expect(await moto.iam('ListRoles')).not.toContain('hosted-runner-deploy');
      });

      async function bucketIsPrivate(): Promise<void> {
        const read = async (what: string) => {
          const answer = await fetch(`${moto.url}/${bucket}?${what}`, {
            headers: signedAs('s3'),
          });
          return answer.text();
        };
        expect(await read('versioning')).toContain('<Status>Enabled</Status>');
        expect(await read('encryption')).toContain('<SSEAlgorithm>AES256</SSEAlgorithm>');
        expect(await read('policy')).toContain('aws:SecureTransport');
        const block = await read('publicAccessBlock');
        expect([...block.matchAll(/>true</gi)]).toHaveLength(4);
      }

      test.each([
        ['oidc_subjects=["project_path:acme/*:ref_type:branch:ref:main"]', 'without * and ?'],
        ['bucket=FILL_IN', 'bucket has to be'],
        ['region=FILL_IN', 'region has to be'],
      ])('refuses the value %s', async (value, reason) => {
        await expect(
          terraform('plan', '-input=false', '-no-color', `-var=${value}`),
        ).rejects.toThrow(reason);
      });
    });
  },
);
