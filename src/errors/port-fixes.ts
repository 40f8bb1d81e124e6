import { inShell } from '../domain/text/shell-word.ts';
import type { PortFailure, Through } from '../ports/failure.ts';
import { DeployError } from './deploy-error.ts';

/**
 * A call that a fine-grained token has no permission for. GitLab refuses a classic token so, too, in a
 * namespace that requires fine-grained ones: then no permission is to be added.
 */
export function granularMend({ kind, detail }: PortFailure): readonly string[] | undefined {
  if (kind !== 'denied' || !detail.includes('insufficient_granular_scope')) return undefined;
  const [, permissions, place] = /\[([\w ,:]+)\](?: for \\?"([^"\\]+))?/.exec(detail) ?? [];
  const what = permissions === undefined ? 'the permission that it names' : permissions;
  const where = place === undefined ? '' : ` for ${place}`;
  return [
    `Create a fine-grained token that has ${what}${where}; docs/use/permissions.md lists the permission of each call.`,
    'If the token is a classic one, its namespace requires fine-grained tokens.',
  ];
}

/** `group` or `project`, with the number that GitLab tells. */
export function runnerLimitIn({
  kind,
  detail,
}: PortFailure): { place: string; most: string } | undefined {
  if (kind !== 'refused') return undefined;
  const said = /Maximum number of (?:ci )?registered (group|project) runners \((\d+)\) exceeded/i;
  const [, place, most] = said.exec(detail) ?? [];
  return place === undefined || most === undefined ? undefined : { place, most };
}

export function runnerLimit(
  failure: PortFailure,
  { limit: { place, most }, again }: { limit: { place: string; most: string }; again: string },
): DeployError {
  return new DeployError({
    code: 'RunnerLimit',
    exitCode: 1,
    what: `GitLab allows ${most} runners in this ${place}, and the candidate's would be one more.`,
    why: [
      `"${failure.detail}"`,
      'A deployment needs one runner more than the stacks have. GitLab counts every runner that was created or has contacted it in the last three months.',
    ],
    fix: [
      `Remove runners that are not used any more: GET /${place}s/:id/runners?type=${place}_type&status=stale lists them, and &status=never_contacted.`,
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

/** Node's words for a certificate whose signer it does not know: a CA of one's own, mostly. */
export function isUntrusted({ kind, detail }: PortFailure): boolean {
  return kind === 'unreachable' && /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(detail);
}

export const trust = [
  'If its CA is your own, give it to Node: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
] as const;
