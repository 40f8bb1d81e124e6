import type { DeploymentKind } from '../deployment/record.ts';
import type { CommandToType } from '../text/line-to-type.ts';
import { inShell } from '../text/shell-quoting.ts';

/**
 * Commands of the findings. The stack's name is added later; `{shard}` and `{id}` are filled in.
 */
export const doctorStep = { command: 'doctor' };
export const fixStep = { command: 'doctor --fix', wantsYes: true } as const;
export const deployStep = { command: 'deploy' };
export const provisionStep = { command: 'provision' };
export const promoteStep = { command: 'promote' };
export const finalizeStep = { command: 'finalize' };
export const rollbackStep = { command: 'rollback' };
export const releaseStep = { command: 'release' };
export const renewStep = { command: 'renew' };
export const takeLockStep = { command: 'finalize', more: '--take-lock' };

/** @param words words of this catalogue; `{id}` is filled in as a single shell word */
export function recoverStep(words: string): CommandToType {
  return { command: 'recover', more: ['--method', words].join(' '), wantsYes: true };
}

/** The only next step if neither shard can accept jobs and the old one cannot be started. */
export const forceRemovalStep: CommandToType = {
  command: 'recover',
  more: '--although-nothing-serves',
  wantsYes: true,
};

export function activateStep(shard?: string): CommandToType {
  const more = shard === undefined ? '--shard {shard}' : inShell`--shard ${shard}`;
  return { command: 'activate', more };
}

/**
 * Returns to the shard that a deployment of this kind retires. A rollback of a rollback would find
 * it done already.
 */
export function undoStep(kind: DeploymentKind, shard: string): CommandToType {
  return kind === 'rollback' ? activateStep(shard) : rollbackStep;
}
