import type { DiagnosisCode } from '../../../domain/health/diagnosis.ts';
import type { LogSign } from '../../../domain/registry-words.ts';

/** Begins a line about something else than the registry: a job's image, a container, a call of AWS. */
export const notOfRegistry =
  '^(?!.*(?:Preparation failed|Failed to process runner|pull|docker|amazonaws))';

/** As EC2 and an Auto Scaling group word it; the group's scaling activities quote no code. */
export const subnetFull =
  /InsufficientFreeAddressesInSubnet|(?:not|in)[- ]?(?:have )?(?:enough|sufficient) free addresses/i;
export const zoneWithoutCapacity =
  /Insufficient(?:Instance|Host|ReservedInstance)?Capacity\b|UnfulfillableCapacity|(?:not|in)[- ]?(?:have )?sufficient \S+ capacity|no Spot capacity available/i;

/**
 * Signs that AWS and Go's TLS leave in any program's log on a host. Sources: EC2's error codes
 * (docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html), botocore, Go's crypto/x509.
 */
export function hostSigns({
  answered,
  started,
  workersMade,
  endsSilently = false,
}: {
  /** The registry has answered, which it does only through a certificate that is trusted. */
  readonly answered: RegExp;
  /** The program has started, a job has succeeded, or one was received. */
  readonly started: RegExp;
  readonly workersMade: RegExp;
  /** The registry's answers are not all logged. */
  readonly endsSilently?: boolean;
}): Readonly<Partial<Record<DiagnosisCode, LogSign>>> {
  const made = anyOf(workersMade, started);
  return {
    // Go names the package that refuses a certificate, and from 1.20 on (gitlab-runner 16) who asked it to.
    certificate_untrusted: {
      set: new RegExp(
        `${notOfRegistry}.*(?:x509: (?!certificate has expired)|failed to verify certificate: (?!x509: certificate has expired)|tls: (?!failed to verify).*certificate)`,
        'i',
      ),
      clear: answered,
      endsSilently,
    },
    clock_off: {
      set: /certificate has expired or is not yet valid|RequestTimeTooSkewed|RequestExpired|Request has expired|request time and the current time is too large|Signature (?:expired|not yet current)|clock (?:is|may be) (?:out of sync|skewed|wrong)|Current server time is/i,
      clear: anyOf(answered, started),
      endsSilently,
    },
    aws_throttled: {
      set: /RequestLimitExceeded|Request limit exceeded|request rate limit|EC2ThrottledException|ThrottlingException|Throttling: |Throttling\w*\)|api error Throttling|Rate exceeded/i,
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
