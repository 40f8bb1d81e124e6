import type { Effects } from '../effect.ts';

/** Alarms that the user has set up in the account and region of the stack. */
export interface Alarms {
  /** The state of each; one that is not listed is `absent`. Rejects where none can be read. */
  read(names: readonly string[]): Promise<readonly AlarmReading[]>;
}

export const alarmEffects = { read: 'reads' } as const satisfies Effects<Alarms>;

export interface AlarmReading {
  readonly name: string;
  /** `unknown`: too few data, or a state that is not known to us. */
  readonly state: 'ok' | 'alarm' | 'unknown' | 'absent';
  /** AWS's own words. */
  readonly detail: string;
}
