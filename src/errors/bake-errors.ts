import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of a bake and its consequences. One function per code. */

export function bakeUnfinished(facts: {
  runner: string;
  stage: string;
  candidate: string;
  retiring: string;
  reason: string;
  until: string;
}): DeployError {
  const { runner, stage, candidate, retiring } = facts;
  return new DeployError({
    code: 'StillBaking',
    what: `${capital(candidate)} is still baking; this run stops now, before its CI job times out.`,
    why: [
      `${capital(facts.reason)}.`,
      `${capital(retiring)} is drained and still available for a rollback; the bake ends at ${facts.until}.`,
    ],
    fix: [{ text: 'Resume the bake', again: stage, runner }],
  });
}

/** A hold for an operator's decision, as configured. */
export function bakeHeld(facts: {
  runner: string;
  candidate: string;
  retiring: string;
  verdict: 'unhealthy' | 'inconclusive';
  reason: string;
}): DeployError {
  const { runner, candidate, retiring, verdict, reason } = facts;
  return new DeployError({
    code: 'BakeHeld',
    what: `${verdict === 'unhealthy' ? `${capital(candidate)} is unhealthy in its bake` : `The bake of ${candidate} is inconclusive`}; ${runner} is on hold until an operator decides.`,
    why: [`${capital(reason)}.`],
    fix: [
      { text: 'First release the hold', command: 'release', runner },
      { text: `Then roll back to ${retiring}`, command: 'rollback', runner },
      verdict === 'unhealthy'
        ? {
            text: `Or keep ${candidate}`,
            command: 'finalize',
            runner,
            more: '--set bake.on_unhealthy=report',
          }
        : {
            text: `Or keep ${candidate}`,
            command: 'finalize',
            runner,
            more: '--set bake.on_inconclusive=proceed',
          },
    ],
  });
}

/** Fails every run of a deployment that was rolled back. */
export function rolledBack(facts: {
  runner: string;
  id: string;
  why: string;
  /** Whether an operator typed the command at a terminal. */
  isTyped: boolean;
  /** Reason why this run has not removed the rest of the deployment. */
  unfinished?: string;
}): DeployError {
  const { runner, id, why, isTyped, unfinished } = facts;
  return new DeployError({
    code: 'TakenBack',
    what: `Deployment ${id} of ${runner} was rolled back.`,
    why: [
      `${capital(why)}.`,
      ...(unfinished === undefined
        ? []
        : [`The candidate is not completely removed: ${unfinished}`]),
    ],
    fix: [
      { text: 'Check both shards', command: 'status', runner },
      ...(unfinished === undefined ? [] : [retireLeft(runner)]),
      isTyped
        ? { text: 'Fix the cause, then deploy again', command: 'deploy', runner }
        : 'Fix the cause, then start a new pipeline to deploy again.',
    ],
  });
}

function retireLeft(runner: string): Line {
  const text = 'Finish the removal, unless a schedule does';
  return { text, command: 'finalize', runner };
}

/**
 * The previous shard was unpaused and could not be verified; nothing of either shard is removed.
 */
export function rollbackUnproven(facts: {
  runner: string;
  bad: string;
  old: string;
  why: string;
  reasons: readonly string[];
  /** Whether the bad shard still accepts jobs, so an operator may keep it. */
  acceptsJobs: boolean;
  /** Whether the old shard was paused again, because the bad one is verified. */
  takesNoNewJob: boolean;
}): DeployError {
  const { runner, bad, old, why, reasons, acceptsJobs, takesNoNewJob } = facts;
  const left = takesNoNewJob
    ? `${old} was paused again, because ${bad} accepts jobs`
    : 'both shards stay as they are';
  return new DeployError({
    code: 'TakeBackUnproven',
    what: `Cannot roll back to ${old}: it is not verified that ${old} accepts jobs. ${capital(left)}.`,
    why: [`${capital(why)}.`, ...reasons.map((reason) => `${capital(reason)}.`)],
    fix: [
      { text: `Fix ${old}, then roll back to it`, command: 'rollback', runner },
      ...(acceptsJobs
        ? [
            {
              text: `Or keep ${bad}`,
              command: 'activate',
              runner,
              more: inShell`--shard ${bad}`,
            },
          ]
        : []),
      { text: 'Check both shards', command: 'status', runner },
    ],
  });
}
