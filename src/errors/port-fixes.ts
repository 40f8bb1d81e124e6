import { credentialsToRenew } from '../domain/text/credential-renewal.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import type { PortFailure, RunnerLimit, Through } from '../ports/failure.ts';
import { DeployError } from './deploy-error.ts';

/**
 * A call that a fine-grained token has no permission for. GitLab refuses a classic token so, too, in a
 * namespace that requires fine-grained ones: then no permission is to be added.
 */
export function granularTokenFix({ ground }: PortFailure): readonly string[] | undefined {
  if (ground?.kind === 'no_fine_grained_token')
    return [
      ground.of === 'call'
        ? 'Use a classic token with the scope api: this GitLab opens the call to no fine-grained token.'
        : 'Use a classic token with the scope api, or have an administrator enable the feature flag granular_personal_access_tokens for its user.',
    ];
  if (ground?.kind !== 'missing_permission') return undefined;
  const { permissions = 'the permission that it names', place } = ground;
  const where = place === undefined ? '' : ` for ${place}`;
  return [
    `Create a fine-grained token that has ${permissions}${where}; docs/use/permissions.md lists the permission of each call.`,
    'If the token is a classic one, its namespace requires fine-grained tokens.',
  ];
}

/** AWS accepts a signature for 5 to 15 minutes. */
export function clockFix({ ground }: PortFailure): readonly string[] | undefined {
  if (ground?.kind !== 'clock_off') return undefined;
  return [
    'Correct the clock of the machine that runs hosted-runner; timedatectl shows whether it is synchronized.',
    ...(ground.mayBeExpired
      ? [`If the clock is right, renew the credentials: ${credentialsToRenew}.`]
      : []),
  ];
}

/** Stale runners do not count (`limit_relation = :recent_runners`), so that removing them frees no place. */
export function runnerLimit(
  { place, most }: Pick<RunnerLimit, 'place' | 'most'>,
  { seen, again }: { seen: string; again: string },
): DeployError {
  return new DeployError({
    code: 'RunnerLimit',
    what: `GitLab allows ${most} runners in this ${place}, and the candidate's would be one more.`,
    why: [
      seen,
      'A deployment needs one runner more than the stacks have. GitLab counts every runner that is not stale.',
    ],
    fix: [
      `Remove runners that are not used any more: GET /${place}s/:id/runners?type=${place}_type&status=never_contacted lists them, and &status=offline.`,
      'Or have an administrator raise the limit of the plan.',
      `Then run it again: ${again}`,
    ],
  });
}

export function checkProxy(through: Through | undefined): readonly string[] | undefined {
  if (through === undefined) return undefined;
  const { proxy, variable, exceptions, host } = through;
  const { hostname } = new URL(`https://${host}`);
  return [
    `Check the proxy ${proxy}, which ${variable} names, or unset it: ${inShell`unset ${variable}`}`,
    inShell`Or spare this host, if it is reached directly: export ${exceptions}="\${${exceptions}:+$${exceptions},}"${hostname}`,
  ];
}

export const trust = [
  'If its CA is your own, give it to Node: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
] as const;
