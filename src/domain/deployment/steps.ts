/**
 * The one table of steps (DESIGN section 4). Whatever enumerates steps, phases or stages reads it:
 * the runner, the cells, status, the docs.
 */
export const steps = [
  { name: 'prepare', writes: ['prepared'], touches: 'nothing' },
  { name: 'onboard', writes: ['onboarded'], touches: 'candidate' },
  { name: 'guard', writes: [], touches: 'nothing' },
  { name: 'apply', writes: ['applying', 'applied'], touches: 'candidate' },
  { name: 'healthcheck', writes: ['healthy'], touches: 'candidate' },
  { name: 'promote', writes: ['promoting', 'promoted'], touches: 'candidate' },
  { name: 'drain', writes: ['draining', 'drained'], touches: 'retiring' },
  { name: 'stop', writes: [], touches: 'retiring' },
  { name: 'deregister', writes: ['destroying'], touches: 'retiring' },
  { name: 'destroy', writes: [], touches: 'retiring' },
  { name: 'finish', writes: ['done'], touches: 'nothing' },
] as const;

export type StepName = (typeof steps)[number]['name'];

/** In the order of a deployment; `retreating` stands beside them, between promoting and prepared. */
export const phases = steps.flatMap((step) => [...step.writes]);

export type ForwardPhase = (typeof steps)[number]['writes'][number];
export type Phase = ForwardPhase | 'retreating';

export const allPhases: readonly Phase[] = [...(phases as ForwardPhase[]), 'retreating'];

/** A stage is one pipeline job of ours: a range of steps. */
export const stages = {
  prepare: { first: 'prepare', last: 'prepare' },
  onboard: { first: 'onboard', last: 'onboard' },
  provision: { first: 'onboard', last: 'promote' },
  promote: { first: 'promote', last: 'promote' },
  shutdown: { first: 'drain', last: 'stop' },
  cleanup: { first: 'deregister', last: 'finish' },
  finalize: { first: 'drain', last: 'finish' },
} as const satisfies Record<string, { first: StepName; last: StepName }>;

export type StageName = keyof typeof stages;

export function stepsOf(stage: StageName): readonly StepName[] {
  const names = steps.map((step) => step.name);
  const { first, last } = stages[stage];
  return names.slice(names.indexOf(first), names.indexOf(last) + 1);
}

/** Position of a phase; `retreating` counts as the phase that it leads back to. */
export function rank(phase: Phase): number {
  return phase === 'retreating' ? rank('prepared') : (phases as ForwardPhase[]).indexOf(phase);
}

export function isBefore(phase: Phase, other: ForwardPhase): boolean {
  return rank(phase) < rank(other);
}

/** After the switch, and before anything of the old shard is taken away for good: a rollback goes back to it. */
export function isReturnable(phase: Phase): boolean {
  return phase === 'promoted' || phase === 'draining' || phase === 'drained';
}

/** From the first production tag on, until the retirement is done, a deployment is only finished, never begun again. */
export function isPastQuarantine(phase: Phase): boolean {
  return !isBefore(phase, 'promoting');
}
