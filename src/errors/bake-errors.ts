import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of a bake and of what it leads to. One function a code. */

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
    what: `${capital(candidate)} is still watched under customers' jobs; this run ends before its job does.`,
    why: [
      `${capital(facts.reason)}.`,
      `${capital(retiring)} is drained, alive and the way back; the watching ends at ${facts.until}.`,
    ],
    fix: [{ say: 'Go on with it', again: stage, runner }],
  });
}

/** Configured to be a person's decision. */
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
    what: `The bake of ${candidate} is ${verdict}; ${runner} is held, and a person decides.`,
    why: [`${capital(reason)}.`],
    fix: [
      { say: 'End the hold first', command: 'release', runner },
      { say: `Then go back to ${retiring}`, command: 'rollback', runner },
      verdict === 'unhealthy'
        ? {
            say: `Or stay with ${candidate}`,
            command: 'finalize',
            runner,
            more: '--set bake.on_unhealthy=report',
          }
        : {
            say: `Or stay with ${candidate}`,
            command: 'finalize',
            runner,
            more: '--set bake.on_inconclusive=proceed',
          },
    ],
  });
}

/** Whose deployment was taken back never ends well, however often it is run again. */
export function rolledBack(facts: {
  runner: string;
  id: string;
  why: string;
  /** Why this run has not retired what is left of it. */
  unfinished?: string;
}): DeployError {
  const { runner, id, why, unfinished } = facts;
  return new DeployError({
    code: 'TakenBack',
    what: `Deployment ${id} of ${runner} was taken back.`,
    why: [
      `${capital(why)}.`,
      ...(unfinished === undefined ? [] : [`Its retirement is not over: ${unfinished}`]),
    ],
    fix: [
      { say: 'Look at both shards', command: 'status', runner },
      ...(unfinished === undefined ? [] : [retireLeft(runner)]),
      'Mend what was wrong, then start a new pipeline to deploy again.',
    ],
  });
}

function retireLeft(runner: string): Line {
  const say = 'Retire what is left of it, where no schedule does';
  return { say, command: 'finalize', runner };
}

/** The shard to go back to was opened and could not be proven; nothing of either is taken away. */
export function rollbackUnproven(facts: {
  runner: string;
  bad: string;
  old: string;
  why: string;
  reasons: readonly string[];
  /** Whether the bad one still serves, so that it can be stayed with. */
  serves: boolean;
  /** The old one, as the bad one is proven to serve. */
  takesNoNewJob: boolean;
}): DeployError {
  const { runner, bad, old, why, reasons, serves, takesNoNewJob } = facts;
  const left = takesNoNewJob ? `it is closed again, as ${bad} serves` : 'both stay as they are';
  return new DeployError({
    code: 'TakeBackUnproven',
    what: `${capital(bad)} was to be taken back, and ${old} is not proven to serve: ${left}.`,
    why: [`${capital(why)}.`, ...reasons.map((reason) => `${capital(reason)}.`)],
    fix: [
      { say: `Mend ${old}, then go back to it`, command: 'rollback', runner },
      ...(serves
        ? [
            {
              say: `Or stay with ${bad}`,
              command: 'activate',
              runner,
              more: inShell`--shard ${bad}`,
            },
          ]
        : []),
      { say: 'Look at both shards', command: 'status', runner },
    ],
  });
}
