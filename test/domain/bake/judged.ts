import {
  type BakeCheck,
  type BakeFacts,
  judgeBake,
  type SignalReading,
} from '../../../src/domain/bake/judge-bake.ts';
import type { BakeSettings } from '../../../src/domain/settings.ts';
import { usualBake } from '../../fakes/bake-settings.ts';

export const minute = 60_000;
export const usual = { kind: 'usual', reason: 'no fault of the runner in 25 jobs' } as const;
/** Half an hour without a canary. */
export const halfAnHour: BakeSettings = {
  ...usualBake,
  forMs: 30 * minute,
  signals: { ...usualBake.signals, canary: 'off' },
};

export type Told = 'good' | 'bad' | 'unknown';

export function reading(
  signal: string,
  value: Told,
  more: Partial<SignalReading> = {},
): SignalReading {
  return { signal, requirement: 'required', value, detail: `${signal} is ${value}`, ...more };
}

/** One look a minute, each of which says that of health. */
export function looks(words: readonly Told[], more: Partial<SignalReading> = {}): BakeCheck[] {
  return words.map((word, at) => ({
    at: at * minute,
    signals: [reading('health', word, more)],
    faults: usual,
    finished: 25,
  }));
}

/** Forty minutes after the switch, of a bake that is not over. */
export function judged(facts: Partial<BakeFacts> & Pick<BakeFacts, 'looks'>) {
  return judgeBake({
    sincePromotedMs: 40 * minute,
    checksPastEnd: 0,
    settings: halfAnHour,
    ...facts,
  });
}
