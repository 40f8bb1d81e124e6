import { type ErrorCode, exitCodeOf } from '../domain/error-codes.ts';
import { DeployError, type ExitCode, needsOperator } from './deploy-error.ts';
import type { CauseFacts } from './terraform-errors.ts';

/** Failed command of Terraform or OpenTofu, by the cause that its output names. */

const later = 'Wait a few minutes: the condition ends by itself.';

const kinds = {
  credentials: {
    code: 'TerraformCredentials',
    phrase: 'has no valid credentials',
    fix: 'Renew the credentials of the CI jobs: the role, the web identity, the profile, or the token of the backend.',
  },
  clock: {
    code: 'TerraformCredentials',
    phrase: 'signs requests with a time that AWS does not accept',
    fix: 'Correct the clock of the machine that runs the CI jobs. If the clock is right and RequestExpired is named above, renew the credentials.',
  },
  role: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS',
    fix: "Compare the role's trust policy with the token: the provider, and the conditions on sub and aud (docs/use/github.md, docs/use/permissions.md). The identity provider must list that aud. For sts:AssumeRole, the CI jobs also need the permission.",
  },
  issuerUnknown: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS, because the account has no identity provider for the token',
    fix: "Create an identity provider for the token's issuer in the account of the role.",
  },
  regionInactive: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS, which is inactive in this Region',
    fix: 'Activate STS for this Region in the account: IAM console, Account settings.',
  },
  denied: {
    code: 'TerraformDenied',
    phrase: 'lacks a permission',
    fix: 'Grant the permission named above to the role or the token of the CI jobs.',
  },
  capacity: {
    code: 'TerraformCapacity',
    phrase: 'found no capacity for an instance',
    fix: 'Configure another Availability Zone or instance type, such as one named above. Or wait: AWS does not report when capacity returns.',
  },
  subnet: {
    code: 'TerraformSubnetFull',
    phrase: 'found no free address in a subnet',
    fix: 'Configure a larger or another subnet, or remove unused network interfaces from it: two shards exist during a deployment.',
  },
  quota: {
    code: 'TerraformQuota',
    phrase: 'reached a limit of the account',
    fix: 'Have the limit raised, or remove unused resources: two shards exist during a deployment.',
  },
  throttled: {
    code: 'TerraformThrottled',
    phrase: 'was throttled for longer than it retries',
    fix: `${later} If it happens again, other programs of the account use up the request rate.`,
  },
  issuer: {
    code: 'TerraformIssuerUnreachable',
    phrase: "got no credentials, because STS could not reach the token's issuer",
    fix: later,
  },
  unreachable: {
    code: 'TerraformUnreachable',
    phrase: 'got no response, or a server error',
    fix: 'Check that the CI jobs reach the address named above. Server errors are temporary.',
  },
  lock: {
    code: 'TerraformLockFailed',
    phrase: 'could not lock the state, and no run is known to hold it',
    fix: "Correct the problem named above: the backend's lock table, bucket or address.",
  },
  unlock: {
    code: 'TerraformLockFailed',
    phrase: 'could not release the lock of the state',
    fix: 'Correct the problem named above.',
  },
  exists: {
    code: 'TerraformNameTaken',
    phrase: 'found a resource that exists but is in no state',
    fix: 'If it carries exactly the tags of the shard, the next run adopts it. Otherwise remove it, or import it as in docs/troubleshooting.md#terraformnametaken.',
  },
  provider: {
    code: 'TerraformProviderMissing',
    phrase: 'cannot install a provider or module',
    fix: 'Give the CI jobs access to the registry, or configure a mirror with TF_CLI_CONFIG_FILE.',
  },
  configuration: {
    code: 'TerraformConfigurationInvalid',
    phrase: 'does not accept the configuration',
    fix: 'Correct the configuration named above.',
  },
  version: {
    code: 'TerraformVersionRefused',
    phrase: 'has a version that the configuration or the state does not accept',
    fix: 'Use the version that required_version or the state requires.',
  },
  stale: {
    code: 'TerraformPlanStale',
    phrase: 'found that the state has changed since the plan',
    fix: 'Another process has written to the state: find it.',
  },
} as const;

export type TerraformTrouble = keyof typeof kinds;

export function causeError(kind: TerraformTrouble, facts: CauseFacts): DeployError {
  const { code, phrase, fix } = kinds[kind];
  const part = facts.touched
    ? [`${facts.shard} may be partly changed; the next run makes a new plan.`]
    : [];
  return new DeployError({
    code,
    exitCode: chooseExitCode(code, facts),
    what: `${facts.binary} ${facts.command} of ${facts.shard} ${phrase}.`,
    why: [...facts.words, ...part],
    fix: [fix, { say: 'Then', again: 'provision', ofAny: true, runner: facts.runner }],
  });
}

/** Codes of a service that gives no response or refuses for now: nothing is missing. */
const temporary: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  kinds.throttled.code,
  kinds.issuer.code,
  kinds.unreachable.code,
]);

export function isTemporary({ code }: DeployError): boolean {
  return temporary.has(code);
}

/**
 * Returns the error after a day without progress, for which an operator is needed. Not every
 * backend reports the age of a lock, and no throttling lasts this long.
 */
export function asLasting(error: DeployError, isOld: boolean): DeployError {
  if (!isOld || error.exitCode !== 75) return error;
  if (error.code === 'TerraformStateLocked') return needsOperator(error);
  return isTemporary(error) ? new DeployError({ ...error.written, exitCode: 1 }) : error;
}

function chooseExitCode(code: ErrorCode, { touched, isLockRequested }: CauseFacts): ExitCode {
  const exitCode = exitCodeOf[code];
  // A lock request that fails does not prove a running holder: the pipeline must fail.
  if (isLockRequested) return 1;
  // Exit code 2 promises that nothing was touched.
  return exitCode === 2 && touched ? 1 : exitCode;
}
