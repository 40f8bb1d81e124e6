import {
  type FailureKind,
  isPortFailure,
  PortFailure,
  type RefusalGround,
  type Through,
} from '../../ports/failure.ts';
import { formatThrough, lastingOf } from '../transport/network-error.ts';
import { insecureAddress } from './aws-address.ts';
import { oneLine } from './line-text.ts';
import {
  areKeysOutOfReach,
  classify,
  ends,
  findCredentialState,
  findRefusedRole,
  givers,
  isClockRefusal,
  isDenial,
  isGiverBusy,
  isRefusedForNow,
  type SdkError,
  type SdkVerdict,
  writeConflicts,
} from './refusal-kinds.ts';

export interface FailureContext {
  readonly source: string;
  /** `write`: the change may have happened if its response is lost. `read`: nothing changes. */
  readonly effect: 'read' | 'write';
  readonly redact: (text: string) => string;
  /** Whether AWS has accepted these credentials before. */
  readonly wereAccepted?: boolean;
}

/** Translates an SDK error into a PortFailure. */
export function toAwsFailure(error: unknown, context: FailureContext): PortFailure {
  // The failure concerns the credentials, so the call itself was never sent. If AWS accepted these
  // credentials before, they have expired and their source issues no new ones.
  if (isPortFailure(error)) {
    const isRole = error.refusedRole !== undefined;
    const isOver = !isRole && error.kind === 'unauthenticated' && context.wereAccepted === true;
    const kind = isOver ? 'ended' : error.kind;
    return new PortFailure({ ...error, kind, detail: error.detail, effect: 'none' });
  }
  const facts = factsOf(error);
  const { kind: failureKind, sent } = judge(facts);
  const isEnd =
    failureKind === 'unauthenticated' &&
    context.wereAccepted &&
    (ends.test(facts.name) || givers.test(facts.name));
  const kind = isEnd ? 'ended' : failureKind;
  return new PortFailure({
    kind,
    effect: context.effect === 'write' && sent === 'maybe' ? 'unknown' : 'none',
    source: context.source,
    detail: oneLine(context.redact(formatDetail(facts))),
    status: facts.status,
    through: facts.through,
    ...(kind === 'unreachable' && facts.code !== undefined ? lastingOf([facts.code]) : {}),
    refusedRole: findRefusedRole(facts),
    credentials: kind === 'unauthenticated' ? findCredentialState(facts) : undefined,
    ...(kind === 'unauthenticated' && isClockRefusal(facts) ? { ground: clockOff(facts) } : {}),
  });
}

/** Returns the ground "wrong clock". EC2 uses the same code for expired temporary credentials. */
function clockOff({ name }: Facts): RefusalGround {
  return { kind: 'clock_off', mayBeExpired: name === 'RequestExpired' };
}

/** Hints that precede AWS's message, which is cut and names no fix. */
const hints: Readonly<Record<string, string>> = {
  ParameterMaxVersionLimitExceeded:
    'the oldest of its 100 versions has a label, so no version can be added; move the label with aws ssm label-parameter-version',
  ParameterPatternMismatchException: 'its AllowedPattern refuses the value',
  HierarchyTypeMismatch:
    'its type is not the one that hosted-runner writes; delete it and let it be created again',
  HierarchyTypeMismatchException:
    'its type is not the one that hosted-runner writes; delete it and let it be created again',
  ParameterLimitExceeded: 'the account has reached its limit of parameters',
  TooManyUpdates: 'another writer is changing it at this moment',
};

const keysOutOfReach = 'STS cannot reach the keys of the issuer, which it reads over the internet';

interface Facts extends SdkVerdict {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  /** Absent if no response arrived. */
  readonly status: number | undefined;
  readonly typed: boolean;
  readonly through: Through | undefined;
}

/** Kind of a failure. `never`: the service reported no effect, or was never reached. */
interface FailureVerdict {
  readonly kind: FailureKind;
  readonly sent: 'never' | 'maybe';
}

function judge(facts: Facts): FailureVerdict {
  const { name, message, code, status } = facts;
  if (name === insecureAddress) return { kind: 'refused', sent: 'never' };
  if (badRegion.test(message)) return { kind: 'refused', sent: 'never' };
  if (givers.test(name))
    return { kind: isGiverBusy(facts) ? 'unavailable' : 'unauthenticated', sent: 'never' };
  if (status === undefined) return judgeNoResponse(name, code, message);
  if (facts.isThrottle || writeConflicts.test(name)) return { kind: 'throttled', sent: 'never' };
  if (status >= 500) return { kind: 'unavailable', sent: 'maybe' };
  if (isRefusedForNow(facts)) return { kind: 'unavailable', sent: 'never' };
  if (facts.isTransient && facts.typed) return { kind: 'unavailable', sent: 'maybe' };
  // An unreadable success or an untyped refusal comes from a proxy, a portal or another service.
  if (status < 400 || !facts.typed) return { kind: 'unexpected', sent: 'maybe' };
  // Without credentials, the call itself was never sent.
  if (findRefusedRole(facts) !== undefined) return { kind: 'unauthenticated', sent: 'never' };
  if (isClockRefusal(facts)) return { kind: 'unauthenticated', sent: 'never' };
  if (credentials.test(name) || status === 401) return { kind: 'unauthenticated', sent: 'never' };
  if (isDenial(facts) || status === 403) return { kind: 'denied', sent: 'never' };
  return { kind: 'refused', sent: 'never' };
}

function judgeNoResponse(name: string, code: string | undefined, message: string): FailureVerdict {
  // The file is a credentials file such as AWS_WEB_IDENTITY_TOKEN_FILE; sockets fail with other
  // codes.
  if (/^(?:ENOENT|EACCES|EISDIR|EPERM)$/.test(code ?? '')) {
    return { kind: 'unauthenticated', sent: 'never' };
  }
  if (code === 'PROXY_REFUSED') return { kind: 'refused', sent: 'never' };
  // The socket was never connected, so the request was never sent.
  if (
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|PROXY_UNAVAILABLE)$/.test(
      code ?? '',
    )
  ) {
    return { kind: 'unreachable', sent: 'never' };
  }
  if (name === 'TimeoutError' && /did not establish a connection/.test(message)) {
    return { kind: 'unreachable', sent: 'never' };
  }
  if (name === 'TimeoutError' || name === 'AbortError' || code !== undefined) {
    return { kind: 'unreachable', sent: 'maybe' };
  }
  return { kind: 'unexpected', sent: 'maybe' };
}

const badRegion = /^Region (?:is missing|not accepted)/;

const credentials =
  /^(?:ExpiredToken(?:Exception)?|UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException|SignatureDoesNotMatch|IncompleteSignature(?:Exception)?|MissingAuthenticationToken(?:Exception)?|TokenRefreshRequired|AuthFailure)$/;
function factsOf(error: unknown): Facts {
  if (typeof error !== 'object' || error === null) {
    const absent = { code: undefined, status: undefined, through: undefined };
    const none = { isThrottle: false, isTransient: false, isClockCorrected: false };
    return { name: '', message: String(error), typed: false, ...absent, ...none };
  }
  const fields = error as {
    name?: unknown;
    message?: unknown;
    code?: unknown;
    through?: Through;
    $fault?: unknown;
    $metadata?: { httpStatusCode?: unknown };
    $response?: { statusCode?: unknown };
  };
  const status = fields.$metadata?.httpStatusCode ?? fields.$response?.statusCode;
  const { name, message } = unwrap(
    typeof fields.name === 'string' ? fields.name : '',
    typeof fields.message === 'string' ? fields.message : '',
  );
  return {
    name,
    message,
    code: typeof fields.code === 'string' ? fields.code : /\bE[A-Z_]{4,}\b/.exec(message)?.[0],
    status: typeof status === 'number' ? status : undefined,
    through: fields.through,
    typed: fields.$fault !== undefined && !['Error', 'UnknownError', 'Unknown'].includes(name),
    ...classify(error as SdkError),
  };
}

/**
 * Removes the wrapper that the SDK puts around an error of another realm, for example in a test
 * runner.
 */
function unwrap(name: string, message: string): { name: string; message: string } {
  const [, innerName, inner] = /^AWS SDK error wrapper for (\w+): (.*)$/s.exec(message) ?? [];
  return innerName === undefined || inner === undefined
    ? { name, message }
    : { name: innerName, message: inner };
}

function formatDetail(facts: Facts): string {
  const { through, code } = facts;
  const words = describe(facts);
  if (through === undefined) return words;
  const { kind, sent } = judge(facts);
  const isUnreached = kind === 'unreachable' && sent === 'never' && code !== 'PROXY_UNAVAILABLE';
  return formatThrough(through, { words, isUnreached });
}

function describe({ name, message, code, status, typed }: Facts): string {
  if (message === 'Region is missing') {
    return 'no AWS region is configured; set AWS_REGION';
  }
  if (badRegion.test(message)) return `${message} Set AWS_REGION.`;
  if (status !== undefined && !typed) return `HTTP ${status} with a body that cannot be read`;
  // The SDK prefixes socket errors with its package name.
  const text = message.replace(/^@smithy\/node-http-handler - (?:\[ERROR\] )?/, '');
  const label = name === 'Error' || name === 'TimeoutError' ? (code ?? '') : name;
  const described =
    label === '' || text.includes(label)
      ? text || label
      : text === '' || text === 'UnknownError'
        ? label
        : `${label}: ${text}`;
  if (name === insecureAddress) return text;
  const hint = areKeysOutOfReach({ name, message }) ? keysOutOfReach : hints[name];
  return hint === undefined ? described : `${hint} (${described})`;
}

export interface UnexpectedFacts {
  readonly what: string;
  readonly detail: string;
  readonly effect: 'read' | 'write';
}

export function unexpectedAwsAnswer(
  service: string,
  { what, detail, effect }: UnexpectedFacts,
): PortFailure {
  return new PortFailure({
    kind: 'unexpected',
    effect: effect === 'write' ? 'unknown' : 'none',
    source: `${service} ${what}`,
    detail,
  });
}
