import type { DiagnosisCode } from '../../../domain/health/diagnosis.ts';
import type { LogSign } from '../../../domain/registry-terms.ts';

/** Messages of EC2 and of an Auto Scaling group, whose scaling activities contain no code. */
export const subnetFull =
  /InsufficientFreeAddressesInSubnet|(?:not|in)[- ]?(?:have )?(?:enough|sufficient) free addresses/i;
export const zoneWithoutCapacity =
  /Insufficient(?:Instance|Host|ReservedInstance)?Capacity\b|InsufficientCapacityOnOutpost|ReservationCapacityExceeded|SpotMaxPriceTooLow|Spot request price of \S+ is lower|instance type \(\S+\) is not supported in your requested Availability Zone|UnfulfillableCapacity|(?:not|in)[- ]?(?:have )?sufficient \S+ capacity|no Spot capacity available/i;

/**
 * Throttling errors of any AWS service. Error codes are case-sensitive, because ordinary text also
 * mentions throttling.
 */
export const throttled =
  /\b(?:RequestLimitExceeded|BandwidthLimitExceeded|(?:EC2)?Thrott(?:ling|led)(?:Exception)?|RequestThrottled(?:Exception)?|TooManyRequestsException|SlowDown|ProvisionedThroughputExceeded(?:Exception)?|PriorRequestNotComplete|TransactionInProgressException|TooManyUpdates|ResourceContention(?:Fault)?|ConcurrentModification(?:Exception)?)\b|Request limit exceeded|Rate exceeded/;

/**
 * Signs of a wrong clock in any line. An expired certificate is such a sign only in a line about
 * the registry.
 */
const clockWords =
  'RequestTimeTooSkewed|RequestExpired|Request has expired|request time and the current time is too large|Signature (?:expired|not yet current)|clock (?:is|may be) (?:out of sync|skewed|wrong)|Current server time is';

/**
 * Creates the signs that AWS and Go's TLS leave in any log on a host. Sources: EC2's error codes
 * (docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html), botocore, Go's
 * crypto/x509.
 */
export function hostSigns({
  ofRegistry,
  untrusted = [],
  answered,
  started,
  workersMade,
  omitsResponses = false,
}: {
  /**
   * Start of a pattern for lines about the registry, and not about a job's image, a worker or AWS.
   */
  readonly ofRegistry: string;
  /** Messages of the program about an untrusted certificate, in addition to Go's. */
  readonly untrusted?: readonly string[];
  /** Sign of a response from the registry, which proves a trusted certificate. */
  readonly answered: RegExp;
  /** Sign that the program started, or that a job succeeded or was received. */
  readonly started: RegExp;
  readonly workersMade: RegExp;
  /** Whether the log lacks some responses of the registry. */
  readonly omitsResponses?: boolean;
}): Readonly<Partial<Record<DiagnosisCode, LogSign>>> {
  const made = anyOf(workersMade, started);
  // Go names the package that refuses a certificate, and from 1.20 on (gitlab-runner 16) also its
  // caller.
  const refused = [
    'x509: (?!certificate has expired)',
    'failed to verify certificate: (?!x509: certificate has expired)',
    'tls: (?!failed to verify).*certificate',
    ...untrusted,
  ];
  return {
    certificate_untrusted: {
      set: new RegExp(`${ofRegistry}.*(?:${refused.join('|')})`, 'i'),
      clear: answered,
      omitsResponses,
    },
    clock_off: {
      set: new RegExp(
        `${ofRegistry}.*certificate has expired or is not yet valid|${clockWords}`,
        'i',
      ),
      clear: anyOf(answered, started),
      omitsResponses,
    },
    aws_throttled: {
      set: new RegExp(`${throttled.source}|exceeded its request rate limit`),
      clear: made,
    },
    subnet_full: {
      set: subnetFull,
      clear: made,
    },
    zone_without_capacity: {
      set: zoneWithoutCapacity,
      clear: made,
    },
  };
}

export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}
