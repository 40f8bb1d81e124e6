import type { DeploymentKind } from '../domain/deployment/record.ts';
import { undoStep } from '../domain/doctor/commands.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line, Step } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';

/** Where one goes from a shard that is not proven to serve; lines that several errors share. */
interface Ways {
  readonly runner: string;
  readonly shard: string;
  readonly other: string;
  /** Absent where there is no way back. */
  readonly back: DeploymentKind | undefined;
}

export function rollbackLines({ runner, shard, back }: Pick<Ways, 'runner' | 'shard' | 'back'>) {
  if (back === undefined) return [];
  return [{ say: `Go back to ${shard}`, ...undoStep(back, shard), runner }];
}

/** What is only closed is opened by an activation, which proves it first. */
export function activateLine({ runner, shard }: Pick<Ways, 'runner' | 'shard'>): Step {
  const more = inShell`--shard ${shard}`;
  return { say: `Open ${shard} again and prove it`, command: 'activate', runner, more };
}

/** One that has ended has to be mended first. */
export function activateOtherLine({
  runner,
  other,
  back,
  isDead = false,
}: Pick<Ways, 'runner' | 'other' | 'back'> & { readonly isDead?: boolean }): Step {
  const stay = isDead ? 'mend it and stay' : 'stay';
  const say = capital(back === undefined ? stay : `or ${stay}`);
  const more = inShell`--shard ${other}`;
  return { say: `${say} with ${other}, proven anew`, command: 'activate', runner, more };
}

/** Printed only where it would be accepted. */
export function forceRemovalLines(runner: string, shard: string, isOpen: boolean): readonly Line[] {
  if (!isOpen) return [];
  return [
    {
      say: `Take ${shard} away although no shard serves`,
      command: 'recover',
      runner,
      more: '--although-nothing-serves',
      wantsYes: true,
    },
  ];
}

/** Whoever holds the lock or the stack keeps a rollback from being taken right now. */
export const rollbackBlockedUntil = {
  byRun: 'this run is cancelled or has ended',
  byHold: 'the hold is ended',
} as const;

/** How a person goes back, while nobody else does. */
export function rollbackLine(runner: string, old: string, bar?: string): Step {
  const once = bar === undefined ? '' : `, once ${bar},`;
  const say = `As long as ${old} lives, it takes over again${once} by`;
  return { say, command: 'rollback', runner };
}
