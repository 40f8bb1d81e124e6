import type { SandboxRandom } from '../surroundings/random.ts';
import { accountId } from './access/authorization.ts';
import { AwsRefusal } from './refusal.ts';

/** Identity whose credentials sign a call. */
export interface Caller {
  readonly arn: string;
  readonly userId: string;
}

export interface Session {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

export interface RoleRequest {
  readonly roleArn: string;
  readonly sessionName: string;
  readonly durationSeconds: number;
}

interface SessionsWorld {
  readonly random: SandboxRandom;
  /** Maximum session duration of every role. */
  readonly longestSessionSeconds: number;
  now(): number;
}

/** Temporary credentials of roles from STS. They are lost at a restart. */
export class Sessions {
  readonly #world: SessionsWorld;
  readonly #sessions = new Map<string, Session>();

  constructor(world: SessionsWorld) {
    this.#world = world;
  }

  assume(request: RoleRequest): Session {
    const role = /^arn:aws[\w-]*:iam::(\d{12}):role\/(?:.*\/)?([\w+=,.@-]{1,64})$/.exec(
      request.roleArn,
    );
    if (role === null || !/^[\w+=,.@-]{2,64}$/.test(request.sessionName))
      throw new AwsRefusal('ValidationError', 'Request ARN or session name is invalid', 400);
    if (request.durationSeconds > this.#world.longestSessionSeconds)
      throw new AwsRefusal(
        'ValidationError',
        'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
      );
    const { random, now } = this.#world;
    const id = `AROASANDBOX:${request.sessionName}`;
    const session: Session = {
      accessKeyId: `ASIA${random.hex(8).toUpperCase()}`,
      secretAccessKey: random.hex(20),
      sessionToken: random.hex(32),
      caller: {
        arn: `arn:aws:sts::${role[1]}:assumed-role/${role[2]}/${request.sessionName}`,
        userId: id,
      },
      expiresAtMs: now() + request.durationSeconds * 1000,
    };
    this.#sessions.set(session.accessKeyId, session);
    return session;
  }

  assumeByToken(request: RoleRequest & { readonly webIdentityToken: string }): Session {
    this.#check(request.webIdentityToken);
    return this.assume(request);
  }

  /**
   * Returns the identity of a key and token. Any key outside a session belongs to the user
   * `sandbox`.
   */
  callerOf(accessKeyId: string, sessionToken: string): Caller | 'expired' | 'unknown' {
    const session = this.#sessions.get(accessKeyId);
    if (session === undefined) return accessKeyId.startsWith('ASIA') ? 'unknown' : sandboxUser;
    if (session.sessionToken !== sessionToken) return 'unknown';
    return this.#world.now() < session.expiresAtMs ? session.caller : 'expired';
  }

  /** Checks the expiry of a CI's token, but not its signature. */
  #check(token: string): void {
    const [, payload = ''] = token.split('.');
    let claims: { exp?: unknown; sub?: unknown };
    try {
      claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    } catch {
      throw new AwsRefusal('InvalidIdentityToken', 'The ID Token provided is not a valid JWT.');
    }
    if (typeof claims.exp !== 'number' || typeof claims.sub !== 'string')
      throw new AwsRefusal('InvalidIdentityToken', 'The ID Token provided is not a valid JWT.');
    if (claims.exp * 1000 <= this.#world.now())
      throw new AwsRefusal(
        'ExpiredTokenException',
        `Token expired: current date/time ${Math.floor(this.#world.now() / 1000)} must be before the expiration date/time ${claims.exp}`,
      );
  }
}

const sandboxUser: Caller = {
  arn: `arn:aws:iam::${accountId}:user/sandbox`,
  userId: 'AIDASANDBOX',
};
