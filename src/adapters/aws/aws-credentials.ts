import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.ts';
import { isPortFailure, PortFailure, type RefusedRole } from '../../ports/failure.ts';
import type { AwsClientOptions } from './aws-client.ts';
import { readClaims } from './identity-token.ts';
import { createSts, type Sts } from './services.ts';
import { within } from './whole-response.ts';

export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Credentials of all clients of this process, with their expiry. */
export interface AwsCredentials {
  /** Absent: the SDK finds credentials as AWS's own tools do, and renews them if possible. */
  readonly provide?: () => Promise<Identity>;
  /** Returns the newest credentials as variables for child processes. */
  variables(): Readonly<Record<string, string>>;
  /** Milliseconds since 1970 of the expiry. Undefined if unknown or renewed. */
  endsAt(): number | undefined;
  /** Records that AWS accepted the credentials. A later refusal may mean that they expired. */
  accept(): void;
  wereAccepted(): boolean;
}

export interface CredentialOptions extends Omit<AwsClientOptions, 'credentials' | 'signal'> {
  /** Reads an identity token of the current CI for this audience. */
  readonly readIdToken: (audience: string) => Promise<string>;
  /** Registers a secret that must never be shown. */
  readonly keepSecret: (secret: string) => void;
}

/**
 * Creates credentials for a role that is assumed with an identity token of the CI. They are renewed
 * after half of their lifetime while the CI issues tokens. GitHub issues new ones until its job's
 * token expires. GitLab issues one token, which lasts until the job's timeout.
 */
export function createAwsCredentials(options: CredentialOptions): AwsCredentials {
  const role = chooseRole(options.environment);
  if (role === undefined) return ambient(options.environment);
  const sts = createSts(options);
  const readToken = role.tokenFile
    ? () => readFile(role.tokenFile as string, 'utf8')
    : () => readWithin(() => options.readIdToken(audienceOf(role.arn)));
  const { clock, keepSecret } = options;
  const take = async () => {
    const token = (await readToken()).trim();
    keepSecret(token);
    const session = await assume(sts, role, token);
    for (const secret of [session.secretAccessKey, session.sessionToken ?? '']) keepSecret(secret);
    return session;
  };
  return createRenewed({ clock, assume: take });
}

/** Limit for GitHub's toolkit, which has no timeout for a response. */
const idTokenMs = 30_000;

async function readWithin(read: () => Promise<string>): Promise<string> {
  try {
    return await within(idTokenMs, read, 'identity token');
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error;
    const message = `TimeoutError: GitHub gave ${(error as Error).message}`;
    throw Object.assign(new Error(message), { name: 'TokenProviderError' });
  }
}

export interface AssumableRole {
  readonly arn: string;
  readonly sessionName: string;
  readonly durationSeconds?: number;
  /** File with the token. Absent: the CI provides the token. */
  readonly tokenFile?: string;
}

/**
 * Chooses the role to assume: the input of the action, or the token file. As in the SDK, keys and a
 * profile take precedence over the token file.
 */
function chooseRole(environment: CredentialOptions['environment']): AssumableRole | undefined {
  const read = (name: string) => environment[name] ?? '';
  const given = read('HOSTED_RUNNER_AWS_ROLE');
  if (given !== '') {
    // The parser of the run has already checked the limits of STS.
    const seconds = Number(read('HOSTED_RUNNER_AWS_ROLE_DURATION_SECONDS') || 3600);
    const sessionName = `hosted-runner-${read('GITHUB_RUN_ID')}`;
    return { arn: given, sessionName, durationSeconds: seconds };
  }
  const [arn, tokenFile] = [read('AWS_ROLE_ARN'), read('AWS_WEB_IDENTITY_TOKEN_FILE')];
  if (arn === '' || tokenFile === '' || read('AWS_ACCESS_KEY_ID') + read('AWS_PROFILE') !== '')
    return undefined;
  return { arn, tokenFile, sessionName: read('AWS_ROLE_SESSION_NAME') || 'hosted-runner-deploy' };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_oidc.html */
export function audienceOf(roleArn: string): string {
  return roleArn.startsWith('arn:aws-cn:') ? 'sts.amazonaws.com.cn' : 'sts.amazonaws.com';
}

export interface RoleSession extends Identity {
  readonly expiresAtMs: number;
}

export async function assume(sts: Sts, role: AssumableRole, token: string): Promise<RoleSession> {
  const what = `AssumeRoleWithWebIdentity ${role.arn}`;
  const answer = await sts
    .send({
      what,
      effect: 'read',
      call: (client, options) =>
        client.assumeRoleWithWebIdentity(
          {
            RoleArn: role.arn,
            RoleSessionName: role.sessionName,
            WebIdentityToken: token,
            ...(role.durationSeconds === undefined
              ? {}
              : { DurationSeconds: role.durationSeconds }),
          },
          options,
        ),
    })
    .catch((error: unknown) => {
      throw withRole(error, { arn: role.arn, claims: readClaims(token) });
    });
  const { Credentials: given } = answer.kind === 'answer' ? answer.value : {};
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
  const expiresAtMs = Expiration?.getTime();
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !(Number(expiresAtMs) > 0))
    throw sts.unexpected({
      what,
      detail: 'the response has no complete Credentials',
      effect: 'read',
    });
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiresAtMs: Number(expiresAtMs),
  };
}

/**
 * Adds the role and the claims to a refusal, so an operator can compare them with the trust policy.
 */
function withRole(error: unknown, requested: Omit<RefusedRole, 'ground'>): unknown {
  if (!isPortFailure(error)) return error;
  if (error.kind !== 'denied' && error.refusedRole === undefined) return error;
  const { detail, refusedRole: { ground = 'trust_policy' } = {} } = error;
  const refusedRole: RefusedRole = { ...requested, ground };
  return new PortFailure({ ...error, detail, kind: 'unauthenticated', refusedRole });
}

const retryMs = 60_000;

/**
 * Renews a session. If a renewal fails while the old session is valid, it is retried once a minute
 * and the expiry is reported.
 */
export function createRenewed({
  clock,
  assume: renew,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly assume: () => Promise<RoleSession>;
}): AwsCredentials {
  let session: (RoleSession & { readonly halfMs: number }) | undefined;
  let failedAtMs: number | undefined;
  let renewing: Promise<RoleSession> | undefined;
  async function take(): Promise<RoleSession> {
    try {
      const given = await renew();
      const halfMs = (clock.now() + given.expiresAtMs) / 2;
      session = { ...given, halfMs };
      failedAtMs = undefined;
      return session;
    } catch (error) {
      failedAtMs = clock.now();
      if (session === undefined || clock.now() >= session.expiresAtMs) throw error;
      return session;
    }
  }
  const isFresh = () => {
    const nowMs = clock.now();
    if (session === undefined || nowMs >= session.expiresAtMs) return false;
    return nowMs < session.halfMs || (failedAtMs !== undefined && nowMs < failedAtMs + retryMs);
  };
  return {
    async provide() {
      if (session !== undefined && isFresh()) return session;
      renewing ??= take().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    variables: () => (session === undefined ? {} : variablesOf(session)),
    endsAt: () => (failedAtMs === undefined ? undefined : session?.expiresAtMs),
    ...acceptance(),
  };
}

function variablesOf({ accessKeyId, secretAccessKey, sessionToken = '' }: Identity) {
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
}

/**
 * Uses the session of the environment. Its expiry is known only from AWS_CREDENTIAL_EXPIRATION.
 */
function ambient(environment: CredentialOptions['environment']): AwsCredentials {
  const { AWS_SESSION_TOKEN: token = '', AWS_CREDENTIAL_EXPIRATION: end = '' } = environment;
  const endsAtMs = token === '' ? Number.NaN : Date.parse(end);
  return {
    variables: () => ({}),
    endsAt: () => (Number.isNaN(endsAtMs) ? undefined : endsAtMs),
    ...acceptance(),
  };
}

function acceptance(): Pick<AwsCredentials, 'accept' | 'wereAccepted'> {
  let accepted = false;
  return {
    accept() {
      accepted = true;
    },
    wereAccepted: () => accepted,
  };
}

/** Returns the environment for a child process, with the newest credentials. */
export function withCredentials(
  environment: CredentialOptions['environment'],
  credentials: Pick<AwsCredentials, 'variables'>,
): CredentialOptions['environment'] {
  return { ...environment, ...credentials.variables() };
}
