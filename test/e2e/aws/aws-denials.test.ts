import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions } from '../../../src/adapters/aws/access/permissions.ts';
import { createLifecycleHooks } from '../../../src/adapters/aws/inventory/auto-scaling-hooks.ts';
import { createInventory } from '../../../src/adapters/aws/inventory/aws-inventory.ts';
import { createInstances } from '../../../src/adapters/aws/inventory/ec2-instances.ts';
import { createParameterStore } from '../../../src/adapters/aws/state-store/parameter-store.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import type { PortFailure } from '../../../src/ports/failure.ts';
import { askingAt, keys, openCloud, roleNames } from '../../aws/cloud.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type Moto, startMoto } from '../../terraform/moto.ts';

const pink = stackShard('pink', 'linux');
const name = '/gitlab/dedicated/runner/linux/deployment_record';

/** The emulator's IAM knows actions by name; scopes and conditions are evaluated elsewhere. */
describeWithTools({ name: 'a role that lacks one action', needs: ['moto_server'] }, (path) => {
  let moto: Moto;
  let credentials: { accessKeyId: string; secretAccessKey: string };
  beforeAll(async () => {
    moto = await startMoto(path('moto_server'));
    await iam('CreateUser', { UserName: 'deploy' });
    const key = await iam('CreateAccessKey', { UserName: 'deploy' });
    credentials = {
      accessKeyId: /<AccessKeyId>([^<]+)/.exec(key)?.[1] ?? key,
      secretAccessKey: /<SecretAccessKey>([^<]+)/.exec(key)?.[1] ?? key,
    };
  });
  afterAll(async () => {
    await moto?.close();
  });

  async function iam(action: string, parameters: Record<string, string>): Promise<string> {
    const scope = 'AKIAMOTO/20260101/us-east-1/iam/aws4_request';
    const answer = await fetch(moto.url, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=x`,
      },
      body: new URLSearchParams({ Action: action, Version: '2010-05-08', ...parameters }),
    });
    return answer.text();
  }

  /** From now on only what the policy allows. */
  async function allowAllBut(missing: string): Promise<void> {
    const enforce = (count: string) =>
      fetch(`${moto.url}/moto-api/reset-auth`, { method: 'POST', body: count });
    await enforce('1000');
    const actions = [...new Set(permissions.map(({ action }) => action))];
    // The emulator calls the tagging service's actions by its signing name.
    const Action = [...actions, 'tagging:GetResources'].filter((one) => one !== missing);
    const Statement = [{ Effect: 'Allow', Action, Resource: '*' }];
    await iam('PutUserPolicy', {
      UserName: 'deploy',
      PolicyName: 'deploy',
      PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement }),
    });
    await enforce('0');
  }

  function open() {
    const configuration = { endpoint: moto.url, region: 'eu-west-1', credentials };
    const options = askingAt(moto.url, { configuration });
    const { account: _, ...services } = openCloud(options);
    const { ssm, ec2, autoScaling, tagging, iam } = services;
    const { clock } = options;
    return {
      parameters: createParameterStore({ ssm }),
      instances: createInstances({ ec2, clock, keys }),
      inventory: createInventory({ ec2, autoScaling, tagging, iam, clock, keys, roleNames }),
      hooks: createLifecycleHooks({ ec2, autoScaling, keys }),
      close() {
        for (const service of Object.values(services)) service.close();
      },
    };
  }

  type Cloud = ReturnType<typeof open>;

  const calls: Record<string, (cloud: Cloud) => Promise<unknown>> = {
    'ssm:GetParameter': ({ parameters }) => parameters.find(name),
    'ssm:PutParameter': ({ parameters }) => parameters.overwrite({ name, value: 'x' }),
    'ssm:DeleteParameter': ({ parameters }) => parameters.remove(name),
    'ec2:DescribeInstances': ({ instances }) => instances.list(pink),
    'ec2:DescribeTags': ({ inventory }) => inventory.list(pink),
    'iam:GetRole': ({ inventory }) => inventory.list(pink),
    'iam:GetInstanceProfile': ({ inventory }) => inventory.list(pink),
    'autoscaling:DescribeAutoScalingGroups': ({ hooks }) => hooks.listWaiting(pink),
  };

  test.each(Object.entries(calls))('is told that it is %s', async (action, call) => {
    await allowAllBut(action);
    const cloud = open();
    const failure = await call(cloud).then(
      () => undefined,
      (error: PortFailure) => error,
    );
    expect({ said: failure?.message, status: failure?.status }).toMatchObject({ status: 403 });
    // To services that speak JSON the emulator denies in XML, which is no answer of AWS's.
    if (failure?.kind === 'denied') {
      const error = fromPortFailure(failure, 'hosted-runner cleanup --runner linux');
      expect(error.code).toBe('PermissionMissing');
      expect(error.fields.why?.join()).toContain(action);
    } else expect(action).toMatch(/^ssm:/);
    await allowAllBut('nothing');
    await call(cloud);
    cloud.close();
  });
});
