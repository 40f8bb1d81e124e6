import type { DeploymentKind } from '../domain/deployment/record.ts';
import { undoStep } from '../domain/doctor/commands.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line, Step } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';

/** Next commands for a shard that is not verified; several errors share these lines. */
interface Ways {
  readonly runner: string;
  readonly shard: string;
  readonly other: string;
  /** Absent if no rollback is possible. */
  readonly back: DeploymentKind | undefined;
}

export function rollbackLines({ runner, shard, back }: Pick<Ways, 'runner' | 'shard' | 'back'>) {
  if (back === undefined) return [];
  return [{ text: `Make ${shard} active again`, ...undoStep(back, shard), runner }];
}

/** Suggests an activation, which verifies and unpauses a shard that is only paused. */
export function activateLine({ runner, shard }: Pick<Ways, 'runner' | 'shard'>): Step {
  const more = inShell`--shard ${shard}`;
  return { text: `Reopen ${shard} and verify it`, command: 'activate', runner, more };
}

/** Suggests to verify the other shard again; a disproven one must be fixed first. */
export function activateOtherLine({
  runner,
  other,
  back,
  isDead = false,
}: Pick<Ways, 'runner' | 'other' | 'back'> & { readonly isDead?: boolean }): Step {
  const keep = isDead ? `fix ${other}, verify it again` : `verify ${other} again`;
  const text = capital(back === undefined ? keep : `or ${keep}`);
  const more = inShell`--shard ${other}`;
  return { text: `${text} and keep it`, command: 'activate', runner, more };
}

/** Suggests the removal only if it would be accepted. */
export function forceRemovalLines(runner: string, shard: string, isOpen: boolean): readonly Line[] {
  if (!isOpen) return [];
  return [
    {
      text: `If ${shard} cannot accept jobs either, remove it`,
      command: 'recover',
      runner,
      more: '--although-nothing-serves',
      wantsYes: true,
    },
  ];
}

/** Conditions that block a rollback now: a lock holder, or a hold. */
export const rollbackBlockedUntil = {
  byRun: 'this run is cancelled or has ended',
  byHold: 'the hold is released',
} as const;

/** Suggests a rollback by the operator, possibly after the blocking condition. */
export function rollbackLine(runner: string, old: string, bar?: string): Step {
  const how = bar === undefined ? 'with' : `once ${bar}`;
  const text = `If ${old} still exists, roll back ${how}`;
  return { text, command: 'rollback', runner };
}
