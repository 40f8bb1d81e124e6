import { type ErrorCode, exitCodeOf } from '../domain/error-codes.ts';
import { DeployError, type ExitCode, needsOperator } from './deploy-error.ts';
import type { CauseFacts } from './terraform-errors.ts';

/** Failed command of Terraform or OpenTofu, by the cause that its output names. */

const later = 'Wait a few minutes: the problem is temporary.';

const kinds = {
  credentials: {
    code: 'TerraformCredentials',
    phrase: 'no valid credentials',
    fix: 'Renew the credentials of the CI jobs: the role, the web identity, the profile, or the token of the backend.',
  },
  clock: {
    code: 'TerraformCredentials',
    phrase: 'AWS did not accept the time of its requests',
    fix: 'Correct the clock of the machine that runs the CI jobs. If the clock is right and RequestExpired is named above, renew the credentials.',
  },
  role: {
    code: 'TerraformRoleRefused',
    phrase: 'STS did not grant the role',
    fix: "Compare the role's trust policy with the token: the provider, and the conditions on sub and aud (docs/use/github.md, docs/use/permissions.md). The identity provider must list that aud. The CI jobs also need the permission for sts:AssumeRole, if they call it.",
  },
  issuerUnknown: {
    code: 'TerraformRoleRefused',
    phrase:
      'STS did not grant the role, because the account has no identity provider for the token',
    fix: "Create an identity provider for the token's issuer in the account of the role.",
  },
  regionInactive: {
    code: 'TerraformRoleRefused',
    phrase: 'STS did not grant the role, because STS is inactive in this Region',
    fix: 'Activate STS for this Region in the account: IAM console, Account settings.',
  },
  denied: {
    code: 'TerraformDenied',
    phrase: 'a permission is missing',
    fix: 'Grant the permission named above to the role or the token of the CI jobs.',
  },
  capacity: {
    code: 'TerraformCapacity',
    phrase: 'AWS has no capacity for an instance',
    fix: 'Configure another Availability Zone or instance type, such as one named above. Or wait: AWS does not report when capacity returns.',
  },
  subnet: {
    code: 'TerraformSubnetFull',
    phrase: 'a subnet has no free address',
    fix: 'Remove unused network interfaces from this subnet, or configure a larger or another subnet. During a deployment, it needs addresses for two shards.',
  },
  quota: {
    code: 'TerraformQuota',
    phrase: 'a limit of the account is reached',
    fix: 'Have the limit raised, or remove unused resources: two shards exist at the same time during a deployment.',
  },
  throttled: {
    code: 'TerraformThrottled',
    phrase: 'all its retries were throttled',
    fix: `${later} If it happens again, other programs of the account use up the request rate.`,
  },
  issuer: {
    code: 'TerraformIssuerUnreachable',
    phrase: "STS gave no credentials, because it could not reach the token's issuer",
    fix: later,
  },
  unreachable: {
    code: 'TerraformUnreachable',
    phrase: 'a service did not respond or returned a server error',
    fix: 'Check that the CI jobs reach the address named above. Server errors are temporary.',
  },
  lock: {
    code: 'TerraformLockFailed',
    phrase: 'the state could not be locked, and no run is known to hold the lock',
    fix: "Correct the backend's lock table, bucket or address: the problem is quoted above.",
  },
  unlock: {
    code: 'TerraformLockFailed',
    phrase: 'the lock of the state could not be released',
    fix: 'Correct the problem named above.',
  },
  exists: {
    code: 'TerraformNameTaken',
    phrase: 'a resource already exists, but no Terraform state contains it',
    fix: 'If the resource has exactly the tags of the shard, the next run adopts it. Otherwise remove it, or import it as in docs/troubleshooting.md#terraformnametaken.',
  },
  provider: {
    code: 'TerraformProviderMissing',
    phrase: 'a provider or module could not be installed',
    fix: 'Give the CI jobs access to the registry, or configure a mirror with TF_CLI_CONFIG_FILE.',
  },
  configuration: {
    code: 'TerraformConfigurationInvalid',
    phrase: 'the configuration is invalid',
    fix: 'Correct the configuration named above.',
  },
  version: {
    code: 'TerraformVersionRefused',
    phrase: 'the configuration or the state requires another version',
    fix: 'Use a version that required_version and the state accept.',
  },
  stale: {
    code: 'TerraformPlanStale',
    phrase: 'the state has changed since the plan',
    fix: 'Find the other process that has written to the state.',
  },
} as const;

export type TerraformTrouble = keyof typeof kinds;

export function causeError(kind: TerraformTrouble, facts: CauseFacts): DeployError {
  const { code, phrase, fix } = kinds[kind];
  const part = facts.touched
    ? [`${facts.shard} may be partly changed. The next run makes a new plan.`]
    : [];
  return new DeployError({
    code,
    exitCode: chooseExitCode(code, facts),
    what: `${facts.binary} ${facts.command} for ${facts.shard} failed: ${phrase}.`,
    why: [...facts.words, ...part],
    fix: [fix, { text: 'Then run', again: 'provision', ofAny: true, runner: facts.runner }],
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
