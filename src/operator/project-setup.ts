import type { ProjectSetting, SettingChange } from '../domain/project-setting.ts';
import { notConfirmed } from '../errors/takeover-errors.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Consent } from './confirm.ts';

/** Difference that the program can set. */
export interface SettingDifference {
  readonly setting: ProjectSetting;
  readonly present: string;
  readonly change: SettingChange;
}

export interface SetupPlan {
  readonly changes: readonly SettingDifference[];
  /** Differences that only an operator can set. */
  readonly manual: readonly ProjectSetting[];
  /** Settings that GitLab did not return, although the program could set them. */
  readonly unread: readonly ProjectSetting[];
}

export function planSetup(settings: readonly ProjectSetting[]): SetupPlan {
  const changes: SettingDifference[] = [];
  const manual: ProjectSetting[] = [];
  const unread: ProjectSetting[] = [];
  for (const setting of settings) {
    const { present, wanted, change } = setting;
    const value = 'value' in present ? present.value : undefined;
    if (value === wanted) continue;
    if (change === undefined) manual.push(setting);
    else if (value === undefined) unread.push(setting);
    else changes.push({ setting, present: value, change });
  }
  return { changes, manual, unread };
}

/** Prompts the operator, unless `--yes` was given. */
export async function confirmChanges(consent: Consent): Promise<void> {
  const command = { again: 'setup' } as const;
  if (consent.kind === 'given') return;
  if (consent.kind === 'nobody') throw notConfirmed({ command });
  const typed = (await consent.prompt('Continue? [y/N] ')).trim();
  if (!/^y(?:es)?$/i.test(typed)) throw notConfirmed({ command, typed });
}

/** Sets one setting. Returns why it is not set, or undefined. */
export async function applyChange({
  setting: { wanted },
  change,
}: SettingDifference): Promise<string | undefined> {
  const refusal = await failureOf(() => change.write());
  let reached: string | undefined;
  // A write can succeed without a response, and a response does not prove the value.
  const unread = await failureOf(async () => {
    reached = await change.read();
  });
  if (reached === wanted) return undefined;
  return refusal ?? unread ?? `GitLab still reports: ${reached}`;
}

async function failureOf(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return error.message;
  }
}
