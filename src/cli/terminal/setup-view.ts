import type { ProjectSetting } from '../../domain/project-setting.ts';
import type { SettingDifference } from '../../operator/project-setup.ts';
import { renderTableWithin } from './terminal-table.ts';

export async function renderChanges(
  changes: readonly SettingDifference[],
  columns: number | undefined,
): Promise<string> {
  const rows = changes.map(({ setting, present }) => [setting.name, present, setting.wanted]);
  return renderTableWithin({ head: ['setting', 'now', 'new'], rows }, columns);
}

/** Setting for an operator, with the reason if a write or a read was refused. */
export interface ManualStep extends Pick<ProjectSetting, 'name' | 'present' | 'byHand'> {
  readonly refusal?: string;
}

export function renderManualSteps(manual: readonly ManualStep[], steps: readonly string[]): string {
  const ofSettings = manual.map(({ name, present, byHand, refusal }) => {
    const seen = 'value' in present ? `now: ${present.value}` : `not known: ${present.unread}`;
    return `${name} (${refusal === undefined ? seen : `not set: ${refusal}`})\n${byHand}`;
  });
  return [...ofSettings, ...steps]
    .map((text, at) => `${at + 1}. ${text.replaceAll('\n', '\n   ')}`)
    .join('\n');
}
