import type { Effects } from '../effect.ts';
import type { ProbeResult } from '../registry.ts';

/** Whose AWS account this is, by AWS's own word. */
export interface Account {
  readIdentity(): Promise<CallerIdentity>;
  /** Milliseconds since 1970 at which our credentials end, once it is known that they cannot be renewed. */
  credentialsEnd(): number | undefined;
}

export const accountEffects = {
  readIdentity: 'reads',
  credentialsEnd: 'remembers',
} as const satisfies Effects<Account>;

export interface CallerIdentity {
  /** Twelve digits. */
  readonly account: string;
  readonly arn: string;
  /** The region that every call goes to. */
  readonly region: string;
}

/** What the cloud's credentials may do, as far as it can be found out without an effect. */
export interface Access {
  probe(): Promise<readonly ProbeResult[]>;
}

export const accessEffects = {
  probe: 'reads',
} as const satisfies Effects<Access>;
