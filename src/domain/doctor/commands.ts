import type { DeploymentKind } from '../deployment/record.ts';
import type { CommandToType } from '../text/line-to-type.ts';
import { inShell } from '../text/shell-word.ts';

/** What findings give a person to type; the stack is named by who tells them, `{shard}` and `{id}` are filled in. */
export const doctor = { command: 'doctor' };
export const fix = { command: 'doctor --fix', wantsYes: true } as const;
export const deploy = { command: 'deploy' };
export const provision = { command: 'provision' };
export const promote = { command: 'promote' };
export const finalize = { command: 'finalize' };
export const rollback = { command: 'rollback' };
export const release = { command: 'release' };
export const renew = { command: 'renew' };
export const takeLock = { command: 'finalize', more: '--take-lock' };

/** @param words words of this catalogue; `{id}` among them is filled in as one word of a shell */
export function recover(words: string): CommandToType {
  return { command: 'recover', more: ['--method', words].join(' '), wantsYes: true };
}

/** The one way on where neither shard can serve, and nothing of the old one could. */
export const takeAway: CommandToType = {
  command: 'recover',
  more: '--although-nothing-serves',
  wantsYes: true,
};

export function activate(shard?: string): CommandToType {
  const more = shard === undefined ? '--shard {shard}' : inShell`--shard ${shard}`;
  return { command: 'activate', more };
}

/** Back to what a deployment of this kind retires. A rollback is not rolled back: it would be done already. */
export function backStep(kind: DeploymentKind, shard: string): CommandToType {
  return kind === 'rollback' ? activate(shard) : rollback;
}
