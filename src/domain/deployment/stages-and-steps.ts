/** Table of steps, read by everything that lists steps, phases or stages. */
export const steps = [
  { name: 'prepare', writes: ['prepared'], touches: 'nothing' },
  { name: 'onboard', writes: ['onboarded'], touches: 'candidate' },
  { name: 'guard', writes: [], touches: 'nothing' },
  { name: 'apply', writes: ['applying', 'applied'], touches: 'candidate' },
  { name: 'healthcheck', writes: ['healthy'], touches: 'candidate' },
  { name: 'promote', writes: ['promoting', 'promoted'], touches: 'candidate' },
  { name: 'drain', writes: ['draining', 'drained'], touches: 'retiring' },
  // Before `stop`, the first irreversible effect, and only if a bake is configured (decision 11).
  { name: 'bake', writes: ['baked'], touches: 'retiring' },
  { name: 'stop', writes: [], touches: 'retiring' },
  // The phase is written first, because the step is irreversible.
  { name: 'deregister', writes: ['destroying'], touches: 'retiring', writesFirst: true },
  { name: 'destroy', writes: [], touches: 'retiring' },
  { name: 'finish', writes: ['done'], touches: 'nothing' },
] as const;

export type StepName = (typeof steps)[number]['name'];

/**
 * Phases in the order of a deployment; `retreating` is separate, between promoting and prepared.
 */
export const phases = steps.flatMap((step) => [...step.writes]);

export type ForwardPhase = (typeof steps)[number]['writes'][number];
export type Phase = ForwardPhase | 'retreating';

export const allPhases: readonly Phase[] = [...(phases as ForwardPhase[]), 'retreating'];

/** State that an unfinished deployment has left, as shown to operators. */
export const leftAt: Readonly<Record<Phase, string>> = {
  prepared: '{candidate} is not built yet.',
  onboarded: '{candidate} has a {registration} in quarantine, but is not built yet.',
  applying: '{candidate} may be partly built and is in quarantine{idle}.',
  applied: '{candidate} is built and in quarantine{idle}.',
  healthy: '{candidate} is built and in quarantine{idle}.',
  promoting:
    '{candidate} may already have the production {tags}; it is unknown whether the switch was made.',
  promoted: '{candidate} is promoted; {retiring} is still to be drained and removed.',
  draining: '{retiring} is draining: it must take no new jobs and finishes its running jobs.',
  drained: '{retiring} is drained and not yet removed.',
  baked: 'The bake of {candidate} has ended; {retiring} is drained and not yet removed.',
  destroying: '{retiring} is drained and partly removed.',
  done: '',
  retreating: '{candidate} is in retreat: it must take no customer jobs.',
};

/** Stages: each is one pipeline job and a range of steps. */
export const stages = {
  prepare: { first: 'prepare', last: 'prepare' },
  onboard: { first: 'onboard', last: 'onboard' },
  provision: { first: 'onboard', last: 'promote' },
  promote: { first: 'promote', last: 'promote' },
  shutdown: { first: 'drain', last: 'stop' },
  bake: { first: 'bake', last: 'bake' },
  cleanup: { first: 'deregister', last: 'finish' },
  finalize: { first: 'drain', last: 'finish' },
} as const satisfies Record<string, { first: StepName; last: StepName }>;

export type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as StageName[];

/** Commands that run in a session. Their permitted acts and printed errors depend on the name. */
export type SessionCommand =
  | StageName
  | 'healthcheck'
  | 'deploy'
  | 'status'
  | 'dashboard'
  | 'doctor'
  | 'recover'
  | 'rollback'
  | 'activate'
  | 'hold'
  | 'release'
  | 'renew';

export function stepNamed(name: StepName): (typeof steps)[number] {
  return steps.find((step) => step.name === name) as (typeof steps)[number];
}

export function stepsOf(stage: StageName): readonly StepName[] {
  const names = steps.map((step) => step.name);
  const { first, last } = stages[stage];
  return names.slice(names.indexOf(first), names.indexOf(last) + 1);
}

export function beginsAfter(stage: StageName, step: StepName): boolean {
  const names: readonly StepName[] = steps.map(({ name }) => name);
  return names.indexOf(stages[stage].first) > names.indexOf(step);
}

/** Returns whether the command is a stage after the promotion, which any pipeline may finish. */
export function isRetirement(command: SessionCommand): boolean {
  const stage = stageNames.find((name) => name === command);
  return stage !== undefined && beginsAfter(stage, 'promote');
}

/** Returns whether the command works towards the promotion, as a stage or as all of them. */
export function bringsUp(command: SessionCommand): boolean {
  const stage = stageNames.find((name) => name === command);
  return command === 'deploy' || (stage !== undefined && !beginsAfter(stage, 'promote'));
}

/** Returns whether the command chooses and writes the direction of a new deployment. */
export function preparesDeployment(command: SessionCommand): boolean {
  return command === 'prepare' || command === 'deploy';
}

/** Position of a phase; `retreating` counts as `prepared`, to which it leads. */
function phaseIndex(phase: Phase): number {
  return phase === 'retreating'
    ? phaseIndex('prepared')
    : (phases as ForwardPhase[]).indexOf(phase);
}

export function isBefore(phase: Phase, other: ForwardPhase): boolean {
  return phaseIndex(phase) < phaseIndex(other);
}

/** Returns whether a rollback is possible: after the switch, before an irreversible removal. */
export function isReturnable(phase: Phase): boolean {
  return !isBefore(phase, 'promoted') && isBefore(phase, 'destroying');
}

/**
 * Returns whether a production tag may exist: from here on, a deployment is only finished, never
 * restarted.
 */
export function isPastQuarantine(phase: Phase): boolean {
  return !isBefore(phase, 'promoting');
}

/**
 * Returns whether at most one shard exists: the candidate is not built yet, or the old shard is
 * removed.
 */
export function isAlone(phase: Phase): boolean {
  return phase === 'done' || (phase !== 'retreating' && isBefore(phase, 'applying'));
}

/** Returns whether the candidate is completely built and has no production tag. */
export function isBuilt(phase: Phase): boolean {
  return !isBefore(phase, 'applied') && isBefore(phase, 'promoting');
}

/** Returns whether the old shard is being removed. */
export function isRetiring(phase: Phase): boolean {
  return !isBefore(phase, 'promoted') && phase !== 'done';
}

/** Returns whether the drain is proven and something of the old shard still exists. */
export function isDrained(phase: Phase): boolean {
  return !isBefore(phase, 'drained') && phase !== 'done';
}

/**
 * Lists the steps left: from the next step on, or from the current one if it writes its phase
 * first.
 */
export function stepsLeft(stage: StageName, phase: Phase): readonly StepName[] {
  const at = steps.findIndex(({ writes }) => (writes as readonly Phase[]).includes(phase));
  const step = steps[at];
  const isOver = step?.writes.at(-1) === phase && !('writesFirst' in step);
  const left: readonly StepName[] = steps
    .slice(isOver ? at + 1 : Math.max(0, at))
    .map(({ name }) => name);
  return stepsOf(stage).filter((name) => left.includes(name));
}

/** Returns the next stage for an operator without a pipeline; undefined if nothing is left. */
export function nextStage(phase: Phase): StageName | undefined {
  if (phase === 'done') return undefined;
  if (isRetiring(phase)) return 'finalize';
  return isBefore(phase, 'healthy') ? 'provision' : 'promote';
}
