import type { Effects } from './effect.ts';

/** Whose AWS account this is, by AWS's own word. */
export interface Account {
  readIdentity(): Promise<CallerIdentity>;
}

export const accountEffects = {
  readIdentity: 'reads',
} as const satisfies Effects<Account>;

export interface CallerIdentity {
  /** Twelve digits. */
  readonly account: string;
  readonly arn: string;
  /** The region that every call goes to. */
  readonly region: string;
}
