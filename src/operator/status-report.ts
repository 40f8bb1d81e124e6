import type { Status } from '../domain/deployment/deployment-status.ts';
import type { LockReport } from '../domain/deployment/lock/lock-report.ts';
import type { DeploymentRecord } from '../domain/deployment/record.ts';
import { formatSituation } from '../domain/deployment/situation-text.ts';
import { areSettled } from '../domain/deployment/tally.ts';
import type { FindingCode } from '../domain/doctor/catalogue.ts';
import { doctorStep } from '../domain/doctor/commands.ts';
import { findFaults } from '../domain/doctor/find-faults.ts';
import { troublesOf } from '../domain/doctor/signs/state-signs.ts';
import { formatTrouble, type StackFacts } from '../domain/doctor/stack-facts.ts';
import { situationOf } from '../domain/doctor/state-line.ts';
import { findRegistryOnly } from '../domain/drain/registry-only.ts';
import type { RegistryTerms } from '../domain/registry-terms.ts';
import { commandOf, type Typed } from '../errors/fix-line.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { RegistryJob } from '../ports/registry.ts';
import { type StageContext, wordsOf } from '../stages/context/context.ts';
import { allSettledOrThrow } from '../stages/context/parallel.ts';
import { observeDrain } from '../stages/observe/drain-observation.ts';
import type { ShardSources } from '../stages/observe/shard-sources.ts';
import {
  type DeploymentReport,
  type FinishedReport,
  reportDeployment,
  reportHistory,
} from './deployment-report.ts';
import { readRecordOwner } from './doctor/gather.ts';
import { readStatusSources } from './doctor/gather-shard.ts';
import { answerOrThrow } from './fact-read.ts';
import { reportLock } from './lock-status.ts';
import { reportShard, type ShardReport } from './shard-report.ts';
import { hostTimeoutMs, readShards, readStoredState } from './stack-reading.ts';

export interface StatusFinding {
  readonly code: FindingCode;
  readonly title: string;
  /** Observed values, each with its source. */
  readonly seen: string;
  /** Next command to paste, or an action that no command of hosted-runner can do. */
  readonly next: string;
}

/** Overview of a stack as plain data, printed as a table or as JSON. */
export interface StackReport {
  readonly runner: string;
  /** Registry of the stack's runners, with the terms that its users know. */
  readonly registry: Pick<RegistryTerms, 'registry' | 'registration' | 'managers' | 'paused'>;
  readonly now: string;
  readonly deployment_status: Status;
  /** Time of the last write of deployment_status, ISO 8601; null if it does not exist. */
  readonly active_since: string | null;
  /** First fault in the order of repair, as `doctor` reports it from these sources; null if none. */
  readonly finding: StatusFinding | null;
  /** Sources that refused the request or did not respond, each with the reason. */
  readonly unanswered: readonly string[];
  readonly deployment: DeploymentReport | null;
  readonly lock: LockReport | null;
  readonly hold: { readonly who: string; readonly why: string; readonly since: string } | null;
  readonly shards: readonly ShardReport[];
  readonly history: readonly FinishedReport[];
}

/**
 * Reads the stack without the lock and changes nothing. Fails without the stack's parameters. A
 * failed source of a shard is shown as such.
 */
export async function reportStack(context: StageContext): Promise<StackReport> {
  const stored = await readStoredState(context);
  const record = answerOrThrow(stored.record);
  if (record !== undefined && 'kind' in record) throw record.error;
  const status = answerOrThrow(stored.status);
  const lock = reportLock(answerOrThrow(stored.lock));
  const hold = answerOrThrow(stored.hold) ?? null;
  // One check: `status` must respond fast, and `--watch` repeats it anyway.
  const [owner, seen] = await allSettledOrThrow(
    () => readRecordOwner(context, record),
    () =>
      readShards(context, record, {
        atOnce: true,
        hostsWithinMs: hostTimeoutMs,
        watched: isUnfinished(record) ? context.settings.shards : [],
        more: (sources) => readMore(sources, record),
      }),
  );
  const { registry, registration, managers, paused } = seen.words;
  const { registrationsPer } = context.ports.registry.traits;
  const registryOnly = seen.shards.flatMap((shard) => shard.registryOnly);
  const facts = { ...stored, ...seen, registrationsPer, ...(owner === undefined ? {} : { owner }) };
  return {
    runner: context.settings.runnerName,
    registry: { registry, registration, managers, paused },
    now: formatSituation({ ...situationOf(facts), registryOnly }),
    deployment_status: status,
    active_since: stored.statusSince ?? null,
    finding: firstFinding(facts, context.typed),
    unanswered: troublesOf(facts).map(formatTrouble),
    deployment: reportDeployment(record),
    lock,
    hold,
    shards: seen.shards.map((shard) =>
      reportShard(shard, { status, record, settings: seen.settings, registrationsPer }),
    ),
    history: reportHistory(record),
  };
}

/** Returns the first fault. Without a fault, or before the first deployment, nothing is due. */
function firstFinding(facts: StackFacts, typed: Typed | undefined): StatusFinding | null {
  const [first] = findFaults(facts);
  if (first === undefined || first.code === 'healthy') return null;
  const { code, title, seen, byHand, commands } = first;
  const [command = doctorStep] = commands;
  // `doctor` only checks again, after the action that is due.
  const isAction = byHand !== undefined && 'command' in command && command.command === 'doctor';
  const runner = facts.settings.runnerName;
  return { code, title, seen, next: isAction ? byHand : commandOf({ ...command, runner }, typed) };
}

async function readMore(sources: ShardSources, record: DeploymentRecord | undefined) {
  const [facts, registryOnly] = await allSettledOrThrow(
    () => readStatusSources(sources, record),
    () => findUnreported(sources, record),
  );
  return { ...facts, registryOnly };
}

function isUnfinished(record: DeploymentRecord | undefined): boolean {
  return record !== undefined && record.deployment.phase !== 'done';
}

/**
 * Finds jobs that only the registry lists. Only GitLab waits for a job whose last update was lost;
 * on GitHub the hosts decide.
 */
async function findUnreported(
  sources: ShardSources,
  record: DeploymentRecord | undefined,
): Promise<readonly RegistryJob[]> {
  const { context, shard } = sources;
  const { phase, retiring } = record?.deployment ?? {};
  if (retiring !== shard || (phase !== 'draining' && phase !== 'drained')) return [];
  if (context.ports.registry.traits.idleSource !== 'counts') return [];
  try {
    const drain = await observeDrain(context, shard, sources);
    const rules = { ...context.settings, words: wordsOf(context), pollOfRunnerMs: 0 };
    const jobs = findRegistryOnly([drain], rules)?.jobs ?? [];
    return areSettled(jobs, record?.deployment.tally?.drain) ? [] : jobs;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return [];
  }
}
