import type { CredentialState } from '../domain/text/credential-renewal.ts';

/**
 * Only error with which a port's promise rejects. Absence is never a failure, and a failure never
 * means absence: a port that may find nothing returns a value for it.
 */
export class PortFailure extends Error {
  override readonly name = 'PortFailure';
  readonly kind: FailureKind;
  /** Whether the other system may have changed. `none` for every read. */
  readonly effect: 'none' | 'unknown';
  /** System and request, such as `GitLab GET /runners/48213`. Without secrets. */
  readonly source: string;
  /** Path of an API request, such as `/runners/48213`, for decisions; operators read `source`. */
  readonly path: string | undefined;
  /** The other system's message, verbatim: one line, redacted and shortened. */
  readonly detail: string;
  readonly status: number | undefined;
  /** Absent for a direct connection, or if the other system responded. */
  readonly through: Through | undefined;
  /** Role that AWS refuses to this job; absent in every other failure. */
  readonly refusedRole: RefusedRole | undefined;
  /** Check document that Systems Manager refused to run; absent in every other failure. */
  readonly refusedDocument: RefusedDocument | undefined;
  /** Absent if the other system gives no ground that needs a specific action. */
  readonly ground: RefusalGround | undefined;
  /** Absent if a later request may get a response without an operator. */
  readonly lasting: LastingFailure | undefined;
  /** Absent if the credentials were accepted, or the other system only refuses them. */
  readonly credentials: CredentialState | undefined;
  /**
   * Time until the next call is accepted. Set only if the other system accepts none now and reports
   * or implies a time.
   */
  readonly againInMs: number | undefined;

  constructor(fields: PortFailureFields) {
    super(`${fields.source}: ${fields.detail}`);
    this.kind = fields.kind;
    this.effect = fields.effect;
    this.source = fields.source;
    this.path = fields.path;
    this.detail = fields.detail;
    this.status = fields.status;
    this.through = fields.through;
    this.refusedRole = fields.refusedRole;
    this.refusedDocument = fields.refusedDocument;
    this.ground = fields.ground;
    this.lasting = fields.lasting;
    this.credentials = fields.credentials;
    this.againInMs = fields.againInMs;
  }
}

/** Cause that blocks every request until an operator acts: an unknown name, or an untrusted CA. */
export type LastingFailure = 'unknown_name' | 'untrusted_certificate';

/** Proxy through which no response arrived. */
export interface Through {
  /** URL without user and password: `http://proxy.example.com:3128`. */
  readonly proxy: string;
  /** Variable that sets it: `HTTPS_PROXY`, or another spelling. */
  readonly variable: string;
  /** Variable that excludes hosts: `NO_PROXY`, in the spelling that applies. */
  readonly exceptions: string;
  /** Host of the request. */
  readonly host: string;
}

/** A role whose trust policy or identity provider refuses this job. */
export interface RefusedRole {
  /** Undefined if AWS's own tools requested the role and AWS does not name it. */
  readonly arn: string | undefined;
  readonly ground: RoleGround;
  /** Undefined without a CI token, or if the token cannot be read. */
  readonly claims: TokenClaims | undefined;
}

/** Part of the AWS configuration that refuses the role. */
export type RoleGround =
  | 'trust_policy'
  /** The account has no identity provider for the issuer of the token. */
  | 'absent_provider'
  /** The identity provider does not list the audience of the token. */
  | 'absent_audience'
  | 'inactive_region';

/** Document of `host.document` that is absent, or differs from this release and configuration. */
export interface RefusedDocument {
  readonly name: string;
  readonly runner: string;
}

/** Ground of a refusal, translated by the adapter from the other system's message. */
export type RefusalGround =
  | {
      readonly kind: 'missing_permission';
      /** Names in the registry's terms, such as `Runner: Create`; undefined if it gives none. */
      readonly permissions: string | undefined;
      /** Object that needs the permission, such as `the group`. */
      readonly place: string | undefined;
    }
  /** The registry accepts no fine-grained token for this call, or none of this user. */
  | { readonly kind: 'no_fine_grained_token'; readonly of: 'call' | 'user' }
  /** The other system refuses the time of the request. */
  | { readonly kind: 'clock_off'; readonly mayBeExpired: boolean }
  | RunnerLimit;

/** Limit of runners that a group or project has reached. */
export interface RunnerLimit {
  readonly kind: 'runner_limit';
  readonly place: 'group' | 'project';
  readonly most: number;
}

/** Claims of a CI job's identity token. */
export interface TokenClaims {
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly audiences: readonly string[];
}

export type FailureKind =
  /** No response: connection refused, reset, DNS, deadline. */
  | 'unreachable'
  /** 5xx and similar: the system reported that it cannot respond. */
  | 'unavailable'
  /** No writes are accepted now: GitLab's maintenance mode, or a read-only organization. */
  | 'read_only'
  /** 429 or ThrottlingException, after the budget for retries is used up. */
  | 'throttled'
  /** 401, expired or missing credentials. */
  | 'unauthenticated'
  /** Credentials that this run used successfully, and that have expired since. */
  | 'ended'
  /** 403, missing scope or permission. */
  | 'denied'
  /** 400, 409, 422: the request was understood and refused. */
  | 'refused'
  /** Response that contradicts the documentation. */
  | 'unexpected';

export interface PortFailureFields {
  readonly kind: FailureKind;
  readonly effect: 'none' | 'unknown';
  readonly source: string;
  readonly path?: string | undefined;
  readonly detail: string;
  readonly status?: number | undefined;
  readonly through?: Through | undefined;
  readonly refusedRole?: RefusedRole | undefined;
  readonly refusedDocument?: RefusedDocument | undefined;
  readonly ground?: RefusalGround | undefined;
  readonly lasting?: LastingFailure | undefined;
  readonly credentials?: CredentialState | undefined;
  readonly againInMs?: number | undefined;
}

const passing: ReadonlySet<FailureKind> = new Set([
  'throttled',
  'unavailable',
  'unreachable',
  'read_only',
]);

/** Returns whether a retry may succeed later without a fix. */
export function isPassing({ kind }: Pick<PortFailure, 'kind'>): boolean {
  return passing.has(kind);
}

/** Returns whether there was no response for now, and the request changed nothing. */
export function isNoResponse(error: unknown): error is PortFailure {
  return isPortFailure(error) && isPassing(error) && error.effect === 'none';
}

/**
 * Returns whether credentials or check document must be replaced: no later query of this run can
 * succeed.
 */
export function endsRun({
  kind,
  refusedDocument,
}: Pick<PortFailureFields, 'kind' | 'refusedDocument'>): boolean {
  return kind === 'unauthenticated' || kind === 'ended' || refusedDocument !== undefined;
}

export function isPortFailure(error: unknown): error is PortFailure {
  return error instanceof PortFailure;
}

/**
 * Returns the response, or a substitute if there is none: for a value that decides nothing, or for
 * the worse of two.
 */
export async function answerOr<T, Otherwise>(
  request: () => Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  try {
    return await request();
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return otherwise;
  }
}
