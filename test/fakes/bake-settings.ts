import type { BakeSettings } from '../../src/domain/settings.ts';
import { settingsWith } from './default-settings.ts';

/** No bake. */
export const usualBake: BakeSettings = settingsWith().bake;

/** Customers' jobs are all that is looked at. */
export const jobsAlone: BakeSettings['signals'] = {
  ...usualBake.signals,
  health: 'off',
  canary: 'off',
  failures: 'off',
};

/** A judge of the user's own is asked besides: where no job ends, somebody has to say that it is good. */
export const jobsAndJudge: BakeSettings['signals'] = {
  ...jobsAlone,
  webhookUrl: 'https://verdict.example.com',
};
