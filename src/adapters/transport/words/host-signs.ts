import type { DiagnosisCode } from '../../../domain/health/diagnosis.ts';
import type { LogSign } from '../../../domain/registry-terms.ts';

/** As EC2 and an Auto Scaling group word it; the group's scaling activities quote no code. */
export const subnetFull =
  /InsufficientFreeAddressesInSubnet|(?:not|in)[- ]?(?:have )?(?:enough|sufficient) free addresses/i;
export const zoneWithoutCapacity =
  /Insufficient(?:Instance|Host|ReservedInstance)?Capacity\b|InsufficientCapacityOnOutpost|ReservationCapacityExceeded|SpotMaxPriceTooLow|Spot request price of \S+ is lower|instance type \(\S+\) is not supported in your requested Availability Zone|UnfulfillableCapacity|(?:not|in)[- ]?(?:have )?sufficient \S+ capacity|no Spot capacity available/i;

/** Of any service of AWS; the words of its own are case-sensitive, because people write of throttling, too. */
export const throttled =
  /\b(?:RequestLimitExceeded|BandwidthLimitExceeded|(?:EC2)?Thrott(?:ling|led)(?:Exception)?|RequestThrottled(?:Exception)?|TooManyRequestsException|SlowDown|ProvisionedThroughputExceeded(?:Exception)?|PriorRequestNotComplete|TransactionInProgressException|TooManyUpdates|ResourceContention(?:Fault)?|ConcurrentModification(?:Exception)?)\b|Request limit exceeded|Rate exceeded/;

/** Of the clock whatever the line is about; a certificate's own end is the clock's only if the line is about the registry. */
const clockWords =
  'RequestTimeTooSkewed|RequestExpired|Request has expired|request time and the current time is too large|Signature (?:expired|not yet current)|clock (?:is|may be) (?:out of sync|skewed|wrong)|Current server time is';

/**
 * Signs that AWS and Go's TLS leave in any program's log on a host. Sources: EC2's error codes
 * (docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html), botocore, Go's crypto/x509.
 */
export function hostSigns({
  ofRegistry,
  untrusted = [],
  answered,
  started,
  workersMade,
  endsSilently = false,
}: {
  /** Begins the pattern of a line about the registry, and not about a job's image, a worker or a call of AWS. */
  readonly ofRegistry: string;
  /** The program's own words for a certificate that is not trusted, beside those of Go. */
  readonly untrusted?: readonly string[];
  /** The registry has answered, which it does only through a certificate that is trusted. */
  readonly answered: RegExp;
  /** The program has started, a job has succeeded, or one was received. */
  readonly started: RegExp;
  readonly workersMade: RegExp;
  /** The registry's answers are not all logged. */
  readonly endsSilently?: boolean;
}): Readonly<Partial<Record<DiagnosisCode, LogSign>>> {
  const made = anyOf(workersMade, started);
  // Go names the package that refuses a certificate, and from 1.20 on (gitlab-runner 16) who asked it to.
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
      endsSilently,
    },
    clock_off: {
      set: new RegExp(
        `${ofRegistry}.*certificate has expired or is not yet valid|${clockWords}`,
        'i',
      ),
      clear: anyOf(answered, started),
      endsSilently,
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
