import { isClockSkewCorrectedError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { CredentialState } from '../../domain/text/credential-renewal.ts';
import type { RefusedRole, RoleGround } from '../../ports/failure.ts';

/** AWS error with its code and message. */
interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** Basis of the SDK's own retries: its lists of codes, and the traits of a service's errors. */
export interface SdkVerdict {
  readonly isThrottle: boolean;
  readonly isTransient: boolean;
  /** The SDK learned the service's time from this refusal and signs with it from now on. */
  readonly isClockCorrected: boolean;
}

export type SdkError = Parameters<typeof isTransientError>[0];

export function classify(error: SdkError): SdkVerdict {
  return {
    isThrottle: isThrottlingError(error),
    isTransient: isTransientError(error),
    isClockCorrected: isClockSkewCorrectedError(error) === true,
  };
}

/**
 * Codes that the SDK does not list. Another write was in progress, so this one had no effect.
 * https://docs.aws.amazon.com/IAM/latest/APIReference/API_DeleteRole.html
 */
export const writeConflicts =
  /^(?:TooManyUpdates|ResourceContention(?:Fault)?|Throttled|(?:ConcurrentModification|EntityTemporarilyUnmodifiable)(?:Exception)?)$/;

/** Detects that AWS refuses the time of the request: the clock of this machine is wrong. */
export function isClockRefusal({ name, message }: Refusal): boolean {
  if (/^(?:InvalidSignatureException|SignatureDoesNotMatch)$/.test(name))
    return /^Signature (?:expired|not yet current)/.test(message);
  return /^(?:RequestExpired|RequestInTheFuture|RequestTimeTooSkewed)$/.test(name);
}

/**
 * Detects a refusal that a retry may avoid: STS did not reach the issuer's keys, or the clock was
 * wrong.
 */
export function isRefusedForNow({
  name,
  message,
  isClockCorrected,
}: Refusal & SdkVerdict): boolean {
  if (areKeysOutOfReach({ name, message })) return true;
  return isClockCorrected && (isClockRefusal({ name, message }) || name === 'AuthFailure');
}

/**
 * Detects that STS could not fetch the issuer's keys in its short timeout. The next request
 * succeeds: https://github.com/aws/aws-cli/issues/7194
 */
export function areKeysOutOfReach({ name, message }: Refusal): boolean {
  if (/^IDPCommunicationError(?:Exception)?$/.test(name)) return true;
  return (
    /^InvalidIdentityToken(?:Exception)?$/.test(name) &&
    /Couldn['’]t retrieve verification key/i.test(message)
  );
}

/**
 * Detects that the source of credentials or tokens (a container, SSO, GitHub) is unavailable. The
 * SDK and GitHub's toolkit keep the status or error only in the message.
 */
export function isGiverBusy({ message, isThrottle, isTransient }: Refusal & SdkVerdict): boolean {
  if (isThrottle || isTransient) return true;
  if (/\b(?:status|Error Code)\s*:\s*(?:429|5\d\d)\b/.test(message)) return true;
  const [, name = ''] = /^(\w+): /.exec(message) ?? [];
  const inner = { name, message, $metadata: {} } as SdkError;
  return isThrottlingError(inner) || isTransientError(inner);
}

const denials =
  /^(?:AccessDenied(?:Exception)?|UnauthorizedOperation|UnauthorizedAccess|NotAuthorized|OptInRequired|KMSAccessDeniedException)$/;
const tokenRefusals = /^(?:InvalidIdentityToken|IDPRejectedClaim)(?:Exception)?$/;

export function isDenial({ name }: Pick<Refusal, 'name'>): boolean {
  return denials.test(name);
}

/** Finds the role that STS refused, also if the SDK called STS for a profile. */
export function findRefusedRole(refusal: Refusal): RefusedRole | undefined {
  const { name, message } = refusal;
  const isAssuming = denials.test(name) && message.includes('sts:AssumeRole');
  const isOfToken = tokenRefusals.test(name) && !areKeysOutOfReach(refusal);
  if (!isAssuming && !isOfToken && name !== inactiveRegion) return undefined;
  const [, arn] = /on resource: (arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+)/.exec(message) ?? [];
  return { arn, claims: undefined, ground: groundOf(refusal) };
}

const inactiveRegion = 'RegionDisabledException';

function groundOf({ name, message }: Refusal): RoleGround {
  if (name === inactiveRegion) return 'inactive_region';
  if (/No OpenIDConnect provider found/i.test(message)) return 'absent_provider';
  return /Incorrect token audience/i.test(message) ? 'absent_audience' : 'trust_policy';
}

/** Names of errors from a credentials source: the SDK's, and the one for a CI's identity token. */
export const givers = /^(?:Credentials|Token)?ProviderError$/;

/** Names of errors for expired credentials. */
export const ends = /^(?:ExpiredToken(?:Exception)?|RequestExpired|TokenRefreshRequired)$/;

/** Messages of @smithy/credential-provider-imds and @aws-sdk/credential-providers. */
const absences =
  /^Could not (?:load credentials from any providers|resolve credentials using profile)|^Profile \S+ (?:was not found|could not be found)/;

/** Returns whether the SDK found no credentials, or AWS or its SSO reports them as expired. */
export function findCredentialState({ name, message }: Refusal): CredentialState | undefined {
  if (givers.test(name)) {
    if (absences.test(message)) return 'absent';
    return /\bexpired\b/.test(message) ? 'expired' : undefined;
  }
  return ends.test(name) && name !== 'RequestExpired' ? 'expired' : undefined;
}
