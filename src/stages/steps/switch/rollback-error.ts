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
import { onlyIfOtherServes } from '../../service/irreversible.ts';
import type { HealthResult } from '../healthcheck/collect-evidence.ts';

/** @throws DeployError `TakenBack` where this run's own deployment was taken back while its bake went on */
export function failIfRolledBack({ journal, run, settings }: StageContext): void {
  if (journal.version() === 0) return;
  const found = whyRolledBack(journal.current(), run.deploymentId);
  if (found === undefined) return;
  throw rolledBack({ runner: settings.runnerName, id: found.id, why: found.why });
}

/**
 * What is only not over yet, or held, is no failure of a pipeline, and the pipeline of a deployment
 * that was taken back never ends well: how far its retirement has come is another one's to wait for.
 */
export async function toRolledBackError(context: StageContext, error: unknown): Promise<unknown> {
  if (!isDeployError(error) || !isStage(context)) return error;
  if (error.exitCode !== 75 && error.code !== 'Held') return error;
  const { settings } = context;
  const found = await findOwn(context);
  if (found === undefined) return error;
  const { what: unfinished, now } = error.fields;
  const { id, why } = found;
  const { written } = rolledBack({ runner: settings.runnerName, id, why, unfinished });
  return new DeployError(now === undefined ? written : { ...written, now });
}

/** A person's command, from a button of the same pipeline, says how far it came itself. */
function isStage({ stage }: StageContext): boolean {
  return stageNames.some((name) => name === stage);
}

/** By the record as it is now, or else as this run has read it: the first error is the one that ends the run. */
async function findOwn(context: StageContext): Promise<AutoRollback | undefined> {
  const { journal, run } = context;
  const record = await journal.read().catch(() => recordOf(context));
  return record && whyRolledBack(record, run.deploymentId);
}

/**
 * What a way back leads to is not taken away for not being proven where nobody asks for that: where a bake
 * has begun it, and where a stage that finishes every deployment goes on with a person's.
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
  const why = autoRollback?.why ?? `a rollback was begun by ${by}`;
  const serves = service !== 'disproven';
  const facts = { bad, old, why, reasons, serves, takesNoNewJob };
  throw rollbackUnproven({ runner: settings.runnerName, ...facts });
}

const notToClose: ReadonlySet<ErrorCode> = new Set(['NothingServes', 'ServiceUnproven']);

/**
 * What the rollback has opened, and its own proof has found bad, fails customers' jobs: it is closed again,
 * as it was before, where the other one is proven to serve now. Whoever goes on opens it for its next proof.
 */
async function closeUnproven(context: StageContext, old: Shard, bad: Shard): Promise<boolean> {
  const { journal, ports, log } = context;
  const { registration: id } = shardEntry(journal.current(), old);
  const status = await readSwitchedStatus(context);
  // What a person has named active is theirs to close.
  if (id === undefined || status.kind !== 'known' || status.active !== bad) return false;
  if ((await ports.registry.find(id)).kind !== 'found') return false;
  try {
    const proof = await onlyIfOtherServes(context, { act: 'change', shard: old });
    await clearIntakeOpened(context, old);
    await ensureIntake(context, { shard: old, id, intake: 'closed', proof });
    return true;
  } catch (error) {
    if (!isDeployError(error) || !notToClose.has(error.code)) throw error;
    log.warn(`${old} is left open: ${error.fields.what}`);
    return false;
  }
}
