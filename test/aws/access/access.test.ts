import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { policyOf } from '../../../generate/policies.ts';
import type { Admit } from '../../../sandbox/aws/access/authorization.ts';
import { type AccessRequest, probeAccess } from '../../../src/adapters/aws/access/access.ts';
import { permissions } from '../../../src/adapters/aws/access/permissions.ts';
import type { StackPlace } from '../../../src/adapters/aws/access/scopes.ts';
import { principalOf } from '../../../src/adapters/aws/access/simulation.ts';
import type { AwsClientOptions } from '../../../src/adapters/aws/aws-client.ts';
import { stageNames } from '../../../src/domain/deployment/stages-and-steps.ts';
import { allows, toPolicy } from '../../docs/policy.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { openSandbox } from '../../sandbox/hosts/running-sandbox.ts';
import { openCloud, optionsAt, place } from '../cloud.ts';

const pipeline: readonly string[] = stageNames;

/**
 * Lists are tried with the sandbox's own access decision. All other actions go through the IAM
 * simulation.
 */
describe('the access probe of prepare', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let admit: Admit = () => true;
  let options: AwsClientOptions;
  let request: AccessRequest;
  beforeAll(async () => {
    world = await openSandbox({
      // The probe's own permission is examples/iam/probe.json.
      admit: (wish) => wish.action === 'iam:SimulatePrincipalPolicy' || admit(wish),
    });
    options = optionsAt(world.sandbox.ssmUrl);
    const { account, iam, ...services } = openCloud(options);
    request = {
      services,
      account,
      iam,
      environment: {},
      settings: stackSettings().aws,
      place,
      runCommand: true,
      alarms: true,
    };
  });
  afterEach(() => {
    admit = () => true;
    world.sandbox.faults.clear();
  });
  afterAll(async () => {
    const { ssm, ec2, autoScaling, tagging } = request.services;
    for (const service of [ssm, ec2, autoScaling, tagging, request.iam]) service.close();
    await world.close();
  });

  const missing = async (more: Pick<StackPlace, 'document'> = {}) =>
    (await probeAccess({ ...request, place: { ...place, ...more } })).filter(
      ({ outcome }) => outcome === 'missing',
    );

  test('finds nothing missing with the shipped policy', async () => {
    const policy = toPolicy(policyOf(permissions, place));
    admit = (wish) => allows(policy, wish);
    expect(await probeAccess(request)).not.toContainEqual(
      expect.objectContaining({ outcome: expect.stringMatching(/missing|not_probed/) }),
    );
  });

  const used = permissions.filter(
    ({ roles, optional }) => optional !== true && roles.some((role) => pipeline.includes(role)),
  );

  test('finds nothing missing without the permissions that only save calls', async () => {
    const policy = toPolicy(
      policyOf(
        permissions.filter(({ optional }) => optional !== true),
        place,
      ),
    );
    admit = (wish) => allows(policy, wish);
    expect(await missing()).toEqual([]);
    expect(policy.Statement.flatMap(({ Action }) => Action)).not.toContain(
      'ssm:ListCommandInvocations',
    );
  });

  test.each(used.map((permission) => [permission.action, permission.on, permission] as const))(
    'names %s on %s when it is the one that is missing, with the stages that need it',
    async (action, on, permission) => {
      const others = permissions.filter((one) => one.action !== action || one.on !== on);
      const document = on === 'check_document' ? { document: 'checks-of-linux' } : {};
      const policy = toPolicy(policyOf(others, { ...place, ...document }));
      admit = (wish) => allows(policy, wish);
      const stages = permission.roles.filter((role) => pipeline.includes(role)).join(', ');
      const found = await missing(document);
      expect(found).toContainEqual({
        what: expect.stringMatching(new RegExp(`^${action}(?: on |$)`)),
        outcome: 'missing',
        detail: expect.stringContaining(stages),
      });
      expect(new Set(found.map(({ what }) => what.split(' ')[0]))).toEqual(new Set([action]));
    },
  );

  test('requests the fleet access of a stack of GitHub’s runners as well', async () => {
    const policy = toPolicy(policyOf(permissions, place));
    admit = (wish) => allows(policy, wish);
    expect(await missing()).toEqual([]);
    const github = { ...request, place: { ...place, github: {} } };
    const found = (await probeAccess(github)).filter(({ outcome }) => outcome === 'missing');
    expect(new Set(found.map(({ what }) => what.split(' on ')[1]?.split('/').at(-1)))).toEqual(
      new Set(['runner_fleet']),
    );
  });

  test('reports what it cannot decide without a value of the real call', async () => {
    const without = ['aws:SourceIp'];
    admit = ({ action }) => (action === 'ssm:PutParameter' ? { without } : true);
    const findings = (await probeAccess(request)).filter(({ outcome }) => outcome !== 'granted');
    expect(findings).toEqual([
      {
        what: 'ssm:PutParameter',
        outcome: 'not_probed',
        detail:
          'policies of arn:aws:iam::123456789012:user/sandbox require aws:SourceIp, which only the real call contains; without it IAM refuses the call',
      },
    ]);
  });

  test('reports what it cannot decide if IAM refuses the simulation', async () => {
    world.sandbox.faults.add({
      id: 'no-iam',
      service: 'ssm',
      match: { operation: 'SimulatePrincipalPolicy' },
      effect: { kind: 'status', status: 403 },
    });
    const [found] = (await probeAccess(request)).filter(({ outcome }) => outcome === 'not_probed');
    expect(found?.what.split(', ')).toEqual([
      'ssm:GetParameterHistory',
      'ssm:PutParameter',
      'ssm:DeleteParameter',
      'ssm:SendCommand',
      'ssm:GetCommandInvocation',
      'cloudwatch:DescribeAlarms',
      'ec2:TerminateInstances',
      'ec2:DeleteNetworkInterface',
      'ec2:DeleteSecurityGroup',
      'autoscaling:DescribeLifecycleHooks',
      'autoscaling:CompleteLifecycleAction',
      ...permissions.map(({ action }) => action).filter((action) => action.startsWith('iam:')),
    ]);
    expect(found?.detail).toContain('an attempt would have an effect, and IAM gave no decision');
  });

  test('reports that the policy of a customer-managed key is not simulated', async () => {
    const findings = await probeAccess({ ...request, kmsKeyId: 'alias/runners' });
    expect(findings).toContainEqual({
      what: 'kms:Encrypt, kms:Decrypt with alias/runners',
      outcome: 'not_probed',
      detail: 'the key has its own policy, which IAM does not simulate',
    });
  });

  test.each([
    ['a long-lived key', { AWS_ACCESS_KEY_ID: 'AKIASANDBOX' }, true],
    ['a key of a session', { AWS_ACCESS_KEY_ID: 'ASIASANDBOX', AWS_SESSION_TOKEN: 'x' }, false],
    ['no key', {}, false],
  ])('warns of %s: %s, %s', async (_name, environment, warned) => {
    const findings = (await probeAccess({ ...request, environment })).map(({ what }) => what);
    expect(findings.includes('short-lived AWS credentials')).toBe(warned);
  });

  test.each([
    ['the sweep is off', { sweep: 'off' as const }, /^(?:iam|tag|autoscaling):/],
    ['the IAM simulation is off', { roleNames: [] }, /^iam:/],
  ])('needs fewer permissions if %s', async (_name, less, spared) => {
    const policy = toPolicy(
      policyOf(
        permissions.filter(({ action }) => !spared.test(action)),
        place,
      ),
    );
    admit = (wish) => allows(policy, wish);
    const settings = { ...request.settings, ...less };
    const results = await probeAccess({ ...request, settings });
    expect(results.filter(({ outcome }) => outcome === 'missing')).toEqual([]);
    expect(await missing()).not.toEqual([]);
  });

  test('checks the role of a stage that runs under a different role', async () => {
    const cleanup = 'arn:aws:iam::123456789012:role/runners/cleanup';
    const results = await probeAccess({
      ...request,
      settings: { ...request.settings, stageRoles: { cleanup, finalize: cleanup } },
    });
    expect(results.map(({ what }) => what)).toContain(`AWS for ${cleanup}`);
  });
});

test.each([
  ['arn:aws:sts::111122223333:assumed-role/deploy/job', 'arn:aws:iam::111122223333:role/deploy'],
  ['arn:aws:iam::111122223333:user/a/b', 'arn:aws:iam::111122223333:user/a/b'],
  ['arn:aws:iam::111122223333:root', undefined],
  ['arn:aws:sts::111122223333:federated-user/x', undefined],
])('the IAM simulation covers %s on %s', (arn, principal) => {
  expect(principalOf({ arn })).toBe(principal);
});
