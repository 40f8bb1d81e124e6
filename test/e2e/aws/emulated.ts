/** How an emulator of AWS takes part in what is tested with it, by each call of ours to AWS. */
export interface Emulation {
  /** The suites in which it has answered this call, each of which holds its own list; none where it does not know it. */
  readonly in: readonly Suite[];
  /** Where its answer is not as AWS documents it. */
  readonly differs?: string;
}

/** Whole deployments are those of the first two. */
export type Suite =
  | 'aws-emulator-stages'
  | 'terraform-aws-deployments'
  | 'aws-emulator'
  | 'aws-emulated-calls';

/** moto_server 5.2, as the CI installs it. */
export const emulated: Readonly<Record<string, Emulation>> = {
  GetParameter: {
    in: ['aws-emulator-stages', 'aws-emulated-calls'],
    differs: 'never behind a write',
  },
  GetParameters: {
    in: ['aws-emulator-stages', 'aws-emulated-calls'],
    differs: 'never behind a write',
  },
  GetParameterHistory: {
    in: ['aws-emulator-stages', 'aws-emulated-calls'],
    differs: 'never behind a write, and always ascending',
  },
  PutParameter: {
    in: ['aws-emulator-stages', 'aws-emulated-calls'],
    differs:
      '`AllowedPattern` is kept and not enforced; a deleted name is free at once; no `TooManyUpdates`',
  },
  DeleteParameter: {
    in: ['aws-emulator-stages', 'aws-emulated-calls'],
    differs: 'the name is free at once',
  },
  DescribeInstanceInformation: { in: [] },
  SendCommand: { in: ['aws-emulated-calls'], differs: 'taken for any instance, and nothing runs' },
  GetCommandInvocation: { in: ['aws-emulated-calls'], differs: 'of a command that never ran' },
  ListCommandInvocations: { in: [] },
  DescribeInstances: {
    in: ['terraform-aws-deployments', 'aws-emulator', 'aws-emulated-calls'],
    differs: 'an instance and its tags are there at once',
  },
  TerminateInstances: {
    in: ['aws-emulator'],
    differs: 'terminated at once',
  },
  DescribeTags: {
    in: ['terraform-aws-deployments', 'aws-emulator'],
    differs: 'tags of what is gone are listed on',
  },
  DeleteSecurityGroup: { in: ['aws-emulator'] },
  DeleteNetworkInterface: { in: ['aws-emulator'] },
  DescribeAutoScalingGroups: {
    in: ['terraform-aws-deployments', 'aws-emulator', 'aws-emulated-calls'],
    differs: 'no instance ever waits for a hook',
  },
  DescribeLifecycleHooks: { in: ['aws-emulated-calls'] },
  CompleteLifecycleAction: { in: [] },
  DescribeAlarms: { in: ['aws-emulated-calls'] },
  GetResources: { in: ['terraform-aws-deployments', 'aws-emulator'] },
  GetRole: { in: ['terraform-aws-deployments', 'aws-emulator'] },
  GetInstanceProfile: { in: ['terraform-aws-deployments', 'aws-emulator'] },
  ListInstanceProfilesForRole: {
    in: ['aws-emulator'],
    differs: 'of a role that does not exist an empty list, where AWS says `NoSuchEntity`',
  },
  ListAttachedRolePolicies: { in: ['aws-emulator'] },
  ListRolePolicies: { in: ['aws-emulator'] },
  DetachRolePolicy: { in: ['aws-emulator'] },
  DeleteRolePolicy: { in: ['aws-emulator'] },
  DeleteRole: { in: ['aws-emulator'] },
  RemoveRoleFromInstanceProfile: { in: ['aws-emulator'] },
  DeleteInstanceProfile: { in: ['aws-emulator'] },
  SimulatePrincipalPolicy: { in: [] },
  GetCallerIdentity: {
    in: ['terraform-aws-deployments', 'aws-emulator', 'aws-emulated-calls'],
    differs: 'one user for all keys but those of a session',
  },
  AssumeRoleWithWebIdentity: {
    in: ['aws-emulated-calls'],
    differs: 'any text is a token, and no session ends',
  },
};

const calls = Object.entries(emulated);

export function answeredIn(suite: Suite): string[] {
  return calls.flatMap(([call, { in: suites }]) => (suites.includes(suite) ? [call] : [])).sort();
}

export const notEmulated = calls
  .flatMap(([call, { in: suites }]) => (suites.length === 0 ? [call] : []))
  .sort();

export function renderEmulated(): string {
  return [
    '| call | answered in | where it is not as AWS documents it |',
    '| --- | --- | --- |',
    ...calls.map(([call, { in: suites, differs = '' }]) => {
      const words = suites.map((suite) => `\`${suite}\``).join(', ');
      return `| \`${call}\` | ${words || 'not emulated'} | ${differs} |`;
    }),
  ].join('\n');
}
