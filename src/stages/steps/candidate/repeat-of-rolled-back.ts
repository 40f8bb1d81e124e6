import type { DeploymentRecord } from '../../../domain/deployment/record.ts';
import {
  comparedSettingsOf,
  type Fingerprint,
  settingsDigest,
} from '../../../domain/fingerprint/fingerprint.ts';
import { findRolledBack } from '../../../domain/fingerprint/rollback-notes.ts';
import { cannotAcceptJobs } from '../../../domain/health/service-answers.ts';
import type { Service } from '../../../domain/health/service-verdict.ts';
import type { Shard } from '../../../domain/shard.ts';
import { capital } from '../../../domain/text/capital.ts';
import { isDeployError } from '../../../errors/deploy-error.ts';
import { rolledBackBefore } from '../../../errors/takeover-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { InfrastructurePlan } from '../../../ports/infrastructure.ts';
import type { StageContext } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { checkServiceOnce } from '../../observe/shard/service-watch.ts';
import { confirmBadResult } from '../../service/service-proof.ts';

/** Number of digits that identify a commit. */
const digitsOfCommit = 12;

/**
 * Returns the fingerprint of the candidate that a plan would build.
 * @param before fingerprint of the existing candidate, for a plan without changes
 */
export function fingerprintOf(
  { settings, run }: Pick<StageContext, 'settings' | 'run'>,
  { kind, builds }: Pick<InfrastructurePlan, 'kind' | 'builds'>,
  before?: Fingerprint,
): Fingerprint {
  const { plan, images } = { ...(kind === 'empty' ? before : {}), ...builds };
  const commit = run.commit?.slice(0, digitsOfCommit);
  return {
    settings: settingsDigest(settings),
    ...(plan === undefined ? {} : { plan }),
    ...(images === undefined ? {} : { images }),
    ...(commit === undefined ? {} : { commit }),
  };
}

interface Repetition {
  readonly candidate: Shard;
  /** Active shard; undefined if there is none. */
  readonly active: Shard | undefined;
  /** Reason of an operator for deploying again what may have been rolled back. */
  readonly againBecause: string | undefined;
}

/**
 * Refuses to deploy again what was rolled back, unless an operator gives a reason or no shard can
 * accept jobs. It plans only if the settings match those of a rolled-back deployment, so a changed
 * configuration costs no time.
 */
export async function requireNotRolledBack(
  context: StageContext,
  record: DeploymentRecord | undefined,
  repetition: Repetition,
): Promise<void> {
  await withGuardEvent(context, 'repetition', () =>
    compareWithRolledBack(context, record, repetition),
  );
}

async function compareWithRolledBack(
  context: StageContext,
  record: DeploymentRecord | undefined,
  { candidate, active, againBecause }: Repetition,
): Promise<void> {
  const { settings, run, log } = context;
  const first = findRolledBack(record, { settings: settingsDigest(settings) });
  if (first === undefined) return;
  const canPrompt = againBecause === undefined && active !== undefined;
  const service = canPrompt ? await checkCurrent(context, active) : undefined;
  const unasked = againBecause ?? (service === undefined ? undefined : whyRepaired(service));
  if (unasked !== undefined) {
    log.warn(
      `Did not compare with deployment ${first.id}, which was rolled back (${first.why}): ${unasked}`,
    );
    return;
  }
  const seen = await planCandidate(context, candidate);
  const made = fingerprintOf(context, seen.plan);
  const found = findRolledBack(record, made);
  if (found !== undefined)
    throw rolledBackBefore({
      runner: settings.runnerName,
      found,
      compared: [
        capital(comparison(made, seen.unplanned)),
        `These keys build the shard and are compared: ${comparedSettingsOf(settings).join(', ')}.`,
      ],
      isTyped: run.ci === 'terminal',
      closed: service?.kind === 'closed' ? active : undefined,
    });
  log.act(
    `Differs from deployment ${first.id}, which was rolled back: ${difference(made, first.made)}.`,
  );
}

/** Repeats a bad check: after a stale one, a schedule would repeat a rolled-back deployment. */
function checkCurrent(context: StageContext, active: Shard): Promise<Service> {
  return confirmBadResult(context, () => checkServiceOnce(context, active));
}

/**
 * Explains why even a rolled-back deployment is an improvement; undefined if the active shard
 * accepts jobs, or would do so once reopened.
 */
function whyRepaired(service: Service): string | undefined {
  const isBeyond = cannotAcceptJobs(service) || (service.kind === 'unknown' && service.against);
  return isBeyond ? 'no shard is verified' : undefined;
}

interface Seen {
  readonly plan: Pick<InfrastructurePlan, 'kind' | 'builds'>;
  /** Reason for a missing plan. */
  readonly unplanned?: string;
}

/** Plans the candidate. Before onboarding some configurations have no plan; that proves nothing. */
async function planCandidate({ ports, settings }: StageContext, candidate: Shard): Promise<Seen> {
  try {
    const plan = await ports.infrastructure.plan({
      runnerName: settings.runnerName,
      shard: candidate,
    });
    return { plan };
  } catch (error) {
    const isAnswer = isPortFailure(error) || (isDeployError(error) && error.exitCode === 1);
    if (!isAnswer) throw error;
    return { plan: { kind: 'unknown' }, unplanned: error.message };
  }
}

function comparison({ plan, images, commit }: Fingerprint, unplanned: string | undefined): string {
  const parts = [
    'the settings',
    ...(images === undefined ? [] : [`the image ${images}`]),
    ...(plan === undefined ? [] : ['the plan']),
    ...(plan === undefined && commit !== undefined ? [`the commit ${commit}`] : []),
  ];
  const same = `${parts.slice(0, -1).join(', ')}${parts.length > 1 ? ' and ' : ''}${parts.at(-1)}`;
  const unknown = parts.length > 1 ? '' : '; the image and the plan are unknown';
  const unseen = unplanned === undefined ? '' : ` No plan could be made: ${unplanned}`;
  return `${same} are identical${unknown}.${unseen}`;
}

function difference(made: Fingerprint, before: Fingerprint): string {
  if (made.images !== undefined && made.images !== before.images)
    return `the image is ${made.images}`;
  return made.plan === undefined || before.plan === undefined
    ? `the commit is ${made.commit}`
    : 'the plan differs';
}
