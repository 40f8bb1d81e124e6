import type { Phase, StageName } from './steps.ts';

/** What goes on from each phase; finalize is whatever is left of a retirement. */
const nextOf: Readonly<Record<Phase, StageName | undefined>> = {
  prepared: 'provision',
  onboarded: 'provision',
  applying: 'provision',
  applied: 'provision',
  healthy: 'promote',
  promoting: 'promote',
  promoted: 'finalize',
  draining: 'finalize',
  drained: 'finalize',
  destroying: 'finalize',
  retreating: 'provision',
  done: undefined,
};

/** The stage that a person types next, where no pipeline does it; undefined where nothing is left. */
export function nextStage(phase: Phase): StageName | undefined {
  return nextOf[phase];
}
