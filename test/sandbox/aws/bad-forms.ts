import type { BadValue } from './bad-values.ts';

/** Requests of the query protocol with a value that AWS refuses, by service. */
export const badForms: Readonly<Record<string, readonly BadValue[]>> = {
  autoscaling: [
    form('DescribeAutoScalingGroups', '101 groups', { MaxRecords: '101' }, 'equal to 100'),
    form('DescribeLifecycleHooks', 'no group', {}, "null at 'autoScalingGroupName'"),
    form(
      'DescribeLifecycleHooks',
      'an unknown group',
      { AutoScalingGroupName: 'bogus' },
      'AutoScalingGroup name not found - bogus',
    ),
    form('CompleteLifecycleAction', 'no hook', completion({ LifecycleHookName: '' }), 'Hook'),
    form(
      'CompleteLifecycleAction',
      'the name of another hook',
      completion({ LifecycleHookName: 'another' }),
      'No active Lifecycle Action found with instance ID i-00000000000000001',
    ),
    form(
      'CompleteLifecycleAction',
      'an instance that does not wait',
      completion({ InstanceId: 'i-00000000000000002' }),
      'No active Lifecycle Action found with instance ID i-00000000000000002',
    ),
    form(
      'CompleteLifecycleAction',
      'an unknown result',
      completion({ LifecycleActionResult: 'BOGUS' }),
      'BOGUS',
    ),
  ],
  sts: [
    form('AssumeRole', 'a session of 899 s', role({ DurationSeconds: '899' }), 'equal to 900'),
    form(
      'AssumeRole',
      "a session above the role's maximum",
      role({ DurationSeconds: '3601' }),
      'exceeds the MaxSessionDuration set for this role',
    ),
    form('AssumeRole', 'a session of 12.1 h', role({ DurationSeconds: '43560' }), 'equal to 43200'),
    form('AssumeRole', 'a name with a space', role({ RoleSessionName: 'a b' }), 'roleSessionName'),
    form('AssumeRoleWithWebIdentity', 'no token', role({}), "null at 'webIdentityToken'"),
  ],
  iam: [
    form('GetRole', 'a name with a slash', { RoleName: 'a/b' }, "at 'roleName'"),
    form('ListRolePolicies', '1,001 policies', { RoleName: 'a', MaxItems: '1001' }, '1000'),
    form(
      'SimulatePrincipalPolicy',
      'no caller',
      { 'ActionNames.member.1': 'ec2:RunInstances' },
      '',
    ),
    {
      ...form('GetRole', 'an unknown name', { RoleName: 'bogus' }, ''),
      code: 'NoSuchEntity',
    },
  ],
  ec2: [
    ec2('DescribeInstances', 'a malformed id', 'InvalidInstanceID.Malformed', 'bogus'),
    ec2('TerminateInstances', 'a malformed id', 'InvalidInstanceID.Malformed', 'bogus'),
    ec2('TerminateInstances', 'an unknown id', 'InvalidInstanceID.NotFound', 'i-00000000'),
  ],
};

function form(
  operation: string,
  bad: string,
  request: BadValue['request'],
  message: string,
): BadValue {
  const source = `API references: API_${operation}.html`;
  return { operation, bad, request, code: 'ValidationError', message, source };
}

function ec2(operation: string, bad: string, code: string, id: string): BadValue {
  const source = 'AWSEC2/latest/APIReference/errors-overview.html';
  return { operation, bad, request: { 'InstanceId.1': id }, code, message: id, source };
}

function completion(changed: Readonly<Record<string, string>>) {
  return {
    AutoScalingGroupName: 'workers',
    LifecycleHookName: 'drain',
    LifecycleActionResult: 'CONTINUE',
    InstanceId: 'i-00000000000000001',
    ...changed,
  };
}

function role(changed: Readonly<Record<string, string>>) {
  return {
    RoleArn: 'arn:aws:iam::123456789012:role/deploy',
    RoleSessionName: 'job-1',
    ...changed,
  };
}
