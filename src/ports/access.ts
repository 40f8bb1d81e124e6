import type { ProbeResult } from './registry.ts';

/** What the cloud's credentials may do, as far as it can be found out without an effect. */
export interface Access {
  probe(): Promise<readonly ProbeResult[]>;
}
