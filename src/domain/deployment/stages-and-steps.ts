/**
 * The one table of steps. Whatever enumerates steps, phases or stages reads it:
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
  // Before `stop`, the first irreversible effect, and only if a bake is configured (decision 11).
  { name: 'bake', writes: ['baked'], touches: 'retiring' },
  { name: 'stop', writes: [], touches: 'retiring' },
  // Its phase is written as it begins: what it does cannot be taken back.
  { name: 'deregister', writes: ['destroying'], touches: 'retiring', writesFirst: true },
  { name: 'destroy', writes: [], touches: 'retiring' },
  { name: 'finish', writes: ['done'], touches: 'nothing' },
] as const;

export type StepName = (typeof steps)[number]['name'];

/** In the order of a deployment; `retreating` stands beside them, between promoting and prepared. */
export const phases = steps.flatMap((step) => [...step.writes]);

export type ForwardPhase = (typeof steps)[number]['writes'][number];
export type Phase = ForwardPhase | 'retreating';

export const allPhases: readonly Phase[] = [...(phases as ForwardPhase[]), 'retreating'];

/** What a deployment that is unfinished has left, for whoever reads where things stand. */
export const leftAt: Readonly<Record<Phase, string>> = {
  prepared: 'Nothing of {candidate} is built.',
  onboarded: '{candidate} is registered, in quarantine; nothing of it is built.',
  applying: '{candidate} may be partly built, in quarantine{idle}.',
  applied: '{candidate} is built and in quarantine{idle}.',
  healthy: '{candidate} is built and in quarantine{idle}.',
  promoting:
    '{candidate} may have the production {tags} beside {retiring}; the status is not known to be switched.',
  promoted: '{candidate} is promoted; {retiring} is still to be drained and removed.',
  draining: '{retiring} is draining: it is to take no new job, and finishes those that it has.',
  drained: '{retiring} is drained and not yet removed.',
  baked: 'The bake of {candidate} is over; {retiring} is drained and not yet removed.',
  destroying: '{retiring} is drained and partly removed.',
  done: '',
  retreating: '{candidate} is being taken back: it is to take no customer job.',
};

/** A stage is one pipeline job of ours: a range of steps. */
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

/** What runs in a session. What a command may do, and what its errors print, hangs on its name. */
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

/** By the name of a command: of a stage whose steps come after the promotion, which any pipeline may finish. */
export function isRetirement(command: SessionCommand): boolean {
  const stage = stageNames.find((name) => name === command);
  return stage !== undefined && beginsAfter(stage, 'promote');
}

/** By the name of a command: of what works towards the promotion, a stage or all of them. */
export function bringsUp(command: SessionCommand): boolean {
  const stage = stageNames.find((name) => name === command);
  return command === 'deploy' || (stage !== undefined && !beginsAfter(stage, 'promote'));
}

/** By the name of a command: of what chooses a direction for a new deployment and writes it. */
export function preparesDeployment(command: SessionCommand): boolean {
  return command === 'prepare' || command === 'deploy';
}

/** Position of a phase; `retreating` counts as the phase that it leads back to. */
function phaseIndex(phase: Phase): number {
  return phase === 'retreating'
    ? phaseIndex('prepared')
    : (phases as ForwardPhase[]).indexOf(phase);
}

export function isBefore(phase: Phase, other: ForwardPhase): boolean {
  return phaseIndex(phase) < phaseIndex(other);
}

/** After the switch, and before anything of the old shard is taken away for good: a rollback goes back to it. */
export function isReturnable(phase: Phase): boolean {
  return !isBefore(phase, 'promoted') && isBefore(phase, 'destroying');
}

/** From the first production tag on, until the retirement is done, a deployment is only finished, never begun again. */
export function isPastQuarantine(phase: Phase): boolean {
  return !isBefore(phase, 'promoting');
}

/** Nothing of a candidate exists, or nothing of a retired shard any more. */
export function isAlone(phase: Phase): boolean {
  return phase === 'done' || (phase !== 'retreating' && isBefore(phase, 'applying'));
}

/** Built as a whole, and nobody has given it a production tag. */
export function isBuilt(phase: Phase): boolean {
  return !isBefore(phase, 'applied') && isBefore(phase, 'promoting');
}

/** The old shard is on its way out. */
export function isRetiring(phase: Phase): boolean {
  return !isBefore(phase, 'promoted') && phase !== 'done';
}

/** The drain is proven, and something of the old shard is still there. */
export function isDrained(phase: Phase): boolean {
  return !isBefore(phase, 'drained') && phase !== 'done';
}

/** From the step on that a deployment goes on with: the next one, unless the phase is written as its step begins. */
export function stepsLeft(stage: StageName, phase: Phase): readonly StepName[] {
  const at = steps.findIndex(({ writes }) => (writes as readonly Phase[]).includes(phase));
  const step = steps[at];
  const isOver = step?.writes.at(-1) === phase && !('writesFirst' in step);
  const left: readonly StepName[] = steps
    .slice(isOver ? at + 1 : Math.max(0, at))
    .map(({ name }) => name);
  return stepsOf(stage).filter((name) => left.includes(name));
}

/** The stage that a person types next, where no pipeline does it; undefined where nothing is left. */
export function nextStage(phase: Phase): StageName | undefined {
  if (phase === 'done') return undefined;
  if (isRetiring(phase)) return 'finalize';
  return isBefore(phase, 'healthy') ? 'provision' : 'promote';
}
