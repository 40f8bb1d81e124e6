import type { AutoScaling, Ec2, Ssm, Tagging } from '../services.ts';
import type { Permission, PolicyRole } from './permissions.ts';

/** Action that can be tried without an effect. */
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

/** Parameters that a gate reads in one call. */
const stateNames = ['deployment_hold', 'deployment_lock', 'deployment_record'];

export function trialsOf(wanted: readonly Permission[]): readonly Trial[] {
  return Object.keys(trials).flatMap((action) => {
    const roles = wanted.filter((one) => one.action === action).flatMap((one) => one.roles);
    return roles.length === 0 ? [] : [{ action, roles: [...new Set(roles)] }];
  });
}

/** Tries an action. Rejects if AWS refuses it. */
export async function tryOut(
  services: TrialServices,
  { action }: Trial,
  parameterPrefix: string,
): Promise<void> {
  await trials[action]?.(services, parameterPrefix);
}

const effect = 'read';

/** Calls by action. List calls request a short page. */
const trials: Readonly<
  Record<string, (services: TrialServices, parameterPrefix: string) => Promise<unknown>>
> = {
  'ssm:GetParameter': ({ ssm }, parameterPrefix) => {
    const name = `${parameterPrefix}deployment_status`;
    return ssm.send({
      what: `GetParameter ${name}`,
      effect,
      counts: 'parameters',
      call: (client, options) => client.getParameter({ Name: name }, options),
      answers: ['ParameterNotFound'],
    });
  },
  'ssm:GetParameters': ({ ssm }, parameterPrefix) => {
    const names = stateNames.map((name) => `${parameterPrefix}${name}`);
    return ssm.send({
      what: `GetParameters ${names.join(', ')}`,
      effect,
      counts: 'parameters',
      call: (client, options) => client.getParameters({ Names: names }, options),
    });
  },
  'ssm:DescribeInstanceInformation': ({ ssm }) =>
    ssm.send({
      what: 'DescribeInstanceInformation',
      effect,
      call: (client, options) => client.describeInstanceInformation({ MaxResults: 5 }, options),
    }),
  'ec2:DescribeInstances': ({ ec2 }) =>
    ec2.send({
      what: 'DescribeInstances',
      effect,
      call: (client, options) => client.describeInstances({ DryRun: true }, options),
      answers: ['DryRunOperation'],
    }),
  'ec2:DescribeTags': ({ ec2 }) =>
    ec2.send({
      what: 'DescribeTags',
      effect,
      call: (client, options) => client.describeTags({ DryRun: true }, options),
      answers: ['DryRunOperation'],
    }),
  'tag:GetResources': ({ tagging }) =>
    tagging.send({
      what: 'GetResources',
      effect,
      call: (client, options) => client.getResources({ ResourcesPerPage: 1 }, options),
    }),
  'autoscaling:DescribeAutoScalingGroups': ({ autoScaling }) =>
    autoScaling.send({
      what: 'DescribeAutoScalingGroups',
      effect,
      call: (client, options) => client.describeAutoScalingGroups({ MaxRecords: 1 }, options),
    }),
};
