import type { DeploymentKind } from '../domain/deployment/record.ts';
import { capital } from '../domain/text/capital.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';
import { rollbackLines } from './recovery-lines.ts';

/** Errors of a drain. One function a code. */

export function drainUnfinished(facts: {
  runner: string;
  shard: string;
  stage: string;
  jobs: readonly string[];
  reason: string;
  /** Its instances that EC2 calls stopped: until a person does something about them the drain never ends. */
  stopped?: readonly string[];
  /** What ends jobs that the registry alone lists; absent if a host may run them. */
  registryOnly?: string | undefined;
  /** Another runner with the shard's description takes jobs until an operator changes it. */
  byOther?: boolean;
}): DeployError {
  const { stopped = [], byOther = false } = facts;
  const error = new DeployError({
    code: 'StillDraining',
    what: `${facts.shard} is still draining; this run ends before its job does.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [
      ...(facts.registryOnly === undefined ? [] : [`${facts.registryOnly}.`]),
      ...(stopped.length === 0
        ? []
        : [
            inShell`So that it says what is left there, start it: aws ec2 start-instances --instance-ids ${stopped}`,
            inShell`Or, if nothing on it is needed any more, end it: aws ec2 terminate-instances --instance-ids ${stopped}`,
          ]),
      { say: 'Go on with it', again: facts.stage, runner: facts.runner },
    ],
  });
  return stopped.length > 0 || byOther ? needsOperator(error) : error;
}

/** The confirmation begins anew in each run, so that no run of such a job ever ends it. */
export function drainJobTooShort(facts: {
  runner: string;
  shard: string;
  stage: string;
  reason: string;
  needs: string;
  lasts: string;
  registry: string;
}): DeployError {
  const { runner, shard, stage, needs, lasts, registry } = facts;
  return new DeployError({
    code: 'DrainJobTooShort',
    what: `${shard} cannot be proven drained in a job that may last ${lasts}: it takes ${needs} in one run.`,
    why: [
      `${capital(facts.reason)}.`,
      `${registry} does not keep whether somebody opened the intake between two runs, so that the time begins anew in each.`,
    ],
    fix: [
      {
        say: `Give the job that drains a timeout of ${needs} and ten minutes at least, then`,
        again: stage,
        runner,
      },
      'Or let somebody else say so in seconds: the hosts (host.access), or a token that sees every job.',
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
  /** Whether its jobs could be killed as it is configured: a host has to be told to, but for GitHub's. */
  readsHosts: boolean;
  /** What ends jobs that the registry alone lists; absent if a host may run them. */
  registryOnly?: string | undefined;
}): DeployError {
  const { readsHosts, registryOnly } = facts;
  return new DeployError({
    code: 'DrainTimedOut',
    what: `${facts.shard} was not drained within ${facts.after}; it goes on draining and nothing was stopped.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [
      ...(registryOnly === undefined ? [] : [`${registryOnly}.`]),
      {
        say: 'Wait on',
        again: facts.stage,
        runner: facts.runner,
        more: '--set drain.timeout=none',
      },
      {
        say: forceOf(readsHosts, registryOnly),
        again: facts.stage,
        runner: facts.runner,
        more: inShell`--set ${readsHosts ? [] : ['host.access=run_command', '--set']} drain.force_after=30s`,
      },
    ],
  });
}

function forceOf(readsHosts: boolean, registryOnly: string | undefined): string {
  if (registryOnly !== undefined) return 'Or go on without waiting for them, knowingly';
  return readsHosts
    ? 'Kill its jobs, knowingly'
    : 'Kill its jobs, knowingly, which its hosts have to be told';
}

export function drainBlind(facts: {
  runner: string;
  shard: string;
  stage: string;
  reason: string;
  /** No token sees jobs of it any more. */
  registrationGone: boolean;
  /** Whether hosts may be asked at all. */
  readsHosts: boolean;
  /** The living ones by EC2's word. */
  instances: readonly string[];
}): DeployError {
  const { shard, reason, readsHosts } = facts;
  return new DeployError({
    code: 'DrainBlind',
    what: `${shard} cannot be proven drained: nobody is left who could say that its jobs have ended.`,
    why: [`${capital(reason)}.`],
    fix: readsHosts ? endsMachines(facts) : needsOtherHosts(facts),
  });
}

type Blind = Parameters<typeof drainBlind>[0];

/** The machine by its id: who names it has looked at it, and his word is the one that was missing. */
function endsMachines({ runner, stage, instances }: Blind): readonly Line[] {
  const [id, ...others] = instances;
  const rest = others.length === 0 ? '' : `, and then ${others.join(' and ')}`;
  return [
    { say: 'Look at its machines', command: 'doctor', runner },
    ...(id === undefined
      ? []
      : [
          {
            say: `Once no job runs there, end ${id}${rest}`,
            command: 'recover',
            runner,
            more: inShell`--method terminate --instance ${id}`,
            wantsYes: true as const,
          },
        ]),
    { say: 'Then go on', again: stage, runner },
  ];
}

/** With hosts that nobody may ask, the end of a machine would not be believed either. */
function needsOtherHosts({ runner, stage, registrationGone }: Blind): readonly Line[] {
  const hosts = {
    say: 'Let its hosts say so',
    again: stage,
    runner,
    more: '--set host.access=run_command',
  };
  if (registrationGone) return [{ say: 'Look at its machines', command: 'doctor', runner }, hosts];
  return [
    hosts,
    { say: 'Or with a token that sees every job (docs/use/drain.md)', again: stage, runner },
  ];
}

/** The other shard was proven to serve, and each proof was too old when the effect could begin. */
export function proofTooOld(facts: {
  runner: string;
  stage: string;
  shard: string;
  other: string;
  back: DeploymentKind | undefined;
  /** How many proofs there were, the age of the last one, and the age that is allowed. */
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
    what: `${capital(shard)} would be taken from customers, and each proof that ${other} serves was too old: nothing of ${shard} is taken away.`,
    why: [
      `${times} times ${other} was seen to serve, the last time ${ago} before the next effect could begin; ${most} is allowed.`,
      'This run was suspended, or its calls had to wait: for a slow network, or for gitlab.calls_per_minute and gitlab.calls_per_hour.',
    ],
    fix: [{ say: 'Run it again', again: stage, runner }, ...rollbackLines({ runner, shard, back })],
  });
}
