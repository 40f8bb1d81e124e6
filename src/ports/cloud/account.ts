import type { Effects } from '../effect.ts';
import type { ProbeResult } from '../registry.ts';

/** Identity of the current AWS account, as AWS reports it. */
export interface Account {
  readIdentity(): Promise<CallerIdentity>;
  /**
   * Returns when the credentials expire, in milliseconds since 1970, once they are known to be not
   * renewable.
   */
  credentialsEnd(): number | undefined;
}

export const accountEffects = {
  readIdentity: 'reads',
  credentialsEnd: 'remembers',
} as const satisfies Effects<Account>;

export interface CallerIdentity {
  /** Account id of twelve digits. */
  readonly account: string;
  readonly arn: string;
  /** The region of every call. */
  readonly region: string;
}

/** Permissions of the cloud credentials, as far as they can be read without an effect. */
export interface Access {
  probe(): Promise<readonly ProbeResult[]>;
}

export const accessEffects = {
  probe: 'reads',
} as const satisfies Effects<Access>;
