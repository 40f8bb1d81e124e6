/**
 * The one way in which a port's promise is rejected. Absence is never a failure here and a failure
 * is never absence: a port that may find nothing returns a value that says so.
 */
export class PortFailure extends Error {
  override readonly name = 'PortFailure';
  readonly kind: FailureKind;
  /** Whether the world may have changed. Reads are always `none`. */
  readonly effect: 'none' | 'unknown';
  /** What was asked of whom, e.g. `GitLab GET /runners/48213`. Without secrets. */
  readonly source: string;
  /** What was asked of an API, e.g. `/runners/48213`, for decisions: the source is for people. */
  readonly path: string | undefined;
  /** The other system's own words, one line, redacted and cut. */
  readonly detail: string;
  readonly status: number | undefined;
  /** Absent where it was asked directly, and where the other side has answered. */
  readonly through: Through | undefined;
  /** The role that AWS does not give to this job; absent in every other failure. */
  readonly refusedRole: RefusedRole | undefined;
  /** The check document that Systems Manager refused to run; absent in every other failure. */
  readonly refusedDocument: RefusedDocument | undefined;
  /** Absent if the other system names no ground that has an action of its own. */
  readonly ground: RefusalGround | undefined;
  /** Absent if a later request may get a response without an operator. */
  readonly lasting: LastingFailure | undefined;
  /** When the next call is accepted. Absent unless the other system accepts none now, and reports or implies a time. */
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
    this.againInMs = fields.againInMs;
  }
}

/** Why no request gets a response until an operator acts: the name does not exist, or its CA is not trusted. */
export type LastingFailure = 'unknown_name' | 'untrusted_certificate';

/** The proxy behind which nobody has answered. */
export interface Through {
  /** Without its user and password: `http://proxy.example.com:3128`. */
  readonly proxy: string;
  /** The variable that names it: `HTTPS_PROXY`, or another spelling. */
  readonly variable: string;
  /** The variable that spares hosts: `NO_PROXY`, in the spelling that counts. */
  readonly exceptions: string;
  /** Who was asked. */
  readonly host: string;
}

/** The trust policy of a role, or its identity provider, does not accept who asks for it. */
export interface RefusedRole {
  /** Undefined where AWS's own tools took the role, and AWS does not name it. */
  readonly arn: string | undefined;
  readonly ground: RoleGround;
  /** Undefined without a token of a CI, and where the token cannot be read. */
  readonly claims: TokenClaims | undefined;
}

/** What has to change before the role is given. */
export type RoleGround =
  | 'trust_policy'
  /** The account has no identity provider for the issuer of the token. */
  | 'absent_provider'
  /** The identity provider does not hold the audience of the token. */
  | 'absent_audience'
  | 'inactive_region';

/** The document of `host.document` is absent, or its content is not that of this release and configuration. */
export interface RefusedDocument {
  readonly name: string;
  readonly runner: string;
}

/** Why a call was refused, translated by the adapter from the other system's words. */
export type RefusalGround =
  | {
      readonly kind: 'missing_permission';
      /** As the registry names them, for example `Runner: Create`; undefined if it names none. */
      readonly permissions: string | undefined;
      /** What the permission is needed for, for example `the group`. */
      readonly place: string | undefined;
    }
  /** The registry accepts no fine-grained token for this call, or none of this user's. */
  | { readonly kind: 'no_fine_grained_token'; readonly of: 'call' | 'user' }
  /** The other system does not accept the time of the request. */
  | { readonly kind: 'clock_off'; readonly mayBeExpired: boolean }
  | RunnerLimit;

/** The group or project has as many runners as it may have. */
export interface RunnerLimit {
  readonly kind: 'runner_limit';
  readonly place: 'group' | 'project';
  readonly most: number;
}

/** What an identity token of a CI says of its job. */
export interface TokenClaims {
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly audiences: readonly string[];
}

export type FailureKind =
  /** No answer: connection refused, reset, DNS, deadline. */
  | 'unreachable'
  /** 5xx and the like: it answered that it cannot answer. */
  | 'unavailable'
  /** Nobody may write there now: GitLab's maintenance mode, or an organization that is read-only. */
  | 'read_only'
  /** 429, ThrottlingException, after the budget for retries is used up. */
  | 'throttled'
  /** 401, expired or missing credentials. */
  | 'unauthenticated'
  /** Credentials that were taken before in this run, and have ended since. */
  | 'ended'
  /** 403, missing scope or permission. */
  | 'denied'
  /** 400, 409, 422: it understood and refused. */
  | 'refused'
  /** An answer that is not what the documentation says. */
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
  readonly againInMs?: number | undefined;
}

const passing: ReadonlySet<FailureKind> = new Set([
  'throttled',
  'unavailable',
  'unreachable',
  'read_only',
]);

/** Whether the same question may be answered a little later, without anybody mending anything. */
export function isPassing({ kind }: Pick<PortFailure, 'kind'>): boolean {
  return passing.has(kind);
}

/** Nobody answered for now, and nothing was changed by asking. */
export function isNoResponse(error: unknown): error is PortFailure {
  return isPortFailure(error) && isPassing(error) && error.effect === 'none';
}

/** The credentials or the check document have to be replaced first: no later query of this run succeeds. */
export function endsRun({
  kind,
  refusedDocument,
}: Pick<PortFailureFields, 'kind' | 'refusedDocument'>): boolean {
  return kind === 'unauthenticated' || kind === 'ended' || refusedDocument !== undefined;
}

export function isPortFailure(error: unknown): error is PortFailure {
  return error instanceof PortFailure;
}

/** The answer, or what stands in for it where none is given: something of which nothing depends, or the worse of two. */
export async function answerOr<T, Otherwise>(
  ask: () => Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  try {
    return await ask();
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return otherwise;
  }
}
