import { usualRates } from '../../src/domain/health/fault-rate.ts';
import type { BakeSettings } from '../../src/domain/settings.ts';

/** No bake. */
export const usualBake: BakeSettings = {
  atMostMs: 21_600_000,
  jobs: 20,
  pollMs: 60_000,
  rates: usualRates,
  signals: {
    health: 'required',
    canary: 'required',
    failures: 'report',
    prometheus: [],
    cloudwatchAlarms: [],
  },
  onUnhealthy: 'off',
  onInconclusive: 'proceed',
};

/** Customers' jobs are all that is looked at. */
export const jobsAlone: BakeSettings['signals'] = {
  health: 'off',
  canary: 'off',
  failures: 'off',
  prometheus: [],
  cloudwatchAlarms: [],
};

/** A judge of the user's own is asked besides: where no job ends, somebody has to say that it is good. */
export const jobsAndJudge: BakeSettings['signals'] = {
  ...jobsAlone,
  webhookUrl: 'https://verdict.example.com',
};
