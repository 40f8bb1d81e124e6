import type { Diagnosis } from '../domain/diagnosis.ts';
import { DeployError } from './deploy-error.ts';
import { capital } from './state.ts';

const mostFixes = 3;

export function healthcheckTimedOut(facts: {
  runner: string;
  candidate: string;
  within: string;
  checks: number;
  reasons: readonly string[];
  diagnoses: readonly Diagnosis[];
  noChange: boolean;
  inARow: number;
}): DeployError {
  const { runner, candidate } = facts;
  const rerun = `Run it again: hosted-runner provision --runner ${runner}`;
  const cleanup = `Remove the candidate, then provision: hosted-runner recover --runner ${runner} --method cleanup`;
  const steps = facts.diagnoses[0]?.next ?? [];
  // Where provision itself mends what was diagnosed, an apply without changes says nothing.
  const isMendedByRerun = steps.some((step) => step.includes('hosted-runner provision'));
  const isRerunFutile = facts.noChange && !isMendedByRerun;
  const again = isRerunFutile
    ? ['The last apply changed nothing: running it again cannot help.']
    : [];
  const commands =
    isRerunFutile || (facts.inARow >= 2 && !isMendedByRerun) ? [cleanup] : [rerun, cleanup];
  const acts = steps.filter((step) => !step.includes('hosted-runner '));
  return new DeployError({
    code: 'HealthcheckTimedOut',
    exitCode: 1,
    what: `${candidate} did not become healthy within ${facts.within} (${facts.checks} checks).`,
    why: [...facts.reasons.map((reason) => `${capital(reason)}.`), ...again],
    fix: [...acts.map((act) => `${act}.`), ...commands].slice(0, mostFixes),
  });
}
