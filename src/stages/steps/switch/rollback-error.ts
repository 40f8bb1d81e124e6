import { type AutoRollback, whyRolledBack } from '../../../domain/bake/bake-note.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import { isRetirement, stageNames } from '../../../domain/deployment/stages-and-steps.ts';
import type { ErrorCode } from '../../../domain/error-codes.ts';
import type { Shard } from '../../../domain/shard.ts';
import { rollbackUnproven, rolledBack } from '../../../errors/bake-errors.ts';
import { DeployError, isDeployError } from '../../../errors/deploy-error.ts';
import { recordOf, type StageContext } from '../../context/context.ts';
import { clearIntakeOpened } from '../../effects/rollback-in-progress.ts';
import { ensureIntake } from '../../effects/routing.ts';
import { readSwitchedStatus } from '../../observe/observe.ts';
import { checkServiceOnce } from '../../observe/shard/service-watch.ts';
import { proveRemovable } from '../../service/irreversible.ts';
import type { HealthResult } from '../healthcheck/collect-evidence.ts';

/** @throws DeployError `TakenBack` if a bake rolled back this run's deployment */
export function failIfRolledBack({ journal, run, settings }: StageContext): void {
  if (journal.version() === 0) return;
  const found = whyRolledBack(journal.current(), run.deploymentId);
  if (found === undefined) return;
  const { id, why } = found;
  throw rolledBack({ runner: settings.runnerName, id, why, isTyped: run.ci === 'terminal' });
}

/**
 * Converts the error of a run whose deployment was rolled back. Its pipeline must never pass: an
 * unfinished retirement or a hold, which alone would not fail a pipeline, is replaced by the
 * rollback error.
 */
export async function toRolledBackError(context: StageContext, error: unknown): Promise<unknown> {
  if (!isDeployError(error) || !isStage(context)) return error;
  if (error.exitCode !== 75 && error.code !== 'Held') return error;
  const { settings, run } = context;
  const found = await findOwn(context);
  if (found === undefined) return error;
  const { what: unfinished, now } = error.fields;
  const { id, why } = found;
  const isTyped = run.ci === 'terminal';
  const { written } = rolledBack({ runner: settings.runnerName, id, why, isTyped, unfinished });
  return new DeployError(now === undefined ? written : { ...written, now });
}

/** Returns whether the run is a stage. An operator's command reports its own result. */
function isStage({ stage }: StageContext): boolean {
  return stageNames.some((name) => name === stage);
}

/** Finds the rollback in the record, read again if possible. The first error ends the run. */
async function findOwn(context: StageContext): Promise<AutoRollback | undefined> {
  const { journal, run } = context;
  const record = await journal.read().catch(() => recordOf(context));
  return record && whyRolledBack(record, run.deploymentId);
}

/**
 * Ends an unverified rollback without removing its target. This applies to a rollback by a bake,
 * and to an operator's rollback that a retirement stage resumes.
 * @throws DeployError `TakeBackUnproven`
 */
export async function requireProvenRollbackTarget(
  context: StageContext,
  { kind, reasons }: HealthResult['verdict'],
): Promise<void> {
  const { settings, journal, stage } = context;
  const { deployment } = journal.current();
  const { autoRollback, candidate: old, retiring: bad, by } = deployment;
  const isUnasked =
    autoRollback !== undefined || (deployment.kind === 'rollback' && isRetirement(stage));
  if (!isUnasked || bad === undefined || kind !== 'unhealthy') return;
  const takesNoNewJob = await closeUnproven(context, old, bad);
  const { kind: service } = await checkServiceOnce(context, bad);
  const why = autoRollback?.why ?? `a rollback was started by ${by}`;
  const acceptsJobs = service !== 'disproven';
  const facts = { bad, old, why, reasons, acceptsJobs, takesNoNewJob };
  throw rollbackUnproven({ runner: settings.runnerName, ...facts });
}

const notToClose: ReadonlySet<ErrorCode> = new Set(['NothingServes', 'ServiceUnproven']);

/**
 * Pauses a rollback's target again after a failed proof, because it fails customer jobs. Requires
 * that the other shard is verified now. The resuming run reopens the target for its next proof.
 */
async function closeUnproven(context: StageContext, old: Shard, bad: Shard): Promise<boolean> {
  const { journal, ports, log } = context;
  const { registration: id } = shardEntry(journal.current(), old);
  const status = await readSwitchedStatus(context);
  // If an operator has made the target active, it stays open.
  if (id === undefined || status.kind !== 'known' || status.active !== bad) return false;
  if ((await ports.registry.find(id)).kind !== 'found') return false;
  try {
    const proof = await proveRemovable(context, { act: 'change', shard: old });
    await clearIntakeOpened(context, old);
    await ensureIntake(context, { shard: old, id, intake: 'closed', proof });
    return true;
  } catch (error) {
    if (!isDeployError(error) || !notToClose.has(error.code)) throw error;
    log.warn(`Left ${old} unpaused: ${error.fields.what}`);
    return false;
  }
}
