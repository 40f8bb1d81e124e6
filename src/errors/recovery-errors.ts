import { capital } from '../domain/text/capital.ts';
import type { CommandToType, Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of `doctor` and `recover`. One function per code. */

export function nothingToFix(
  runner: string,
  found: { readonly title: string; readonly commands: readonly CommandToType[] } | undefined,
): DeployError {
  const commands = (found?.commands ?? []).filter(
    (one) => !('command' in one && one.command === 'doctor'),
  );
  return new DeployError({
    code: 'NothingToFix',
    what: `Every repair of ${runner} needs an operator's decision; nothing was touched.`,
    why: found === undefined ? [] : [`${capital(found.title)}.`],
    fix: [
      ...commands.slice(0, 2).map((one) => ({ text: 'Possible repair', ...one })),
      { text: 'Diagnose the stack', command: 'doctor', runner },
    ],
  });
}

/** A stage with nothing to retire found that no shard accepts jobs. */
export function noShardAcceptsJobs(facts: {
  runner: string;
  stage: string;
  active: string;
  candidate: string;
  phase: string;
  reason: string;
  /** Whether the candidate only waits for its promotion. */
  isProven: boolean;
}): DeployError {
  const { runner, stage, active, candidate, phase, reason, isProven } = facts;
  return new DeployError({
    code: 'NothingServes',
    what: `No shard of ${runner} accepts jobs: ${active} cannot, and ${candidate} is not promoted. ${stage} has no old shard to drain or remove.`,
    why: [`${capital(reason)}.`, `The deployment is in phase ${phase}.`],
    fix: [
      isProven
        ? { text: `Promote ${candidate}, whose healthcheck passed`, command: 'promote', runner }
        : {
            text: `Recover the candidate, ${candidate}`,
            command: 'recover --method auto',
            runner,
            wantsYes: true,
          },
      { text: 'Diagnose the stack', command: 'doctor', runner },
    ],
  });
}

/** A finished deployment without a shard that accepts jobs: recovery has nothing to resume. */
export function noShardAcceptsJobsAtRest(facts: {
  runner: string;
  active: string;
  other: string;
  reason: string;
  /** Whether a process of it may run: reopening the shard then suffices. */
  takesNoNewJob: boolean;
}): DeployError {
  const { runner, active, other, reason, takesNoNewJob } = facts;
  return new DeployError({
    code: 'NothingServes',
    what: `Neither shard of ${runner} (${active}, ${other}) accepts jobs, and there is no unfinished deployment to recover.`,
    why: [`${capital(reason)}.`, 'The deployment is done.'],
    fix: [
      takesNoNewJob
        ? {
            text: `Reopen ${active} and verify it`,
            command: 'activate',
            runner,
            more: inShell`--shard ${active}`,
          }
        : { text: `Build ${other} and make it active`, command: 'deploy', runner },
      { text: 'Diagnose the stack', command: 'doctor', runner },
    ],
  });
}

/** Job that blocks recovery until it ends, and the method that is possible then. */
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
      { text: 'Diagnose the stack', command: 'doctor', runner: facts.runner },
    ],
  });
}

/** Suggests to wait for the end of the job, then to recover. */
function whenEnded({ runner, waits }: { runner: string; waits?: Waits | undefined }) {
  if (waits === undefined) return [];
  const more = inShell`--method ${waits.method}`;
  return [
    {
      text: `When ${waits.job} has ended`,
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
    what: `No recovery method can help ${facts.runner} now; nothing was touched.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    fix: [
      ...whenEnded(facts),
      { text: 'Diagnose the stack', command: 'doctor', runner: facts.runner },
    ],
  });
}
