import type { Effects } from '../effect.ts';
import type { ProbeResult } from '../registry.ts';

/** What the cloud's credentials may do, as far as it can be found out without an effect. */
export interface Access {
  probe(): Promise<readonly ProbeResult[]>;
}

export const accessEffects = {
  probe: 'reads',
} as const satisfies Effects<Access>;
