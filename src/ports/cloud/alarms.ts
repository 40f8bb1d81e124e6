import type { Effects } from '../effect.ts';

/** Alarms of the user in the account and region of the stack. */
export interface Alarms {
  /** Reads the state of each alarm; an unlisted one is `absent`. Rejects if none can be read. */
  read(names: readonly string[]): Promise<readonly AlarmReading[]>;
}

export const alarmEffects = { read: 'reads' } as const satisfies Effects<Alarms>;

export interface AlarmReading {
  readonly name: string;
  /** `unknown`: insufficient data, or an undocumented state. */
  readonly state: 'ok' | 'alarm' | 'unknown' | 'absent';
  /** AWS's reason, verbatim. */
  readonly detail: string;
}
