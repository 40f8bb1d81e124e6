import { shardEntry } from '../../../domain/deployment/record.ts';
import {
  type Evidence,
  type EvidenceKind,
  evidenceKinds,
  judgeHealth,
} from '../../../domain/health/evidence.ts';
import {
  type FaultFacts,
  type FaultVerdict,
  isRunnersFault,
  judgeFaults,
} from '../../../domain/health/runner-faults.ts';
import type { Requirement } from '../../../domain/settings.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { formatDuration } from '../../../domain/text/duration.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import { done, pending, pollUntil } from '../../../ports/poll.ts';
import type { FinishedJob, JobHistory } from '../../../ports/registry.ts';
import type { StageContext } from '../../context/context.ts';
import {
  type CustomersOnly,
  createCustomersOnly,
  withoutAnyCanary,
} from '../../observe/canary-ownership.ts';
import type { HealthResult } from '../healthcheck/collect-evidence.ts';
import { note } from '../healthcheck/watch.ts';

/** Jobs that ended before the candidate got its production tags, as far as they are listed. */
export interface Before {
  readonly onCandidate: ReadonlySet<string>;
  /** Absent if there is no other shard, or if its jobs cannot be listed. */
  readonly onOther?: {
    readonly registration: RegistrationId;
    readonly history: JobHistory;
  };
}

/** Reads the jobs that have ended. Later only new ends count, so no two clocks must agree. */
export async function readBefore(
  context: StageContext,
  registration: RegistrationId,
): Promise<Before> {
  const { observe } = context.settings.healthcheck.evidence;
  if (observe === 'off') return { onCandidate: new Set() };
  try {
    return await listBefore(context, registration);
  } catch (error) {
    // GitHub lists no jobs. An optional check must not prevent a promotion.
    if (!isPortFailure(error) || endsRun(error) || observe === 'required') throw error;
    return { onCandidate: new Set() };
  }
}

async function listBefore(
  { ports, journal }: StageContext,
  registration: RegistrationId,
): Promise<Before> {
  const found = await ports.registry.readJobHistory(registration);
  const ended = found.kind === 'found' ? allOf(found.value) : [];
  const onCandidate = new Set(ended.map(({ id }) => id));
  const { retiring } = journal.current().deployment;
  const other = retiring && shardEntry(journal.current(), retiring).registration;
  if (other === undefined) return { onCandidate };
  const onOther = await ports.registry.readJobHistory(other);
  if (onOther.kind === 'absent') return { onCandidate };
  return { onCandidate, onOther: { registration: other, history: onOther.value } };
}

function allOf({ jobs, older }: JobHistory): readonly FinishedJob[] {
  return [...jobs, ...older.failed];
}

type Observed = Pick<HealthResult, 'verdict' | 'evidence' | 'within' | 'checks'>;

/** Watches customer jobs on a candidate that accepts jobs but is not active yet. */
export async function watchCustomers(
  context: StageContext,
  shard: Shard,
  facts: { readonly registration: RegistrationId; readonly before: Before },
): Promise<Observed> {
  const { ports, settings, log } = context;
  const { timeoutMs, timeoutsMs, pollMs, evidence } = settings.healthcheck;
  const limitMs = timeoutsMs.observe ?? timeoutMs;
  const requirements = onlyObserve();
  const customersOnly = createCustomersOnly(context);
  const startedAt = ports.clock.elapsed();
  return pollUntil({ clock: ports.clock, cadence: { pollMs } }, async (checks) => {
    const one = await checkCustomers(context, { ...facts, customersOnly });
    const elapsedMs = ports.clock.elapsed() - startedAt;
    const final = elapsedMs >= limitMs || evidence.observe === 'optional';
    const observed = [one];
    const verdict = judgeHealth({ evidence: observed, requirements, final });
    log.event({ kind: 'evidence', shard, verdict: verdict.kind, evidence: observed });
    if (verdict.kind !== 'waiting')
      return done({ verdict, evidence: observed, within: formatDuration(limitMs), checks });
    log.wait(
      `Waiting: ${verdict.reasons.join('; ')} (${formatDuration(elapsedMs)} of ${formatDuration(limitMs)}).`,
    );
    return { ...pending(), atMostMs: Math.max(1, limitMs - elapsedMs) };
  });
}

function onlyObserve(): Record<EvidenceKind, Requirement> {
  const all = evidenceKinds.map((kind) => [kind, kind === 'observe' ? 'required' : 'off']);
  return Object.fromEntries(all) as Record<EvidenceKind, Requirement>;
}

async function checkCustomers(
  context: StageContext,
  {
    registration,
    before,
    customersOnly,
  }: {
    readonly registration: RegistrationId;
    readonly before: Before;
    readonly customersOnly: CustomersOnly;
  },
): Promise<Evidence> {
  const wanted = context.settings.healthcheck.observeJobs;
  try {
    const found = await context.ports.registry.readJobHistory(registration);
    if (found.kind === 'absent')
      return note(context, 'observe', 'bad', `runner ${registration} no longer exists`);
    const ended = allOf(found.value).filter(({ id }) => !before.onCandidate.has(id));
    const jobs = withoutAnyCanary(context, await customersOnly(ended));
    const unlisted = found.value.older.others;
    const faults = await judge(context, { jobs, unlisted }, { before, customersOnly });
    if (faults.kind === 'unhealthy')
      return note(
        context,
        'observe',
        'bad',
        `the candidate fails more jobs than a good runner: ${faults.reason}`,
      );
    const count = `${jobs.length} of ${wanted} customer jobs have finished on the candidate`;
    if (faults.kind === 'inconclusive')
      return note(context, 'observe', 'unknown', `${count}; ${faults.reason}`);
    // Without jobs nothing is proven: there may be no customers at this hour.
    return note(context, 'observe', jobs.length >= wanted ? 'good' : 'unknown', count);
  } catch (error) {
    if (!isPortFailure(error) || endsRun(error)) throw error;
    const detail = `the customer jobs cannot be listed: ${error.message}`;
    return note(context, 'observe', 'unknown', detail);
  }
}

/**
 * Compares the candidate's failures with those of the other shard, which also accepts jobs. Shared
 * failures are not the candidate's fault.
 */
async function judge(
  context: StageContext,
  { jobs, unlisted }: Pick<FaultFacts, 'jobs' | 'unlisted'>,
  { before, customersOnly }: { readonly before: Before; readonly customersOnly: CustomersOnly },
): Promise<FaultVerdict> {
  const { ports, settings } = context;
  const { rates } = settings.bake;
  const { onOther } = before;
  if (onOther === undefined || !jobs.some(isRunnersFault))
    return judgeFaults({
      jobs,
      unlisted,
      elsewhere: [],
      outages: [],
      before: onOther?.history.jobs ?? [],
      rates,
    });
  const customers = async (ofOther: readonly FinishedJob[]) =>
    withoutAnyCanary(context, await customersOnly(ofOther));
  const found = await ports.registry.readJobHistory(onOther.registration);
  const known = new Set(allOf(onOther.history).map(({ id }) => id));
  const ended = found.kind === 'found' ? allOf(found.value).filter(({ id }) => !known.has(id)) : [];
  return judgeFaults({
    jobs,
    unlisted,
    elsewhere: await customers(ended),
    outages: [],
    before: await customers(onOther.history.jobs),
    rates,
  });
}
