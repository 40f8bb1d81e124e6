import type { TerraformTrouble } from '../../errors/terraform-causes.ts';
import {
  anyOf,
  subnetFull,
  throttled,
  zoneWithoutCapacity,
} from '../transport/words/host-signs.ts';
import type { Diagnostic } from './diagnostics.ts';

const noAnswer =
  /no such host|server misbehaving|connection refused|connection reset by peer|i\/o timeout|TLS handshake timeout|Client\.Timeout exceeded|no route to host|network is unreachable|giving up after \d+ attempt|StatusCode: 5\d\d|Unexpected response code: 5\d\d|context deadline exceeded|HTTP (?:response code|error:?) 5\d\d|remote state internal server error|\bUnavailable: |\bInternal(?:Error|Failure): /;

/** Causes by pattern. The first pattern that matches a diagnostic decides. */
const lasting: readonly (readonly [RegExp, TerraformTrouble])[] = [
  [/saved plan is stale|Saved plan does not match/i, 'stale'],
  [
    /Unsupported Terraform Core version|state snapshot was created by Terraform|Unsupported state file format|Incompatible (?:Terraform|OpenTofu) version|Incompatible module/i,
    'version',
  ],
  [/No OpenIDConnect provider found/i, 'issuerUnknown'],
  [/RegionDisabledException/, 'regionInactive'],
  // This precedes permissions and credentials, because the role's trust policy needs the fix.
  [
    /not authorized to perform:? sts:AssumeRole|IDPRejectedClaim|InvalidIdentityToken(?!.*Couldn['’]t retrieve verification key)/i,
    'role',
  ],
  [
    /RequestTimeTooSkewed|RequestInTheFuture|RequestExpired|Signature (?:expired|not yet current)/,
    'clock',
  ],
  // STS issued no credentials because it did not respond. A host without a role is another cause.
  [
    new RegExp(
      `failed to refresh cached credentials(?!, no EC2 IMDS role found).*(?:${noAnswer.source})`,
    ),
    'unreachable',
  ],
  [
    /ExpiredToken|InvalidClientTokenId|UnrecognizedClientException|AuthFailure|SignatureDoesNotMatch|No valid credential sources|failed to refresh cached credentials|endpoint requires auth|googleapi: Error 401|password authentication failed/i,
    'credentials',
  ],
  [
    /UnauthorizedOperation|AccessDenied|not authorized to perform|is not authorized|403 Forbidden|endpoint invalid auth|googleapi: Error 403|AuthorizationFailed|AuthorizationPermissionMismatch|pq: permission denied|Unexpected response code: 403/i,
    'denied',
  ],
  [zoneWithoutCapacity, 'capacity'],
  [anyOf(subnetFull, /InsufficientCidrBlocks/), 'subnet'],
  [
    /(?<!Request|Bandwidth|[Rr]ate)LimitExceeded|QuotaExceeded|MaxSpot\w+CountExceeded|TooManyInstances|InstanceLimit|quota has been reached|than your current \S+ limit of|Max spot instance count exceeded/,
    'quota',
  ],
  [
    /EntityAlreadyExists|ResourceAlreadyExistsException|Invalid(?:Group|Permission)\.Duplicate|InvalidLaunchTemplateName\.AlreadyExistsException|ParameterAlreadyExists|AlreadyExists: /,
    'exists',
  ],
  [
    /Failed to (?:query available|resolve) provider packages|Failed to install provider|Could not load plugin|Required plugins are not installed|Inconsistent dependency lock file|Module not installed|Failed to download module|Missing required provider|Provider registry/i,
    'provider',
  ],
  [
    /Argument or block definition|Unsupported argument|Unsupported block type|Missing required argument|Reference to undeclared|Invalid reference|Invalid expression|Invalid block definition|Unclosed configuration block|Duplicate resource|No configuration files|No value for required variable|Invalid value for (?:input )?variable|Value for undeclared variable|Failed to read variables file|Unreadable module|Invalid multi-line string|Missing newline|Unterminated|Attribute redefined|Invalid resource type|Invalid provider configuration|Backend initialization required|Invalid backend configuration argument|Unsupported backend type|problems during initiali[sz]ation/i,
    'configuration',
  ],
  [noAnswer, 'unreachable'],
  [/\bforbidden\b/i, 'denied'],
  [/\bunauthorized\b/i, 'credentials'],
];

/** Causes that pass without an operator. */
const passing: readonly (readonly [RegExp, TerraformTrouble])[] = [
  [
    new RegExp(
      `${throttled.source}|rateLimitExceeded|\\b429 Too Many Requests|(?:StatusCode|HTTP (?:response code|error)|googleapi: Error):? 429\\b`,
    ),
    'throttled',
  ],
  [/Couldn['’]t retrieve verification key|IDPCommunicationError/, 'issuer'],
];

const lockRequest = /Error (?:acquiring the state lock|locking state)/;

export function isLockRequest(diagnostic: Diagnostic): boolean {
  return lockRequest.test(textOf(diagnostic));
}

/** Detects that the command has finished but its lock may remain. */
export function isLockRelease({ summary }: Diagnostic): boolean {
  return /Error releasing the state lock/.test(summary);
}

/**
 * Returns the cause of a failed command. A passing cause counts only if every diagnostic shows it:
 * with another error, a wait does not help.
 */
export function causeOf(diagnostics: readonly Diagnostic[]): TerraformTrouble | undefined {
  const texts = diagnostics.map(textOf);
  const passes = texts.map((text) => passing.find(([pattern]) => pattern.test(text))?.[1]);
  if (passes.every((cause) => cause !== undefined) && passes[0] !== undefined) return passes[0];
  const lasts = lasting.find(([pattern]) => texts.some((text) => pattern.test(text)));
  // A failed lock request is no held lock.
  if (lasts !== undefined) return lasts[1];
  if (diagnostics.some(isLockRequest)) return 'lock';
  return diagnostics.some(isLockRelease) ? 'unlock' : undefined;
}

/** Joins the text of an error to one line. Plain output is wrapped at 78 characters. */
function textOf({ summary, detail }: Diagnostic): string {
  return `${summary} ${detail}`.replace(/\s+/g, ' ');
}
