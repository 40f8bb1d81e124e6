import { renewalOf } from '../domain/text/credential-renewal.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import type { PortFailure, RunnerLimit, Through } from '../ports/failure.ts';
import { DeployError } from './deploy-error.ts';

/**
 * Suggests a fix for a call without the permission of a fine-grained token. In a namespace that
 * requires such tokens, GitLab refuses a classic token in the same way: no permission then helps.
 */
export function granularTokenFix({ ground }: PortFailure): readonly string[] | undefined {
  if (ground?.kind === 'no_fine_grained_token')
    return [
      ground.of === 'call'
        ? 'Use a classic token with the scope api: this GitLab accepts no fine-grained token for the call.'
        : 'Use a classic token with the scope api, or have an administrator enable the feature flag granular_personal_access_tokens for the user of the token.',
    ];
  if (ground?.kind !== 'missing_permission') return undefined;
  const { permissions = 'the permission named above', place } = ground;
  const where = place === undefined ? '' : ` for ${place}`;
  return [
    `Create a fine-grained token that has ${permissions}${where}; docs/use/permissions.md lists the permission of each call.`,
    'If the token is a classic one, replace it: the namespace accepts only fine-grained tokens.',
  ];
}

/** Suggests a clock fix: AWS accepts a signature for 5 to 15 minutes. */
export function clockFix({ ground, source }: PortFailure): readonly string[] | undefined {
  if (ground?.kind !== 'clock_off') return undefined;
  return [
    'Correct the clock of the machine that runs hosted-runner; timedatectl shows whether it is synchronized.',
    ...(ground.mayBeExpired ? [`If the clock is right: ${renewalOf(source).renew}.`] : []),
  ];
}

/**
 * Limit of runners. Stale ones do not count (`limit_relation = :recent_runners`), so removing them
 * does not help.
 */
export function runnerLimit(
  { place, most }: Pick<RunnerLimit, 'place' | 'most'>,
  { seen, again }: { seen: string; again: string },
): DeployError {
  return new DeployError({
    code: 'RunnerLimit',
    what: `GitLab allows ${most} runners in this ${place}, and the candidate needs one more.`,
    why: [
      seen,
      'During a deployment, a stack has one more runner than before. GitLab counts every runner that is not stale.',
    ],
    fix: [
      `Remove unused runners. List them with GET /${place}s/:id/runners?type=${place}_type&status=never_contacted, and again with &status=offline.`,
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
    `Check the proxy ${proxy} (set by ${variable}), or unset it: ${inShell`unset ${variable}`}`,
    inShell`Or exclude this host from the proxy, if it can be reached directly: export ${exceptions}="\${${exceptions}:+$${exceptions},}"${hostname}`,
  ];
}

export const trust = [
  'To trust a CA of your organization: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
] as const;
