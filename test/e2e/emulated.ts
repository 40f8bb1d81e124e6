/** How the emulator takes part in the deployments that are tested with it, by each call of ours to AWS. */
export interface Emulation {
  /**
   * `stages`: in whole deployments; `calls`: by single calls; `untried`: it knows the call, and the sandbox
   * answers; `no`: it does not know it.
   */
  readonly by: 'stages' | 'calls' | 'untried' | 'no';
  /** Where its answer is not as AWS documents it. */
  readonly differs?: string;
}

/** moto_server 5.2, as the CI installs it. */
export const emulated: Readonly<Record<string, Emulation>> = {
  GetParameter: { by: 'stages', differs: 'never behind a write' },
  GetParameterHistory: { by: 'stages', differs: 'never behind a write, and always ascending' },
  PutParameter: {
    by: 'stages',
    differs:
      '`AllowedPattern` is kept and not enforced; a deleted name is free at once; no `TooManyUpdates`',
  },
  DeleteParameter: { by: 'stages', differs: 'the name is free at once' },
  DescribeInstanceInformation: { by: 'no' },
  SendCommand: { by: 'untried', differs: 'taken for any instance, and nothing runs' },
  GetCommandInvocation: { by: 'untried', differs: 'of a command that never ran' },
  DescribeInstances: { by: 'stages', differs: 'an instance and its tags are there at once' },
  TerminateInstances: { by: 'stages', differs: 'terminated at once' },
  DescribeTags: { by: 'stages', differs: 'tags of what is gone are listed on' },
  DeleteSecurityGroup: { by: 'calls' },
  DeleteNetworkInterface: { by: 'calls' },
  DescribeAutoScalingGroups: { by: 'stages' },
  DescribeLifecycleHooks: { by: 'untried' },
  CompleteLifecycleAction: { by: 'no' },
  GetResources: { by: 'stages' },
  GetRole: { by: 'stages' },
  GetInstanceProfile: { by: 'stages' },
  ListInstanceProfilesForRole: {
    by: 'calls',
    differs: 'of a role that does not exist an empty list, where AWS says `NoSuchEntity`',
  },
  ListAttachedRolePolicies: { by: 'calls' },
  ListRolePolicies: { by: 'calls' },
  DetachRolePolicy: { by: 'calls' },
  DeleteRolePolicy: { by: 'calls' },
  DeleteRole: { by: 'calls' },
  RemoveRoleFromInstanceProfile: { by: 'calls' },
  DeleteInstanceProfile: { by: 'calls' },
  SimulatePrincipalPolicy: { by: 'no' },
  GetCallerIdentity: { by: 'stages', differs: 'one user for all keys but those of a session' },
  AssumeRoleWithWebIdentity: { by: 'stages', differs: 'any text is a token, and no session ends' },
};

export function renderEmulated(): string {
  const words = {
    stages: 'whole deployments',
    calls: 'single calls',
    untried: 'known, not asked',
    no: 'not known',
  };
  return [
    '| call | by the emulator | where it is not as AWS documents it |',
    '| --- | --- | --- |',
    ...Object.entries(emulated).map(
      ([call, { by, differs = '' }]) => `| \`${call}\` | ${words[by]} | ${differs} |`,
    ),
  ].join('\n');
}
