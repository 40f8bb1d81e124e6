import { capital } from '../domain/text/capital.ts';
import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of `doctor` and `recover`. One function a code. */

export function nothingToFix(
  runner: string,
  found: { readonly title: string; readonly commands: readonly CommandToType[] } | undefined,
): DeployError {
  const commands = (found?.commands ?? []).filter(
    (one) => !('command' in one && one.command === 'doctor'),
  );
  return new DeployError({
    code: 'NothingToFix',
    what: `Nothing of ${runner} can be repaired without a decision; nothing was touched.`,
    why: found === undefined ? [] : [`${capital(found.title)}.`],
    fix: [...commands.slice(0, 2), { say: 'Look at everything', command: 'doctor', runner }],
  });
}

/** A stage that has nothing to retire has seen that customers are served by nobody. */
export function noShardServes(facts: {
  runner: string;
  stage: string;
  active: string;
  candidate: string;
  phase: string;
  reason: string;
  /** It waits for nothing but its promotion. */
  isProven: boolean;
}): DeployError {
  const { runner, stage, active, candidate, phase, reason, isProven } = facts;
  return new DeployError({
    code: 'NothingServes',
    what: `No shard of ${runner} serves: ${active} cannot, and ${candidate} is not promoted; ${stage} has nothing to retire.`,
    why: [`${capital(reason)}.`, `The deployment is ${phase}.`],
    fix: [
      isProven
        ? { say: `Make ${candidate} active, which was proven`, command: 'promote', runner }
        : {
            say: `Mend ${candidate}, the candidate`,
            command: 'recover --method auto',
            runner,
            wantsYes: true,
          },
      { say: 'Look at everything', command: 'doctor', runner },
    ],
  });
}

/** The same of a deployment that is done: there is nothing of it that a recovery could go on with. */
export function noShardServesAtRest(facts: {
  runner: string;
  active: string;
  other: string;
  reason: string;
  /** A process of it may run, so that it is enough to open it. */
  takesNoNewJob: boolean;
}): DeployError {
  const { runner, active, other, reason, takesNoNewJob } = facts;
  return new DeployError({
    code: 'NothingServes',
    what: `No shard of ${runner} serves: ${active} does not, and neither does ${other}; recover has no deployment to mend.`,
    why: [`${capital(reason)}.`, 'The deployment is done.'],
    fix: [
      takesNoNewJob
        ? {
            say: `Open ${active} again, proven`,
            command: 'activate',
            runner,
            more: inShell`--shard ${active}`,
          }
        : { say: `Build ${other}, and make it active`, command: 'deploy', runner },
      { say: 'Look at everything', command: 'doctor', runner },
    ],
  });
}

/** A job on the shard, nothing but whose end makes a way, and the method that is one then. */
export interface Waits {
  readonly job: string;
  readonly method: string;
}

export function cannotRecover(facts: {
  runner: string;
  method: string;
  reason: string;
  next: readonly Line[];
  waits?: Waits | undefined;
}): DeployError {
  return new DeployError({
    code: 'CannotRecover',
    what: `Method ${facts.method} cannot recover ${facts.runner}; nothing was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      ...whenEnded(facts),
      ...facts.next.slice(0, 2 - whenEnded(facts).length),
      { say: 'Look at everything', command: 'doctor', runner: facts.runner },
    ],
  });
}

/** What ends by itself, or by whoever it belongs to, is waited for. */
function whenEnded({ runner, waits }: { runner: string; waits?: Waits | undefined }) {
  if (waits === undefined) return [];
  const more = inShell`--method ${waits.method}`;
  return [
    {
      say: `When ${waits.job} has ended`,
      command: 'recover',
      runner,
      more,
      wantsYes: true as const,
    },
  ];
}

export function noMethodLeft(facts: {
  runner: string;
  reasons: readonly string[];
  waits?: Waits | undefined;
}): DeployError {
  return new DeployError({
    code: 'NoRungLeft',
    what: `No method of recover can help ${facts.runner} now; nothing was touched.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    fix: [
      ...whenEnded(facts),
      { say: 'Look at everything', command: 'doctor', runner: facts.runner },
    ],
  });
}
