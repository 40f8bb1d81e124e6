import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { policyFiles } from '../../../../generate/policies.ts';
import { rootModule } from '../../../../src/cli/starting/root-module.ts';
import type { RunnerName } from '../../../../src/domain/shard.ts';
import { stackShard } from '../../../contract/runner-host.contract.ts';
import { type Policy, toPolicy } from '../../../docs/policy.ts';
import { describeWithTools } from '../../../support/tools.ts';
import { describeWithMirror, writeMirrorConfiguration } from '../../../terraform/mirror.ts';
import { type Moto, startMoto } from '../../../terraform/moto.ts';
import { collect, openWorkshop, type Workshop } from '../../../terraform/workshop.ts';
import { type IamFront, signedAs, startIamFront } from './iam-front.ts';

const pink = stackShard('pink', 'linux');
const bucket = 'acme-terraform-states';
const boundary = 'hosted-runner-linux-boundary';

/** Reads a shipped policy, with the region and account of the emulator. */
function policyOf(name: string): Policy {
  const text = policyFiles().find(({ path }) => path === `examples/iam/${name}.json`)?.text ?? '';
  return toPolicy(
    JSON.parse(
      text.replaceAll('eu-central-1', 'eu-west-1').replaceAll('111122223333', '123456789012'),
    ),
  );
}

/** Policy of a role that applies: two policies together. */
const applying: Policy = {
  Statement: [...policyOf('terraform-destroy').Statement, ...policyOf('terraform-apply').Statement],
};

const permissionsOf = ({ Statement }: Policy) =>
  Statement.flatMap(({ Sid, Action }) => Action.map((action) => `${Sid} ${action}`)).sort();

describeWithTools(
  { name: 'the permissions of Terraform', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let moto: Moto;
      let front: IamFront;
      let workshop: Workshop;
      let folder: string;
      let cli: string;
      let subnet: string;
      let vpc: string;
      beforeAll(async () => {
        moto = await startMoto(path('moto_server'));
        front = await startIamFront(moto.url);
        await moto.createBucket(bucket);
        const subnets = await moto.ec2('DescribeSubnets');
        subnet = /<subnetId>([^<]+)/.exec(subnets)?.[1] ?? '';
        vpc = /<vpcId>([^<]+)/.exec(subnets)?.[1] ?? '';
        folder = mkdtempSync(join(tmpdir(), 'permissions-'));
        for (const [file, text] of Object.entries(rootModule)) {
          mkdirSync(dirname(join(folder, file)), { recursive: true });
          writeFileSync(join(folder, file), text);
        }
        cli = writeMirrorConfiguration(mirror);
        workshop = openWorkshop();
      });
      beforeEach(() => front.reset());
      afterAll(async () => {
        workshop?.close();
        await front?.close();
        await moto?.close();
        for (const one of [folder, dirname(cli)]) rmSync(one, { recursive: true, force: true });
      });

      function driver(variables: readonly string[] = []) {
        return workshop.open({
          environment: {
            PATH: process.env['PATH'] ?? '',
            ...moto.environment,
            AWS_ENDPOINT_URL: front.url,
            TF_CLI_CONFIG_FILE: cli,
          },
          settings: {
            directory: folder,
            timeoutMs: 900_000,
            backendConfig: [
              `bucket=${bucket}`,
              'key=hosted-runners/{runner_name}/{shard}.tfstate',
              'region=eu-west-1',
              'use_lockfile=true',
              'use_path_style=true',
            ],
            variables: [
              'shard={shard}',
              'runner_name={runner_name}',
              'gitlab_url=https://gitlab.example.com',
              'ami_id=ami-12c6146b',
              'max_retries=2',
              `vpc_id=${vpc}`,
              `subnet_ids=["${subnet}"]`,
              `permissions_boundary=${boundary}`,
              ...variables,
            ],
          },
        });
      }

      /** Calls AWS like the role, past Terraform. */
      async function call(service: string, parameters: Record<string, string>): Promise<string> {
        const answer = await fetch(front.url, {
          method: 'POST',
          headers: signedAs(service),
          body: new URLSearchParams(parameters),
        });
        return answer.text();
      }

      async function apply(...variables: string[]): Promise<void> {
        const open = driver(variables);
        expect((await collect(open.apply(pink, await open.plan(pink)))).at(-1)).toMatchObject({
          kind: 'done',
        });
      }

      async function object(method: 'GET' | 'PUT', stack: string): Promise<number> {
        const url = `${front.url}/${bucket}/hosted-runners/${stack}/purple.tfstate`;
        return (await fetch(url, { method, headers: signedAs('s3') })).status;
      }

      const tagged = (type: string, stack: string, shard = 'pink') => ({
        'TagSpecification.1.ResourceType': type,
        'TagSpecification.1.Tag.1.Key': 'hosted-runner:stack',
        'TagSpecification.1.Tag.1.Value': stack,
        'TagSpecification.1.Tag.2.Key': 'hosted-runner:shard',
        'TagSpecification.1.Tag.2.Value': shard,
      });
      const launch = {
        Action: 'RunInstances',
        Version: '2016-11-15',
        ImageId: 'ami-12c6146b',
        MinCount: '1',
        MaxCount: '1',
      };

      test('each level of the policies allows its part of a deployment, and every permission is used', async () => {
        front.policy = policyOf('terraform-state');
        const probed = await driver().probe('linux' as RunnerName);
        expect(probed.filter(({ outcome }) => outcome === 'missing')).toEqual([]);

        front.policy = applying;
        await apply();
        const workers = (type: string) =>
          `autoscaler={"ami_id":"ami-12c6146b","instance_type":"${type}"}`;
        await apply(workers('t3.large'), 'extra_tags={"team":"ci","cost":"1"}');
        const group = await moto.autoScaling('DescribeAutoScalingGroups', {});
        expect(group).toContain('pink-linux_workers-0');
        // Changes that need no new host.
        await apply(workers('t3.small'), 'extra_tags={"team":"cd"}', 'log_retention_days=7');
        expect(await moto.iam('GetRole', { RoleName: 'pink-linux_runner-manager' })).toContain(
          `:policy/${boundary}`,
        );

        front.policy = policyOf('terraform-destroy');
        const open = driver([workers('t3.small')]);
        expect((await collect(open.destroy(pink))).at(-1)).toMatchObject({ kind: 'done' });
        expect(await open.exists(pink)).toBe('absent');

        expect({ unknown: front.unknown, denied: front.denied }).toEqual({
          unknown: [],
          denied: [],
        });
        expect([...front.used].sort()).toEqual(permissionsOf(applying));
      });

      test('the role for apply has no access to another stack', async () => {
        for (const stack of ['linux', 'windows']) await object('PUT', stack);
        const started = await call('ec2', { ...launch, ...tagged('instance', 'windows') });
        const instance = /<instanceId>([^<]+)/.exec(started)?.[1] ?? '';
        expect(instance).not.toBe('');
        await call('iam', {
          Action: 'CreateRole',
          Version: '2010-05-08',
          RoleName: 'pink-windows_runner-manager',
          AssumeRolePolicyDocument: '{}',
        });
        front.policy = applying;
        const refusals: [action: string, attempt: () => Promise<string>][] = [
          [
            'ec2:TerminateInstances',
            () => call('ec2', { Action: 'TerminateInstances', 'InstanceId.1': instance }),
          ],
          ['ec2:RunInstances', () => call('ec2', launch)],
          ['ec2:RunInstances', () => call('ec2', { ...launch, ...tagged('instance', 'windows') })],
          [
            'ec2:CreateTags',
            () =>
              call('ec2', {
                Action: 'CreateTags',
                'ResourceId.1': instance,
                'Tag.1.Key': 'hosted-runner:stack',
                'Tag.1.Value': 'linux',
              }),
          ],
          [
            'iam:PassRole',
            () =>
              call('ec2', {
                ...launch,
                ...tagged('instance', 'linux'),
                'IamInstanceProfile.Name': 'pink-windows_runner-manager',
              }),
          ],
          [
            'iam:PutRolePolicy',
            () =>
              call('iam', {
                Action: 'PutRolePolicy',
                RoleName: 'pink-windows_runner-manager',
                PolicyName: 'all',
                PolicyDocument: '{}',
              }),
          ],
          [
            'iam:CreateRole',
            () => call('iam', { Action: 'CreateRole', RoleName: 'pink-linux_runner-manager' }),
          ],
          [
            'autoscaling:DeleteAutoScalingGroup',
            () =>
              call('autoscaling', {
                Action: 'DeleteAutoScalingGroup',
                AutoScalingGroupName: 'pink-windows_workers-0',
              }),
          ],
        ];
        for (const [action, attempt] of refusals) {
          const answer = await attempt();
          expect(front.denied.splice(0)).toMatchObject([{ action }]);
          expect(answer).toContain(
            action.startsWith('ec2:') || action === 'iam:PassRole'
              ? '<Code>UnauthorizedOperation</Code>'
              : '<Code>AccessDenied</Code>',
          );
        }
        expect([await object('GET', 'windows'), await object('GET', 'linux')]).toEqual([403, 200]);
        expect(front.unknown).toEqual([]);
      });
    });
  },
);
