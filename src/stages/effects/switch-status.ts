import {
  formatStatus,
  parseStatus,
  type Status,
  statusPattern,
} from '../../domain/deployment/deployment-status.ts';
import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import type { Shard } from '../../domain/shard.ts';
import { foreignWrite } from '../../errors/state-errors.ts';
import { recordOf, type StageContext } from '../context/context.ts';
import { withGuardEvent } from '../context/guard-event.ts';
import { readStatusAfterSwitch, readStatusOnce, type StatusReading } from '../observe/observe.ts';
import { observeShards, warnOfContradiction } from '../observe/shard/shard-view.ts';
import type { ParameterSnapshot } from '../record/parameter-snapshot.ts';
import { writeVersioned } from '../record/parameter-write.ts';
import { gate } from './effect-gate.ts';

/** Returns the record of a beginning promotion with the version of the status that it replaces. */
export async function notingStatus(
  context: StageContext,
  record: DeploymentRecord,
  snapshot?: ParameterSnapshot,
): Promise<DeploymentRecord> {
  const { version } = await readStatusAfterSwitch(context, recordOf(context), snapshot);
  return { ...record, deployment: { ...record.deployment, statusVersion: version } };
}

/** Returns whether the status names the candidate because an earlier run died after its switch. */
export async function isSwitched(context: StageContext, candidate: Shard): Promise<boolean> {
  const record = context.journal.current();
  if (record.deployment.phase !== 'promoting') return false;
  const { status } = await checkUnlessReverted(context, candidate);
  return shardEntry(record, candidate).evidence !== undefined && activeBy(status) === candidate;
}

export async function switchStatus(context: StageContext, candidate: Shard): Promise<void> {
  const { ports, names, settings, journal, log } = context;
  await gate(context, candidate);
  const { status, version, text } = await checkUnlessReverted(context, candidate);
  const { retiring: expected, kind } = journal.current().deployment;
  const shown = activeBy(status);
  const value = formatStatus(settings.shards, candidate);
  if (shown === candidate) return;
  await withGuardEvent(context, 'status', () => {
    // Only `activate`, which completes a manual edit, accepts any status.
    if (kind === 'activate' || (shown === expected && status.kind !== 'invalid')) return;
    throw foreignWrite({
      parameter: names.status,
      written: value,
      found: text ?? '(deleted)',
      version,
    });
  });
  const written = await writeVersioned({
    ...ports,
    name: names.status,
    value,
    version,
    allowedPattern: statusPattern(settings.shards),
  });
  log.event({ kind: 'status', active: candidate });
  log.act(
    `Switched: ${candidate} is active (version ${written} of the parameter deployment_status).`,
  );
}

/**
 * Detects an operator who reverted the status after a run died between the switch and its note.
 * Only the history of the status still shows the switch. A second switch would overwrite the
 * operator's decision.
 */
async function checkUnlessReverted(
  context: StageContext,
  candidate: Shard,
): Promise<StatusReading> {
  const { statusVersion: since } = context.journal.current().deployment;
  const reading = await readStatusOnce(context, { atLeast: since ?? 0 });
  const { status } = reading;
  if (since === undefined || status.kind !== 'known' || status.active === candidate) return reading;
  await withGuardEvent(context, 'agreement', async () => {
    const reason = await whyReverted(context, { candidate, since, version: reading.version });
    if (reason === undefined) return;
    throw await warnOfContradiction(context, {
      found: { kind: 'contradiction', reason, statusShard: status.active },
      status,
      views: await observeShards(context),
    });
  });
  return reading;
}

/** Returns undefined if no version of the status since the promotion began names the candidate. */
async function whyReverted(
  { ports, names, settings }: StageContext,
  { candidate, since, version }: { candidate: Shard; since: number; version: number },
): Promise<string | undefined> {
  const began = `the promotion of ${candidate} began at version ${since} of deployment_status`;
  if (version < since) return `${began}, which has since been deleted and created again`;
  for (let past = version - 1; past >= Math.max(since, 1); past -= 1) {
    const found = await ports.parameters.findVersion(names.status, past);
    if (found === undefined) return `${began}, but its history no longer has version ${past}`;
    if (activeBy(parseStatus(found.value, settings.shards)) === candidate)
      return `${began}, version ${past} named it, and version ${version} reverts that`;
  }
  return undefined;
}

function activeBy(status: Status): Shard | undefined {
  return status.kind === 'known' ? status.active : undefined;
}
