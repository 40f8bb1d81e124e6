import { isLeftToOperator, shardEntry } from '../../deployment/record.ts';
import { isBefore, isRetiring } from '../../deployment/stages-and-steps.ts';
import { areSettled } from '../../deployment/tally.ts';
import { endRegistryOnly } from '../../drain/registry-only.ts';
import { mayBeStopped, pausedSince } from '../../drain/shard-intake.ts';
import { describeKept, formatRemoval } from '../../plan/sweep-plan.ts';
import type { RegistryJob } from '../../registration.ts';
import type { Shard } from '../../shard.ts';
import { counted } from '../../text/count-text.ts';
import { formatDuration } from '../../text/duration.ts';
import { activateStep, finalizeStep } from '../commands.ts';
import type { Sign } from '../finding.ts';
import { answerOf } from '../stack-facts.ts';
import type { StackView } from '../view.ts';
import { foreignMachine } from './candidate-signs.ts';
import { keptOf } from './leftover-signs.ts';
import { chooseRollbackAdvice } from './rollback-advice.ts';
import { formatAccepting, whyNot } from './start-signs.ts';

type Signs = Readonly<Record<string, (view: StackView) => Sign | undefined>>;

const clockToleranceMs = 60_000;

/** Signs of an unfinished retirement, of leftovers without a deployment, and of health. */
export const retirementSigns = {
  opened_twice(view) {
    const { phase, candidate, reopened } = view.record?.deployment ?? {};
    if (phase === undefined || candidate === undefined || reopened === undefined) return undefined;
    const isOpened = pausedSince(view.record) === undefined || isBefore(phase, 'draining');
    if (!isRetiring(phase) || !isLeftToOperator(reopened.times) || !isOpened) return undefined;
    const seen = `record: reopened ${reopened.times} times, the last time because ${reopened.why}`;
    const way = chooseRollbackAdvice(view);
    if (way === undefined) {
      const byHand = `Fix ${candidate} first; a rollback is no longer possible`;
      return { seen, commands: [activateStep(candidate), finalizeStep], byHand };
    }
    return {
      seen,
      commands: way.commands,
      byHand: `Decide which shard should accept jobs: the commands roll back to ${way.shard}; activate --shard ${candidate}, then finalize, verifies and keeps ${candidate}`,
    };
  },
  opened_by_other(view) {
    const retiring = retiringOf(view);
    const { phase } = view.record?.deployment ?? {};
    if (retiring === undefined || phase === undefined) return undefined;
    if (pausedSince(view.record) === undefined || isBefore(phase, 'draining')) return undefined;
    const { registration, routingBefore } = shardEntry(view.record, retiring);
    // At the end of the removal, a runner that an operator made is restored, unpaused.
    if (phase === 'destroying' && routingBefore !== undefined) return undefined;
    const { registered } = view.state(retiring);
    const known = registered === 'unknown' ? [] : registered;
    const open = known.find(({ id, paused }) => id === registration && !paused);
    if (open === undefined) return undefined;
    const { words } = view.facts;
    const seen = `record: the drain paused ${retiring}; ${words.registry}: ${words.registration} ${open.id} is ${words.unpaused}`;
    const way = chooseRollbackAdvice(view);
    if (way !== undefined)
      return {
        seen,
        commands: way.commands,
        byHand: `Decide which shard should accept jobs: the commands roll back to ${retiring}; to keep the new shard, pause ${retiring} manually and run finalize alone`,
      };
    return {
      seen,
      commands: [finalizeStep],
      byHand: `Pause ${retiring} manually first; a rollback to it is no longer possible`,
    };
  },
  drain_waits(view) {
    const retiring = retiringOf(view);
    const { phase } = view.record?.deployment ?? {};
    if (retiring === undefined || phase === undefined) return undefined;
    // Before the drain, its jobs are customers' work on a shard that accepts jobs.
    const isPaused = pausedSince(view.record) !== undefined;
    const { service, jobs } = view.state(retiring);
    if (isBefore(phase, 'draining') && !(isPaused && service.kind === 'closed')) return undefined;
    const hostJobs = (answerOf(view.of(retiring).hosts) ?? []).flatMap(({ jobs: own }) =>
      own === 'unknown' ? [] : own,
    );
    if (jobs.length + hostJobs.length === 0) return undefined;
    const names = jobs.map(({ id, name }) => `job ${id} "${name}"`).join(', ');
    if (jobs.length > 0 && reportsNoJob(view, retiring))
      return warnOfRegistryOnly(view, { shard: retiring, names, jobs });
    const sources = [
      ...(jobs.length > 0 ? [view.facts.words.registry] : []),
      ...(hostJobs.length > 0 ? ['host'] : []),
    ].join(' and ');
    return {
      seen: `${sources}: ${retiring} still runs ${names || counted(hostJobs.length, 'job')}`,
    };
  },
  drain_unheard(view) {
    const retiring = retiringOf(view);
    const { deployment } = view.record ?? {};
    if (retiring === undefined || deployment?.phase !== 'drained') return undefined;
    // A run that was stopped before its signal has left nothing to repeat.
    if (!mayBeStopped(deployment)) return undefined;
    const [id] = view.state(retiring).running;
    if (id === undefined) return undefined;
    return { seen: `record: ${retiring} is drained; host ${id}: its runner process still runs` };
  },
  retirement_unfinished(view) {
    const { phase, retiring, id } = view.record?.deployment ?? {};
    if (phase === undefined || !isRetiring(phase)) return undefined;
    if (retiring === undefined)
      return {
        title: 'the deployment is not finished yet',
        seen: `record: deployment ${id} is in phase ${phase}; it has no old shard`,
        because: '`finalize` closes its record',
      };
    // Before `destroying`, the shard still uses these resources.
    const kept = phase === 'destroying' ? keptOf(view, retiring) : [];
    const byHand = formatRemoval(kept);
    return {
      seen: [
        `record: deployment ${id} is in phase ${phase}; ${retiring} is to be removed`,
        ...kept.map((one) => `AWS: ${describeKept(one)}`),
      ].join('; '),
      ...(byHand === '' ? {} : { byHand }),
    };
  },
  both_serve({ record, active, accepting, state, facts }) {
    if (record?.deployment.phase !== 'done' || active === undefined || accepting.length < 2)
      return undefined;
    return {
      seen: `deployment_status: ${active} is active; ${facts.words.registry}: ${formatAccepting({ accepting, state })}`,
      shard: active,
    };
  },
  inactive_serves({ record, active, accepting, state, other, facts }) {
    if (record?.deployment.phase !== 'done' || active === undefined) return undefined;
    const shard = other(active);
    if (accepting.includes(active) || !accepting.includes(shard)) return undefined;
    return {
      seen: `deployment_status: ${active} is active; ${facts.words.registry} and AWS: ${whyNot(state(active))}; ${formatAccepting({ accepting, state })}`,
      shard,
    };
  },
  inactive_left({ record, active, state, other, facts }) {
    if (record?.deployment.phase !== 'done' || active === undefined) return undefined;
    const left = state(other(active));
    if (left.there !== 'yes') return undefined;
    const { words } = facts;
    const what = [
      ...(left.registered === 'unknown'
        ? []
        : left.registered.map(({ id }) => `${words.registration} ${id}`)),
      ...(left.machines === 'unknown' ? [] : left.machines),
      ...(left.built === 'present' ? ['its infrastructure'] : []),
    ];
    return {
      seen: `deployment_status: ${other(active)} is inactive; ${words.registry} and AWS: ${what.join(', ')}`,
      shard: active,
    };
  },
  active_irregular(view) {
    const { record, active, state, of, facts } = view;
    if (record?.deployment.phase !== 'done' || active === undefined) return undefined;
    const { machines, built, registrationGone } = state(active);
    const seen: string[] = [];
    const foreign = foreignMachine(view, active);
    if (foreign !== undefined) seen.push(`AWS: ${foreign} of ${active} is in no Terraform state`);
    if (machines !== 'unknown' && machines.length > 0 && built === 'absent')
      seen.push(`infrastructure: nothing of ${active}; AWS: ${machines.join(', ')}`);
    if (machines !== 'unknown' && machines.length !== facts.settings.managers)
      seen.push(
        `AWS: ${machines.length} machines of ${active} instead of ${facts.settings.managers}`,
      );
    if (answerOf(of(active).token) === 'absent')
      seen.push(
        `Parameter Store: the token of ${active} is missing; its ${facts.words.managers} keep their copies`,
      );
    const { registration } = shardEntry(record, active);
    if (registrationGone)
      seen.push(
        `record: ${facts.words.registration} ${registration} of ${active}; ${facts.words.registry}: there is none`,
      );
    return seen.length === 0 ? undefined : { seen: seen.join('; ') };
  },
  clock_off({ facts }) {
    const known = facts.shards
      .flatMap(({ hosts }) => answerOf(hosts) ?? [])
      .filter(({ clockOffMs }) => clockOffMs !== undefined);
    const wrong = known.filter(({ clockOffMs = 0 }) => Math.abs(clockOffMs) > clockToleranceMs);
    const { id, clockOffMs } = wrong[0] ?? {};
    if (clockOffMs === undefined) return undefined;
    const way = clockOffMs > 0 ? 'ahead of' : 'behind';
    const seen = `host ${id}: its clock is ${formatDuration(Math.abs(clockOffMs))} ${way} this machine's clock`;
    const isOwnClock = known.length > 1 && wrong.length === known.length;
    return { seen: isOwnClock ? `${seen}, as on every host: this machine's may be wrong` : seen };
  },
  runner_token_ends({ facts }) {
    const seen = facts.shards.flatMap(({ shard, tokenEndings }) =>
      (answerOf(tokenEndings) ?? []).map((text) => `${shard}: ${text}`),
    );
    return seen.length === 0 ? undefined : { seen: seen.join('; ') };
  },
  version_ends({ facts }) {
    const seen = facts.shards.flatMap(({ shard, endings }) =>
      ((endings && answerOf(endings)) ?? []).map((text) => `${shard}: ${text}`),
    );
    return seen.length === 0 ? undefined : { seen: seen.join('; ') };
  },
  healthy({ active, accepting, record, state }) {
    if (active === undefined || !accepting.includes(active)) return undefined;
    const { id } = record?.deployment ?? {};
    const isProven = state(active).service.kind === 'proven';
    const verdict = isProven ? 'accepts jobs' : 'no observation contradicts it';
    return { seen: `${active} is active and ${verdict}; deployment ${id ?? '?'} is done` };
  },
} satisfies Signs;

/** Returns whether every host of the shard was queried and runs no job. */
function reportsNoJob(view: StackView, shard: Shard): boolean {
  const hosts = answerOf(view.of(shard).hosts) ?? [];
  const runsNone = ({ process, jobs }: (typeof hosts)[number]) =>
    process === 'stopped' || process === 'absent' || (jobs !== 'unknown' && jobs.length === 0);
  return hosts.length > 0 && hosts.every(runsNone);
}

/** Reports jobs whose last update was lost: GitLab waits for them; on GitHub, the hosts decide. */
function warnOfRegistryOnly(
  { facts, record }: StackView,
  listed: { readonly shard: Shard; readonly names: string; readonly jobs: readonly RegistryJob[] },
): Sign | undefined {
  if (areSettled(listed.jobs, record?.deployment.tally?.drain)) return undefined;
  const { registry } = facts.words;
  const seen = `${registry}: ${listed.names} of ${listed.shard}; host: every host of ${listed.shard} reports no job`;
  const title = `only ${registry} lists jobs of the old shard`;
  if (facts.registrationsPer === 'worker')
    return {
      title,
      seen,
      because: `the hosts decide, and ${registry} may list such a job for ten more minutes`,
      byHand: 'Wait',
    };
  return {
    title,
    seen,
    because: `the last update of a job was lost; ${registry} decides, and drops a job an hour after its last update`,
    byHand: endRegistryOnly(listed.jobs, { registry }),
  };
}

function retiringOf({ record }: StackView) {
  const { phase, retiring } = record?.deployment ?? {};
  if (phase === undefined || !isRetiring(phase)) return undefined;
  return retiring;
}
