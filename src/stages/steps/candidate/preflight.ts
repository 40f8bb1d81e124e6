import type { DeploymentRecord } from '../../../domain/deployment/record.ts';
import { shardEntry } from '../../../domain/deployment/record.ts';
import type { RegistrationId, Shard } from '../../../domain/shard.ts';
import { probesFailed } from '../../../errors/external-errors.ts';
import { lineOf } from '../../../errors/fix-line.ts';
import { runnerLimit } from '../../../errors/port-fixes.ts';
import { endsRun, isPassing, isPortFailure, type PortFailure } from '../../../ports/failure.ts';
import type { ProbeResult } from '../../../ports/registry.ts';
import type { Host } from '../../../ports/runner-host.ts';
import { type StageContext, wordsOf } from '../../context/context.ts';
import { withGuardEvent } from '../../context/guard-event.ts';
import { allSettledOrThrow, inParallel } from '../../context/parallel.ts';
import { logAccount } from '../../observe/account-check.ts';
import type { ShardView } from '../../observe/shard/shard-view.ts';
import { warnOfExpiries } from '../healthcheck/expiry-warnings.ts';

/** Probes the needs of every later stage, and reports all problems at once. */
export async function preflight(
  context: StageContext,
  record: DeploymentRecord | undefined,
): Promise<void> {
  const { settings, log } = context;
  const missing = await probePrerequisites(context, record);
  await withGuardEvent(context, 'permissions', () => {
    if (missing.length > 0) throw probesFailed(settings.runnerName, missing);
  });
  await warnOfExpiries(context, record, registered(record));
  log.act(
    `Probed credentials and permissions for ${wordsOf(context).registry} and AWS: nothing is missing.`,
  );
}

/**
 * Lists what a deployment lacks, and logs what cannot be probed. Changes nothing.
 * @param startsCanary false if this run deploys nothing, and so starts no canary
 */
export async function probePrerequisites(
  context: StageContext,
  record: DeploymentRecord | undefined,
  startsCanary = true,
): Promise<readonly string[]> {
  const { ports, settings, log } = context;
  await logAccount(context);
  const missing: string[] = [];
  const [ofRegistry, ofAccess, ofInfrastructure, ofCanary, ofHosts] = await allSettledOrThrow(
    () => ports.registry.probe(settings.registration.scope, registered(record)),
    () => ports.access.probe(),
    () => ports.infrastructure.probe(settings.runnerName),
    () => canaryProblems(context, record, startsCanary),
    () => hostProblems(context),
  );
  for (const probe of [...ofRegistry, ...ofAccess, ...ofInfrastructure]) {
    if (probe.outcome === 'missing') missing.push(`${probe.what}: ${probe.detail}`);
    if (probe.outcome === 'not_probed') log.warn(`Not probed: ${probe.what} (${probe.detail}).`);
    if (probe.outcome === 'warned') log.warn(withFix(context, probe));
    if (probe.outcome === 'noted') log.act(withFix(context, probe));
  }
  return [...missing, ...ofCanary, ...ofHosts];
}

function withFix({ typed }: StageContext, { detail, fix }: ProbeResult): string {
  return fix === undefined ? detail : `${detail} ${lineOf({ text: 'Fix', ...fix }, typed)}`;
}

/** Lists the runners that this deployment or the next one removes. */
function registered(record: DeploymentRecord | undefined): readonly RegistrationId[] {
  if (record === undefined) return [];
  const { candidate, retiring } = record.deployment;
  return [candidate, ...(retiring === undefined ? [] : [retiring])].flatMap((shard) => {
    const { registration } = shardEntry(record, shard);
    return registration === undefined ? [] : [registration];
  });
}

async function canaryProblems(
  { ports, settings }: StageContext,
  record: DeploymentRecord | undefined,
  startsCanary: boolean,
): Promise<string[]> {
  const isRequired = settings.healthcheck.evidence.canary === 'required';
  if (settings.healthcheck.evidence.canary === 'off' || settings.canary.kind === 'off') return [];
  const { refusal, byHand } = ports.canary;
  // The remaining steps of an unfinished deployment may need no canary.
  const begins = record === undefined || record.deployment.phase === 'done';
  if (startsCanary && isRequired && begins && refusal !== undefined)
    return [`no canary can be started from here: ${refusal}; ${byHand}`];
  try {
    await ports.canary.findNewest();
    return [];
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (!isRequired) return [];
    if (lacksNothing(error)) throw error;
    return [`the canary job cannot be read: ${error.message}`];
  }
}

async function hostProblems(context: StageContext): Promise<string[]> {
  const { ports, settings, log } = context;
  const onlyHosts = ports.registry.traits.idleSource === 'proves_nothing';
  if (settings.host.access === 'none') return onlyHosts ? [unprovable(context)] : [];
  const { instance, host } = settings.healthcheck.evidence;
  try {
    const listed = await inParallel(settings.shards, (shard) =>
      ports.host.list({ runnerName: settings.runnerName, shard }),
    );
    return listed.flat().flatMap((host) => platformProblem(host) ?? []);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    if (onlyHosts || instance === 'required' || host === 'required') {
      if (lacksNothing(error)) throw error;
      return [`the hosts cannot be listed: ${error.message}`];
    }
    log.warn(
      `The hosts cannot be listed (${error.message}); only ${wordsOf(context).registry} can provide evidence.`,
    );
    return [];
  }
}

/** Returns whether the failure passes by itself, or ends only with renewed credentials. */
function lacksNothing(failure: PortFailure): boolean {
  return isPassing(failure) || endsRun(failure);
}

/** Describes a host that is not Linux: scripts for Linux fail there with misleading messages. */
function platformProblem({ id, platform }: Host): string | undefined {
  return platform === undefined
    ? undefined
    : `host ${id} is a ${platform} host, and the scripts that query hosts need Linux; set host.access to none (docs/use/platforms.md)`;
}

/** Describes a shard whose drain could never be proven, before a deployment begins. */
function unprovable(context: StageContext): string {
  const { registry, managers } = wordsOf(context);
  return `host.access is none: only the hosts can prove that ${managers} of ${registry} are idle, so the retiring shard could never be retired; set host.access to run_command`;
}

/**
 * Refuses a deployment whose candidate would exceed the registry's limit of runners, before
 * anything is built. An assumed limit only warns: the registry itself refuses later.
 */
export async function requireRunnerCapacity(
  { ports, log, typed }: StageContext,
  candidate: Shard,
  views: readonly ShardView[],
): Promise<void> {
  const view = views.find(({ shard }) => shard === candidate);
  if (view === undefined || view.registrations.length > 0) return;
  const limit = await ports.registry.findReachedLimit();
  if (limit === undefined) return;
  const { place, most, count, isCertain } = limit;
  const seen = `The ${place} has ${count} runners that count toward the limit.`;
  if (isCertain) throw runnerLimit(limit, { seen, again: typed.command });
  log.warn(
    `The ${place} has ${count} runners. GitLab may allow at most ${most}; this token cannot read the real limit. At the limit, provision ends with RunnerLimit.`,
  );
}
