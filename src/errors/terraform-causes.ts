import { type ErrorCode, exitCodeOf } from '../domain/error-codes.ts';
import { DeployError, type ExitCode, needsOperator } from './deploy-error.ts';
import type { CauseFacts } from './terraform-errors.ts';

/** A command of Terraform or OpenTofu that failed, by the cause that its own words name. */

const later = 'It ends without an operator: run the stage again in some minutes.';

const kinds = {
  credentials: {
    code: 'TerraformCredentials',
    phrase: 'has no credentials that are accepted',
    fix: 'Renew the credentials of these jobs: the role, the web identity, the profile, or the token of the backend.',
  },
  clock: {
    code: 'TerraformCredentials',
    phrase: 'signs requests with a time that AWS does not accept',
    fix: 'Correct the clock of the machine that runs these jobs. If the clock is right and RequestExpired is named above, renew the credentials.',
  },
  role: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS',
    fix: "Compare the role's trust policy with the token: its provider, and its conditions on sub and aud (docs/use/github.md, docs/use/permissions.md). The identity provider has to hold that aud, too. No permission of these jobs decides it; sts:AssumeRole alone needs that action granted, too.",
  },
  issuerUnknown: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS, because the account has no identity provider for the token',
    fix: 'Create the identity provider that is named above in the account of the role.',
  },
  regionInactive: {
    code: 'TerraformRoleRefused',
    phrase: 'was refused a role by STS, which is inactive in this Region',
    fix: 'Activate STS for this Region in the account: IAM console, Account settings.',
  },
  denied: {
    code: 'TerraformDenied',
    phrase: 'lacks a permission',
    fix: 'Grant what is named above to the role or the token of these jobs.',
  },
  capacity: {
    code: 'TerraformCapacity',
    phrase: 'found no capacity for an instance',
    fix: 'Configure another Availability Zone or instance type, such as one that the words above name. Or run the stage again later: AWS does not report when capacity returns.',
  },
  subnet: {
    code: 'TerraformSubnetFull',
    phrase: 'found no free address in a subnet',
    fix: 'Configure a larger or another subnet, or remove unused network interfaces from it: two shards exist during a deployment.',
  },
  quota: {
    code: 'TerraformQuota',
    phrase: 'has met a limit of the account',
    fix: 'Have the limit raised, or free what is left over: two shards are there during a deployment.',
  },
  throttled: {
    code: 'TerraformThrottled',
    phrase: 'was throttled for longer than it retries',
    fix: `${later} If it comes back, other programs of the account use up the same request rate.`,
  },
  issuer: {
    code: 'TerraformIssuerUnreachable',
    phrase: "got no credentials, because STS could not reach the token's issuer",
    fix: later,
  },
  unreachable: {
    code: 'TerraformUnreachable',
    phrase: 'got no answer, or a server error',
    fix: 'Check that these jobs reach the address that is named above. A server error ends without an operator.',
  },
  lock: {
    code: 'TerraformLockFailed',
    phrase: 'could not request the lock of the state, and no run is reported to hold it',
    fix: "Correct what is named above: the backend's lock table, bucket or address.",
  },
  unlock: {
    code: 'TerraformLockFailed',
    phrase: 'could not release the lock of the state',
    fix: 'Correct what is named above.',
  },
  exists: {
    code: 'TerraformNameTaken',
    phrase: 'has met something that exists already and is in no state',
    fix: 'Where a killed run has left it: the next run adopts what carries exactly the tags of the shard. Remove anything else, or import it by docs/troubleshooting.md#terraformnametaken.',
  },
  provider: {
    code: 'TerraformProviderMissing',
    phrase: 'cannot install a provider or module',
    fix: 'Let these jobs reach the registry, or give them a mirror by TF_CLI_CONFIG_FILE.',
  },
  configuration: {
    code: 'TerraformConfigurationInvalid',
    phrase: 'does not accept the configuration',
    fix: 'Correct it where the words above point to.',
  },
  version: {
    code: 'TerraformVersionRefused',
    phrase: 'is not of a version that the configuration or the state accepts',
    fix: 'Use the version that required_version or the state names.',
  },
  stale: {
    code: 'TerraformPlanStale',
    phrase: 'found that the state has changed since the plan',
    fix: 'Somebody else has written to the state. Find out who, then run the stage again.',
  },
} as const;

export type TerraformTrouble = keyof typeof kinds;

export function causeError(kind: TerraformTrouble, facts: CauseFacts): DeployError {
  const { code, phrase, fix } = kinds[kind];
  const part = facts.touched
    ? [`${facts.shard} may be half done; the next run plans again from what is there.`]
    : [];
  return new DeployError({
    code,
    exitCode: chooseExitCode(code, facts),
    what: `${facts.binary} ${facts.command} of ${facts.shard} ${phrase}.`,
    why: [...facts.words, ...part],
    fix: [fix, { say: 'Then', again: 'provision', ofAny: true, runner: facts.runner }],
  });
}

/** A service that does not respond or refuses for now, whatever the exit code: nothing is missing. */
const temporary: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  kinds.throttled.code,
  kinds.issuer.code,
  kinds.unreachable.code,
]);

export function isTemporary({ code }: DeployError): boolean {
  return temporary.has(code);
}

/**
 * The same after a day without progress: no backend reports the age of each lock, and no throttling
 * lasts so long by itself.
 */
export function asLasting(error: DeployError, isOld: boolean): DeployError {
  if (!isOld || error.exitCode !== 75) return error;
  if (error.code === 'TerraformStateLocked') return needsOperator(error);
  return isTemporary(error) ? new DeployError({ ...error.written, exitCode: 1 }) : error;
}

function chooseExitCode(code: ErrorCode, { touched, isLockRequested }: CauseFacts): ExitCode {
  const exitCode = exitCodeOf[code];
  // A lock that cannot be requested is no run that goes on: a pipeline must not pass because of it.
  if (isLockRequested) return 1;
  // 2 promises that nothing was touched.
  return exitCode === 2 && touched ? 1 : exitCode;
}
