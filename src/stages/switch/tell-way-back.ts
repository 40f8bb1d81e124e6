import type { Step } from '../../domain/text/line-to-type.ts';

/** Whoever holds the lock or the stack keeps a rollback from being taken right now. */
export const barred = {
  byRun: 'this run is cancelled or has ended',
  byHold: 'the hold is ended',
} as const;

/** How a person goes back, while nobody else does. */
export function wayBack(runner: string, old: string, bar?: string): Step {
  const once = bar === undefined ? '' : `, once ${bar},`;
  const say = `As long as ${old} lives, it takes over again${once} by`;
  return { say, command: 'rollback', runner };
}
