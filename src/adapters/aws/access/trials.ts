import type { AutoScaling, Ec2, Ssm, Tagging } from '../services.ts';
import type { Permission, PolicyRole } from './permissions.ts';

/** An action that can be tried without an effect. */
export interface Trial {
  readonly action: string;
  readonly roles: readonly PolicyRole[];
}

export interface TrialServices {
  readonly ssm: Ssm;
  readonly ec2: Ec2;
  readonly autoScaling: AutoScaling;
  readonly tagging: Tagging;
}

const tryable = [
  'ssm:GetParameter',
  'ssm:GetParameters',
  'ssm:DescribeInstanceInformation',
  'ec2:DescribeInstances',
  'ec2:DescribeTags',
  'tag:GetResources',
  'autoscaling:DescribeAutoScalingGroups',
];

/** What a gate reads in one call. */
const stateNames = ['deployment_hold', 'deployment_lock', 'deployment_record'];

export function trialsOf(wanted: readonly Permission[]): readonly Trial[] {
  return tryable.flatMap((action) => {
    const roles = wanted.filter((one) => one.action === action).flatMap((one) => one.roles);
    return roles.length === 0 ? [] : [{ action, roles: [...new Set(roles)] }];
  });
}

/** Resolves if AWS let us; a list is a short one. */
export async function tryOut(
  { ssm, ec2, autoScaling, tagging }: TrialServices,
  { action }: Trial,
  parameterPrefix: string,
): Promise<void> {
  const what = action.slice(action.indexOf(':') + 1);
  const effect = 'read';
  switch (action) {
    case 'ssm:GetParameter': {
      const name = `${parameterPrefix}deployment_status`;
      await ssm.ask({
        what: `${what} ${name}`,
        effect,
        counts: 'parameters',
        call: (client, options) => client.getParameter({ Name: name }, options),
        answers: ['ParameterNotFound'],
      });
      return;
    }
    case 'ssm:GetParameters': {
      const names = stateNames.map((name) => `${parameterPrefix}${name}`);
      await ssm.ask({
        what: `${what} ${names.join(', ')}`,
        effect,
        counts: 'parameters',
        call: (client, options) => client.getParameters({ Names: names }, options),
      });
      return;
    }
    case 'ssm:DescribeInstanceInformation':
      await ssm.ask({
        what,
        effect,
        call: (client, options) => client.describeInstanceInformation({ MaxResults: 5 }, options),
      });
      return;
    case 'ec2:DescribeInstances':
      await ec2.ask({
        what,
        effect,
        call: (client, options) => client.describeInstances({ DryRun: true }, options),
        answers: ['DryRunOperation'],
      });
      return;
    case 'ec2:DescribeTags':
      await ec2.ask({
        what,
        effect,
        call: (client, options) => client.describeTags({ DryRun: true }, options),
        answers: ['DryRunOperation'],
      });
      return;
    case 'tag:GetResources':
      await tagging.ask({
        what,
        effect,
        call: (client, options) => client.getResources({ ResourcesPerPage: 1 }, options),
      });
      return;
    case 'autoscaling:DescribeAutoScalingGroups':
      await autoScaling.ask({
        what,
        effect,
        call: (client, options) => client.describeAutoScalingGroups({ MaxRecords: 1 }, options),
      });
  }
}
