import { formatDuration } from '../../domain/duration.ts';
import {
  type Evidence,
  type EvidenceKind,
  evidenceKinds,
  judgeHealth,
} from '../../domain/health/health.ts';
import type { Requirement } from '../../domain/settings.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { isPortFailure } from '../../ports/failure.ts';
import { lookUntil, notYet, seen } from '../../ports/look-until.ts';
import type { FinishedJob } from '../../ports/registry.ts';
import type { HealthResult } from '../health/collect-evidence.ts';
import { type CustomersOnly, createCustomersOnly } from '../health/own-canaries.ts';
import { note } from '../health/watch.ts';
import type { StageContext } from '../walk/context.ts';

/** Ids of the jobs that had ended before the candidate got its production tags. */
export type Baseline = ReadonlySet<string>;

/** Only jobs that end after this count, so that no two clocks have to agree. */
export async function readBaseline(
  { ports, settings }: StageContext,
  registration: RegistrationId,
): Promise<Baseline> {
  if (settings.healthcheck.evidence.observe === 'off') return new Set();
  const found = await ports.registry.listFinishedJobs(registration);
  return new Set(found.kind === 'found' ? found.value.map(({ id }) => id) : []);
}

type Observed = Pick<HealthResult, 'verdict' | 'evidence' | 'within' | 'checks'>;

/** Customers' jobs on a candidate that both serves and is not active yet. */
export async function observeCustomers(
  context: StageContext,
  shard: Shard,
  facts: { readonly registration: RegistrationId; readonly before: Baseline },
): Promise<Observed> {
  const { ports, settings, log } = context;
  const { timeoutMs, timeoutsMs, pollMs, evidence } = settings.healthcheck;
  const limitMs = timeoutsMs.observe ?? timeoutMs;
  const requirements = onlyObserve();
  const customersOnly = createCustomersOnly(context);
  const startedAt = ports.clock.elapsed();
  return lookUntil({ clock: ports.clock, cadence: { pollMs } }, async (checks) => {
    const one = await lookAtCustomers(context, { ...facts, customersOnly });
    const elapsedMs = ports.clock.elapsed() - startedAt;
    const final = elapsedMs >= limitMs || evidence.observe === 'optional';
    const looked = [one];
    const verdict = judgeHealth({ evidence: looked, requirements, final });
    log.event({ kind: 'evidence', shard, verdict: verdict.kind, evidence: looked });
    if (verdict.kind !== 'waiting')
      return seen({ verdict, evidence: looked, within: formatDuration(limitMs), checks });
    log.wait(
      `Waiting: ${verdict.reasons.join('; ')}, ${formatDuration(elapsedMs)} of ${formatDuration(limitMs)}.`,
    );
    return { ...notYet(), atMostMs: Math.max(1, limitMs - elapsedMs) };
  });
}

function onlyObserve(): Record<EvidenceKind, Requirement> {
  const all = evidenceKinds.map((kind) => [kind, kind === 'observe' ? 'required' : 'off']);
  return Object.fromEntries(all) as Record<EvidenceKind, Requirement>;
}

async function lookAtCustomers(
  context: StageContext,
  {
    registration,
    before,
    customersOnly,
  }: {
    readonly registration: RegistrationId;
    readonly before: Baseline;
    readonly customersOnly: CustomersOnly;
  },
): Promise<Evidence> {
  const wanted = context.settings.healthcheck.observeJobs;
  try {
    const found = await context.ports.registry.listFinishedJobs(registration);
    if (found.kind === 'absent')
      return note(context, 'observe', 'bad', `runner ${registration} does not exist any more`);
    const ended = await customersOnly(found.value.filter(({ id }) => !before.has(id)));
    const broken = ended.find(isRunnersFault);
    if (broken !== undefined)
      return note(
        context,
        'observe',
        'bad',
        `customer's job ${broken.id} "${broken.name}" failed on the candidate: ${broken.failureReason}`,
      );
    const count = `${ended.length} of ${wanted} customers' jobs have finished on the candidate`;
    // No job is no proof, for or against: there may be no customer at this hour.
    return note(context, 'observe', ended.length >= wanted ? 'good' : 'unknown', count);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const detail = `the customers' jobs cannot be listed: ${error.message}`;
    return note(context, 'observe', 'unknown', detail);
  }
}

/** A customer's script may fail; that is the job's business. */
function isRunnersFault({ status, failureReason }: FinishedJob): boolean {
  return status === 'failed' && failureReason === 'runner_system_failure';
}
