import { capital } from '../domain/text/capital.ts';
import { DeployError } from './deploy-error.ts';

/** Errors of a drain. One function a code. */

export function drainUnfinished(facts: {
  runner: string;
  shard: string;
  stage: string;
  jobs: readonly string[];
  reason: string;
}): DeployError {
  return new DeployError({
    code: 'StillDraining',
    exitCode: 75,
    what: `${facts.shard} is still draining; this run ends before its job does.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [`Go on with it: hosted-runner ${facts.stage} --runner ${facts.runner}`],
  });
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
    exitCode: 1,
    what: `${shard} cannot be proven drained in a job that may last ${lasts}: it takes ${needs} in one run.`,
    why: [
      `${capital(facts.reason)}.`,
      `${registry} does not keep whether somebody opened the intake between two runs, so that the time begins anew in each.`,
    ],
    fix: [
      `Give the job that drains a timeout of ${needs} and ten minutes at least, then: hosted-runner ${stage} --runner ${runner}`,
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
}): DeployError {
  return new DeployError({
    code: 'DrainTimedOut',
    exitCode: 1,
    what: `${facts.shard} was not drained within ${facts.after}; it goes on draining and nothing was stopped.`,
    why: [`${capital(facts.reason)}.`, ...facts.jobs],
    fix: [
      `Wait on: hosted-runner ${facts.stage} --runner ${facts.runner} --set drain.timeout=none`,
      `Kill its jobs, knowingly: hosted-runner ${facts.stage} --runner ${facts.runner} --set drain.force_after=30s`,
    ],
  });
}

export function drainBlind(facts: {
  runner: string;
  shard: string;
  stage: string;
  reason: string;
  /** Whether hosts may be asked at all. */
  asksHosts: boolean;
  /** The living ones by EC2's word. */
  instances: readonly string[];
}): DeployError {
  const { shard, reason, asksHosts } = facts;
  return new DeployError({
    code: 'DrainBlind',
    exitCode: 3,
    what: `${shard} cannot be proven drained: nobody is left who could say that its jobs have ended.`,
    why: [`${capital(reason)}.`],
    fix: asksHosts ? endsMachines(facts) : asksOthers(facts),
  });
}

type Blind = Parameters<typeof drainBlind>[0];

/** The machine by its id: who names it has looked at it, and his word is the one that was missing. */
function endsMachines({ runner, stage, instances }: Blind): readonly string[] {
  const [id, ...others] = instances;
  const rest = others.length === 0 ? '' : `, and then ${others.join(' and ')}`;
  return [
    `Look at its machines: hosted-runner doctor --runner ${runner}`,
    ...(id === undefined
      ? []
      : [
          `Once no job runs there, end ${id}${rest}: hosted-runner recover --runner ${runner} --method terminate --instance ${id} --yes`,
        ]),
    `Then go on: hosted-runner ${stage} --runner ${runner}`,
  ];
}

/** With hosts that nobody may ask, the end of a machine would not be believed either. */
function asksOthers({ runner, stage }: Blind): readonly string[] {
  return [
    `Let its hosts say so: hosted-runner ${stage} --runner ${runner} --set host.access=run_command`,
    `Or with a token that sees every job (docs/use/drain.md): hosted-runner ${stage} --runner ${runner}`,
  ];
}
