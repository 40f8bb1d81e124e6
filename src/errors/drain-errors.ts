import type { DeploymentKind } from '../domain/deployment/record.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';
import { rollbackLines } from './recovery-lines.ts';

/** Errors of a drain. One function per code. */

export function drainUnfinished(facts: {
  runner: string;
  shard: string;
  stage: string;
  jobs: readonly string[];
  reason: string;
  /**
   * Instances that EC2 reports as stopped: the drain never ends until an operator acts on them.
   */
  stopped?: readonly string[];
  /** Action for jobs that only the registry lists; absent if a host may run them. */
  registryOnly?: string | undefined;
  /**
   * Whether another runner with the shard's description accepts jobs until an operator changes it.
   */
  byOther?: boolean;
}): DeployError {
  const { stopped = [], byOther = false } = facts;
  const error = new DeployError({
    code: 'StillDraining',
    what: `${facts.shard} is still draining; this run stops now, before its CI job times out.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [
      ...(facts.registryOnly === undefined ? [] : [`${facts.registryOnly}.`]),
      ...(stopped.length === 0
        ? []
        : [
            inShell`Start it to check what is left on it: aws ec2 start-instances --instance-ids ${stopped}`,
            inShell`Or terminate it, if nothing on it is needed: aws ec2 terminate-instances --instance-ids ${stopped}`,
          ]),
      { text: 'Resume the drain', again: facts.stage, runner: facts.runner },
    ],
  });
  return stopped.length > 0 || byOther ? needsOperator(error) : error;
}

/** A confirmation that starts again in each run, and that no run of this job could finish. */
export function drainJobTooShort(facts: {
  runner: string;
  shard: string;
  stage: string;
  reason: string;
  needs: string;
  /** `needs`, and time for the rest of the job. */
  timeout: string;
  lasts: string;
  registry: string;
}): DeployError {
  const { runner, shard, stage, needs, lasts, registry } = facts;
  return new DeployError({
    code: 'DrainJobTooShort',
    what: `A job with a timeout of ${lasts} is too short to confirm that ${shard} is drained: one run needs ${needs}.`,
    why: [
      `${capital(facts.reason)}.`,
      `${registry} does not record whether the shard was unpaused between two runs, so each run restarts the wait.`,
    ],
    fix: [
      {
        text: `Give this CI job a timeout of at least ${facts.timeout}, then`,
        again: stage,
        runner,
      },
      'Or use a source that confirms the drain in seconds: the hosts (host.access), or a token that can see every job.',
    ],
  });
}

export function drainTimedOut(facts: {
  runner: string;
  shard: string;
  stage: string;
  after: string;
  jobs: readonly string[];
  reason: string;
  /**
   * Whether the current configuration can kill its jobs: this requires host access, except for
   * GitHub.
   */
  readsHosts: boolean;
  /** Action for jobs that only the registry lists; absent if a host may run them. */
  registryOnly?: string | undefined;
}): DeployError {
  const { readsHosts, registryOnly } = facts;
  return new DeployError({
    code: 'DrainTimedOut',
    what: `${facts.shard} did not drain within ${facts.after}; it continues to drain, and nothing was stopped.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [
      ...(registryOnly === undefined ? [] : [`${registryOnly}.`]),
      {
        text: 'Keep waiting',
        again: facts.stage,
        runner: facts.runner,
        more: '--set drain.timeout=none',
      },
      {
        text: forceOf(readsHosts, registryOnly),
        again: facts.stage,
        runner: facts.runner,
        more: inShell`--set ${readsHosts ? [] : ['host.access=run_command', '--set']} drain.force_after=30s`,
      },
    ],
  });
}

function forceOf(readsHosts: boolean, registryOnly: string | undefined): string {
  if (registryOnly !== undefined) return 'Or continue without waiting for these jobs';
  return readsHosts ? 'Or kill its jobs' : 'Or kill its jobs, which needs access to its hosts';
}

export function drainBlind(facts: {
  runner: string;
  shard: string;
  stage: string;
  reason: string;
  /** Whether its runner no longer exists, so no token can see its jobs. */
  registrationGone: boolean;
  /** Whether hosts may be queried. */
  readsHosts: boolean;
  /** Instances that EC2 reports as running. */
  instances: readonly string[];
}): DeployError {
  const { shard, reason, readsHosts } = facts;
  return new DeployError({
    code: 'DrainBlind',
    what: `Cannot confirm that ${shard} is drained: no source can report whether its jobs have ended.`,
    why: [`${capital(reason)}.`],
    fix: readsHosts ? endsMachines(facts) : needsOtherHosts(facts),
  });
}

type Blind = Parameters<typeof drainBlind>[0];

/**
 * Lists how to terminate a machine by its id: an operator who names it has checked it, which is the
 * missing proof.
 */
function endsMachines({ runner, shard, stage, instances }: Blind): readonly Line[] {
  const [id, ...others] = instances;
  return [
    { text: `Check the machines of ${shard}`, command: 'doctor', runner },
    ...(id === undefined
      ? []
      : [
          {
            text:
              others.length === 0
                ? `Once no job runs on ${id}, terminate it`
                : `Once no job runs on them, run this for ${[id, ...others].join(', then for ')}`,
            command: 'recover',
            runner,
            more: inShell`--method terminate --instance ${id}`,
            wantsYes: true as const,
          },
        ]),
    { text: 'Then resume', again: stage, runner },
  ];
}

/** Lists other sources: without host access, the end of a machine would not count either. */
function needsOtherHosts({ runner, shard, stage, registrationGone }: Blind): readonly Line[] {
  const hosts = {
    text: `Query the hosts of ${shard}`,
    again: stage,
    runner,
    more: '--set host.access=run_command',
  };
  if (registrationGone)
    return [{ text: `Check the machines of ${shard}`, command: 'doctor', runner }, hosts];
  return [
    hosts,
    { text: 'Or use a token that can see every job (docs/use/drain.md)', again: stage, runner },
  ];
}

/** The other shard was verified, but each proof was too old when the effect could start. */
export function proofTooOld(facts: {
  runner: string;
  stage: string;
  shard: string;
  other: string;
  back: DeploymentKind | undefined;
  /** Number of proofs, age of the last one, and the permitted age. */
  times: number;
  ago: string;
  most: string;
  /** Whether the deployment has made no progress for a day. */
  isOld: boolean;
}): DeployError {
  const { runner, stage, shard, other, back, times, ago, most, isOld } = facts;
  return new DeployError({
    code: 'ServiceUnproven',
    exitCode: isOld ? 1 : 75,
    what: `${shard} was kept, because no recent check verified that ${other} accepts jobs.`,
    why: [
      `${other} was verified ${times} times, but each verification was too old when ${shard} was to be changed (age of the last: ${ago}; limit: ${most}).`,
      'This run was suspended, or a slow network or a rate limit (gitlab.calls_per_minute, gitlab.calls_per_hour) delayed its calls.',
    ],
    fix: [
      { text: 'Run it again', again: stage, runner },
      ...rollbackLines({ runner, shard, back }),
    ],
  });
}
