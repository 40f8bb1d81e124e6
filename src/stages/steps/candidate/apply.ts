import {
  broughtChange,
  changedSomething,
  type LastApply,
} from '../../../domain/deployment/last-apply.ts';
import {
  type ShardEntry,
  shardEntry,
  withDeployment,
  withPhase,
  withShard,
} from '../../../domain/deployment/record.ts';
import { isBefore, isBuilt, type Phase } from '../../../domain/deployment/stages-and-steps.ts';
import { hasCanaryBegun } from '../../../domain/health/canary-verdict.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import {
  type ApplyCounts,
  describeCounts,
  type InfrastructurePlan,
} from '../../../ports/infrastructure.ts';
import { type StageContext, timestamp } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { isApplyInterrupted, removeLeftovers, warnOfLeftovers } from './apply-interruption.ts';
import { carryOutPlan } from './plan-apply.ts';
import { fingerprintOf } from './repeat-of-rolled-back.ts';

/** Builds the candidate. Every run plans again until a production tag was written (rule 1). */
export async function apply(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, settings, journal, log } = context;
  const shard = { runnerName: settings.runnerName, shard: candidate };
  const wasCutOff = isApplyInterrupted(context);
  if (wasCutOff) await removeLeftovers(context, candidate);
  const plan = await withGuardEvent(context, 'plan', () => ports.infrastructure.plan(shard));
  const before = journal.current();
  if (plan.kind === 'empty' && !isBefore(before.deployment.phase, 'applied')) {
    log.act(`Applied nothing: ${candidate} already matches the plan (${plan.summary}).`);
    const lastApply = { at: timestamp(context), added: 0, changed: 0, destroyed: 0 };
    const fingerprint = fingerprintOf(context, plan, before.deployment.fingerprint);
    const noted = withDeployment(before, { fingerprint });
    await journal.write(withShard(noted, candidate, { lastApply }));
    return;
  }
  await applyPlan(context, candidate, plan);
  if (wasCutOff) await warnOfLeftovers(context, candidate);
}

/** Carries out one plan between the phases `applying` and `applied`. */
export async function applyPlan(
  context: StageContext,
  candidate: Shard,
  plan: InfrastructurePlan,
): Promise<void> {
  const before = context.journal.current();
  const order = { shard: candidate, plan, wasCutOff: isApplyInterrupted(context) };
  await noteApplying(context, candidate, plan);
  const counts = await carryOutPlan(context, order);
  const entry = shardEntry(before, candidate);
  const updates = compareUpdates(plan, entry.lastApply);
  if (updates.repeated !== undefined)
    context.log.warn(
      `Each plan of ${candidate} changes or replaces ${updates.repeated} again, in the same way. Another try does not help: correct the configuration, or ignore the attribute (lifecycle ignore_changes).`,
    );
  await noteApplied(context, candidate, {
    counts,
    updates,
    before: { phase: before.deployment.phase, entry },
  });
}

/** Notes the apply before any machine changes. Older evidence is void from then on. */
export async function noteApplying(
  context: StageContext,
  candidate: Shard,
  plan?: InfrastructurePlan,
): Promise<void> {
  const { journal } = context;
  const before = journal.current();
  const record =
    plan === undefined
      ? before
      : withDeployment(before, {
          fingerprint: fingerprintOf(context, plan, before.deployment.fingerprint),
        });
  const entry = shardEntry(record, candidate);
  // After an interrupted apply the earlier number stays: managers of its first part are new.
  const highest =
    record.deployment.phase === 'applying' && entry.highestWorkerBeforeApply !== undefined
      ? entry.highestWorkerBeforeApply
      : await highestWorker(context, entry);
  const noted = withShard(record, candidate, { highestWorkerBeforeApply: highest });
  await journal.write(withPhase(noted, 'applying', timestamp(context)));
}

async function highestWorker(
  { ports }: StageContext,
  { registration }: ShardEntry,
): Promise<number> {
  if (registration === undefined) return 0;
  const workers = await ports.registry.listWorkers(registration);
  return workers.kind === 'found' ? Math.max(0, ...workers.value.map(({ id }) => id)) : 0;
}

async function noteApplied(
  context: StageContext,
  candidate: Shard,
  facts: { counts: ApplyCounts; updates: Updates; before: { phase: Phase; entry: ShardEntry } },
): Promise<void> {
  const { journal, log } = context;
  const { counts, updates, before } = facts;
  const at = timestamp(context);
  const lastApply: LastApply = { at, ...counts, ...updates };
  log.act(`Applied ${candidate}: ${describeCounts(counts)}.`);
  if (!changedSomething(counts) && isBuilt(before.phase)) {
    // Without changes, the earlier state still holds, including the evidence.
    const entry = { ...before.entry, lastApply };
    const restored = {
      ...journal.current(),
      shards: { ...journal.current().shards, [candidate]: entry },
    };
    await journal.write(withPhase(restored, before.phase, at));
    return;
  }
  const { evidence: _, canaryAtApply: __, ...kept } = shardEntry(journal.current(), candidate);
  const entry: ShardEntry = {
    ...kept,
    lastApply,
    unhealthyInARow: broughtChange(lastApply) ? 0 : kept.unhealthyInARow,
    ...(await newestCanary(context)),
  };
  const record = {
    ...journal.current(),
    shards: { ...journal.current().shards, [candidate]: entry },
  };
  await journal.write(withPhase(record, 'applied', at));
}

type Updates = Pick<LastApply, 'updates' | 'repeated'>;

/** Compares the in-place changes of a plan with those of the last applied plan. */
function compareUpdates({ updates }: InfrastructurePlan, last: LastApply | undefined): Updates {
  if (updates === undefined) return {};
  const { digest, addresses, isAll } = updates;
  if (!isAll || digest !== last?.updates) return { updates: digest };
  const [first = '', ...others] = addresses;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return { updates: digest, repeated: `${first}${more}` };
}

/** Returns the newest canary at the end of the apply: an older success is no evidence. */
async function newestCanary({
  ports,
  settings,
  log,
}: StageContext): Promise<Pick<ShardEntry, 'canaryAtApply'>> {
  if (settings.canary.kind === 'off') return {};
  try {
    const job = await ports.canary.findNewest();
    return job === undefined ? {} : { canaryAtApply: { id: job.id, started: hasCanaryBegun(job) } };
  } catch (error) {
    if (!isPortFailure(error) || settings.healthcheck.evidence.canary === 'required') throw error;
    log.warn(`Could not read the canary job: ${error.message}.`);
    return {};
  }
}
