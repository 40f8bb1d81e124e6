import type { DeploymentRecord } from '../../../domain/deployment/record.ts';
import { type Fingerprint, settingsDigest } from '../../../domain/fingerprint/fingerprint.ts';
import { findRolledBack } from '../../../domain/fingerprint/rollback-notes.ts';
import { cannotServe } from '../../../domain/health/service-answers.ts';
import type { Service } from '../../../domain/health/service-verdict.ts';
import type { Shard } from '../../../domain/shard.ts';
import { isDeployError } from '../../../errors/deploy-error.ts';
import { rolledBackBefore } from '../../../errors/takeover-errors.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { InfrastructurePlan } from '../../../ports/infrastructure.ts';
import type { StageContext } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { checkServiceOnce } from '../../observe/shard/service-watch.ts';
import { confirmBadResult } from '../../service/service-proof.ts';

/** So many digits of a commit tell it apart. */
const digitsOfCommit = 12;

/**
 * What a plan makes of the candidate.
 * @param before what it was made of, where there is nothing to build now
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
  /** Undefined where there is none. */
  readonly active: Shard | undefined;
  /** Why an operator deploys again what may have been taken back. */
  readonly againBecause: string | undefined;
}

/**
 * What was taken back is deployed again by somebody who knows it, or where nothing can serve. The plan is
 * asked for only where the settings are those of a deployment that was: a changed configuration costs nothing.
 */
export async function requireNotRolledBack(
  context: StageContext,
  record: DeploymentRecord | undefined,
  asked: Repetition,
): Promise<void> {
  await withGuardEvent(context, 'repetition', () => compareWithRolledBack(context, record, asked));
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
      `Not compared with deployment ${first.id}, which was taken back (${first.why}): ${unasked}`,
    );
    return;
  }
  const seen = await look(context, candidate);
  const made = fingerprintOf(context, seen.plan);
  const found = findRolledBack(record, made);
  if (found !== undefined)
    throw rolledBackBefore({
      runner: settings.runnerName,
      found,
      compared: comparison(made, seen.unplanned),
      isTyped: run.ci === 'terminal',
      closed: service?.kind === 'closed' ? active : undefined,
    });
  log.act(`Not what was taken back with deployment ${first.id}: ${difference(made, first.made)}.`);
}

/** One bad look may be a stale one, and would let a schedule repeat what a person went back from. */
function checkCurrent(context: StageContext, active: Shard): Promise<Service> {
  return confirmBadResult(context, () => checkServiceOnce(context, active));
}

/**
 * Why what was taken back is more than what there is; undefined where the active shard serves, or would
 * as soon as somebody opens it.
 */
function whyRepaired(service: Service): string | undefined {
  const isBeyond = cannotServe(service) || (service.kind === 'unknown' && service.against);
  return isBeyond ? 'no shard is proven to serve' : undefined;
}

interface Seen {
  readonly plan: Pick<InfrastructurePlan, 'kind' | 'builds'>;
  /** Why there is no plan. */
  readonly unplanned?: string;
}

/** Before the candidate is onboarded some configurations cannot be planned; that proves no difference. */
async function look({ ports, settings }: StageContext, candidate: Shard): Promise<Seen> {
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
    ...(plan === undefined ? [] : ['all that is planned']),
    ...(plan === undefined && commit !== undefined ? [`the commit ${commit}`] : []),
  ];
  const same = `${parts.slice(0, -1).join(', ')}${parts.length > 1 ? ' and ' : ''}${parts.at(-1)}`;
  const verb = parts.length > 1 ? 'are' : 'are all that is known and';
  const unseen = unplanned === undefined ? '' : ` No plan could be made: ${unplanned}`;
  return `${same} ${verb} the same.${unseen}`;
}

function difference(made: Fingerprint, before: Fingerprint): string {
  if (made.images !== undefined && made.images !== before.images)
    return `the image is ${made.images}`;
  return made.plan === undefined || before.plan === undefined
    ? `the commit is ${made.commit}`
    : 'another plan';
}
