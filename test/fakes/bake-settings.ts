import type { BakeSettings } from '../../src/domain/settings.ts';
import { settingsWith } from './default-settings.ts';

/** Settings without a bake. */
export const usualBake: BakeSettings = settingsWith().bake;

/** Signals of a bake that checks customer jobs alone. */
export const jobsAlone: BakeSettings['signals'] = {
  ...usualBake.signals,
  health: 'off',
  canary: 'off',
  failures: 'off',
};

/**
 * Adds a verdict webhook of the user. Without finished jobs, a source must still report that the
 * shard is good.
 */
export const jobsAndWebhook: BakeSettings['signals'] = {
  ...jobsAlone,
  webhookUrl: 'https://verdict.example.com',
};
