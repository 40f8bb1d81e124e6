import {
  type BakeCheck,
  type BakeFacts,
  judgeBake,
  type SignalReading,
} from '../../../src/domain/bake/judge-bake.ts';
import type { BakeSettings } from '../../../src/domain/settings.ts';
import { usualBake } from '../../fakes/bake-settings.ts';

export const minute = 60_000;
export const usual = { kind: 'usual', reason: 'no runner system failure in 25 jobs' } as const;
/** Bake of half an hour without a canary. */
export const halfAnHour: BakeSettings = {
  ...usualBake,
  forMs: 30 * minute,
  signals: { ...usualBake.signals, canary: 'off' },
};

export type Health = 'good' | 'bad' | 'unknown';

export function reading(
  signal: string,
  value: Health,
  more: Partial<SignalReading> = {},
): SignalReading {
  return { signal, requirement: 'required', value, detail: `${signal} is ${value}`, ...more };
}

/** Lists checks, one a minute, each with this health verdict. */
export function series(words: readonly Health[], more: Partial<SignalReading> = {}): BakeCheck[] {
  return words.map((word, at) => ({
    at: at * minute,
    signals: [reading('health', word, more)],
    faults: usual,
    finished: 25,
  }));
}

/** Returns the verdict forty minutes after the switch, before the end of the bake. */
export function judge(facts: Partial<BakeFacts> & Pick<BakeFacts, 'checks'>) {
  return judgeBake({
    sincePromotedMs: 40 * minute,
    checksPastEnd: 0,
    settings: halfAnHour,
    ...facts,
  });
}
