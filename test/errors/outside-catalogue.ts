import type { DeployError } from '../../src/errors/deploy-error.ts';
import { fromPortFailure } from '../../src/errors/external-errors.ts';
import {
  type FailureKind,
  PortFailure,
  type RefusalGround,
  type RefusedRole,
  type RoleGround,
  type Through,
} from '../../src/ports/failure.ts';

const portFailure = (
  kind: FailureKind,
  effect: 'none' | 'unknown' = 'none',
  detail = 'its own words',
  through?: Through,
) =>
  fromPortFailure(
    new PortFailure({ kind, effect, source: 'GitLab PUT /runners/48213', detail, through }),
    'hosted-runner provision --runner linux',
  );

const groundFailure = (kind: FailureKind, ground: RefusalGround, detail: string) =>
  fromPortFailure(
    new PortFailure({ kind, effect: 'none', source: 'GitLab PUT /runners/48213', detail, ground }),
    'hosted-runner provision --runner linux',
  );

const role = 'arn:aws:iam::111122223333:role/deploy';
const roleFailure = (refused: Omit<RefusedRole, 'ground'>, ground: RoleGround = 'trust_policy') =>
  fromPortFailure(
    new PortFailure({
      kind: 'unauthenticated',
      effect: 'none',
      source: `STS AssumeRoleWithWebIdentity ${role}`,
      detail: 'AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity',
      refusedRole: { ...refused, ground },
    }),
    'hosted-runner provision --runner linux',
  );

const gitlabClaims = {
  issuer: 'https://gitlab.example.com',
  subject: 'project_path:acme/runners:ref_type:branch:ref:main',
  audiences: ['sts.amazonaws.com'],
};

const documentFailure = fromPortFailure(
  new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'SSM SendCommand i-0123456789abcdef0',
    detail: 'InvalidDocument: document hash 0a does not match Sha256.',
    refusedDocument: { name: 'checks-of-linux', runner: 'linux' },
  }),
  'hosted-runner healthcheck --runner linux',
);

const throughProxy: Through = {
  proxy: 'http://proxy.example.com:3128',
  variable: 'https_proxy',
  exceptions: 'NO_PROXY',
  host: 'gitlab.example.com',
};

/** Errors about a system that did not respond as expected. */
export const outsideErrors: readonly DeployError[] = [
  portFailure('unreachable', 'unknown'),
  portFailure('unreachable', 'none', 'the proxy does not answer', throughProxy),
  portFailure('refused', 'none', 'the proxy answered 407 to CONNECT', throughProxy),
  fromPortFailure(
    new PortFailure({
      kind: 'unreachable',
      effect: 'none',
      source: 'GitLab PUT /runners/48213',
      detail: 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
      lasting: 'untrusted_certificate',
    }),
    'hosted-runner provision --runner linux',
  ),
  groundFailure(
    'unauthenticated',
    { kind: 'clock_off', mayBeExpired: true },
    'RequestExpired: Request has expired.',
  ),
  groundFailure(
    'denied',
    { kind: 'missing_permission', permissions: 'Runner: Update', place: 'the group' },
    'insufficient_granular_scope: Access denied: This operation requires a fine-grained personal access token with the following group permissions: [Runner: Update].',
  ),
  groundFailure(
    'denied',
    { kind: 'no_fine_grained_token', of: 'call' },
    "insufficient_granular_scope: Access denied: This operation doesn't support fine-grained personal access tokens.",
  ),
  groundFailure(
    'denied',
    { kind: 'no_fine_grained_token', of: 'user' },
    'insufficient_granular_scope: Access denied: Fine-grained personal access tokens are not yet supported.',
  ),
  groundFailure(
    'refused',
    { kind: 'runner_limit', place: 'group', most: 50 },
    '400 Bad request - Runner namespaces base Maximum number of ci registered group runners (50) exceeded',
  ),
  groundFailure(
    'refused',
    { kind: 'runner_limit', place: 'project', most: 1000 },
    'Maximum number of ci registered project runners (1000) exceeded',
  ),
  ...(
    [
      'unavailable',
      'read_only',
      'throttled',
      'unauthenticated',
      'denied',
      'refused',
      'unexpected',
    ] as const
  ).map((kind) => portFailure(kind)),
  ...[
    'repo:acme/runners:ref:refs/heads/main',
    'repo:acme@1111111/runners@22222222:ref:refs/heads/main',
  ]
    .map((subject) => ({
      issuer: 'https://token.actions.githubusercontent.com',
      subject,
      audiences: ['sts.amazonaws.com'],
    }))
    .map((claims) => roleFailure({ arn: role, claims })),
  roleFailure({ arn: role, claims: gitlabClaims }),
  roleFailure({ arn: undefined, claims: undefined }),
  roleFailure({ arn: undefined, claims: undefined }, 'absent_provider'),
  ...(['absent_provider', 'absent_audience', 'inactive_region'] as const).map((ground) =>
    roleFailure({ arn: role, claims: gitlabClaims }, ground),
  ),
  roleFailure({ arn: role, claims: { ...gitlabClaims, issuer: 'http://gitlab.example.com:8443' } }),
  documentFailure,
];
