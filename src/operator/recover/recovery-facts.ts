import { shardToForceRemove } from '../../domain/deployment/guards/removal-rules.ts';
import { type DeploymentRecord, shardEntry } from '../../domain/deployment/record.ts';
import { judgeHiddenJob, type RecoveryFacts } from '../../domain/deployment/recovery-methods.ts';
import { isBefore } from '../../domain/deployment/stages-and-steps.ts';
import { type Examination, examine } from '../../domain/doctor/examination.ts';
import { isQuarantined } from '../../domain/doctor/shard-state.ts';
import { answerOf, type ShardFacts } from '../../domain/doctor/stack-facts.ts';
import type { Execution, Registration } from '../../domain/registration.ts';
import type { Shard } from '../../domain/shard.ts';
import type { StageContext } from '../../stages/context/context.ts';
import { isTokenLost } from '../../stages/steps/healthcheck/token-expiry-search.ts';
import { readStackFacts } from '../doctor/gather.ts';
import { answerOrThrow, readFact } from '../fact-read.ts';

/** Reads all facts for the choice of a recovery method. A source that fails stops the choice. */
export async function readRecoveryFacts(
  context: StageContext,
  record: DeploymentRecord,
): Promise<RecoveryFacts> {
  // The reads take a while, so the operator needs a line.
  context.log.wait(
    'Waiting for the state of both shards (runners, machines, jobs) to choose a recovery method.',
  );
  const facts = await readStackFacts(context, { atOnce: true });
  const examination = examine(facts);
  const { settings } = context;
  const { view } = examination;
  const status = answerOrThrow(facts.status);
  const active = status.kind === 'known' ? status.active : undefined;
  const { forceWhenNoneAccepts } = context;
  const shard = shardToForceRemove(record, {
    active: forceWhenNoneAccepts ? active : undefined,
    shards: settings.shards,
  });
  const own = view.of(shard);
  const listed = answerOrThrow(own.registrations);
  const entry = shardEntry(record, shard);
  const state = view.state(shard);
  const jobs = listed.flatMap((one) => answerOrThrow(one.jobs));
  const { jobs: customers, registrationGone } = state;
  const canaries = jobs.filter((job) => !customers.includes(job));
  const quarantined = isQuarantined(state, { shard, settings, record });
  const hosts = answerOf(own.hosts);
  const listHostReadings = (hosts ?? []).map((host) => host.jobs);
  const contacted =
    // An absent runner gets no jobs. The hosts are queried as well.
    (entry.contacted === true && !registrationGone) ||
    listed.some((one) => one.contacted || (answerOf(one.managers) ?? []).length > 0);
  return {
    words: facts.words,
    record,
    shard,
    active,
    quarantined,
    contacted,
    jobs: customers,
    tags: quarantined ? listed.flatMap(({ tags }) => tags) : [],
    hiddenJob: judgeHiddenJob({
      executions: await readExecutions(context, listed),
      lostRecord: registrationGone && entry.productionTag,
      showsJobs: jobs.length > 0,
      contacted,
      hostsSpeak:
        listHostReadings.length > 0 && listHostReadings.every((word) => word !== 'unknown'),
      machines: state.machines,
    }),
    hostJobs:
      hosts === undefined || listHostReadings.some((word) => word === 'unknown')
        ? 'unknown'
        : customerJobs(listHostReadings as readonly (readonly string[])[], canaries),
    machines: state.machines,
    managers: settings.managers,
    registrationGone,
    tokenLost: contacted && (await isRefusedToken(context, record, { shard, own })),
    somethingHappened: whatHappened(examination, record, shard),
    lastingCause: lastingCause(examination),
    knowsAddresses: settings.infrastructure.driver === 'terraform',
    forceWhenNoneAccepts,
    lastJobs: await context.ports.pipelines.readLastProvisions({
      deploymentId: record.deployment.id,
    }),
  };
}

/** Returns whether onboarding would refuse the candidate's token. */
async function isRefusedToken(
  context: StageContext,
  record: DeploymentRecord,
  { shard, own }: { shard: Shard; own: Pick<ShardFacts, 'token'> },
): Promise<boolean> {
  if (!isBefore(record.deployment.phase, 'promoting')) return false;
  const isStored = async () => answerOf(own.token) !== 'absent';
  return isTokenLost(context, record, { shard, isStored });
}

/**
 * Reads what the runners execute. Before GitLab 18.9 the runner does not report it, and other
 * sources are read.
 */
async function readExecutions(
  context: StageContext,
  listed: readonly Registration[],
): Promise<readonly (Execution | 'listed')[]> {
  const { registry } = context.ports;
  return Promise.all(
    listed.map(async ({ id, execution }) => {
      if (execution !== 'unknown') return execution;
      const sight = answerOrThrow(await readFact(context, () => registry.readSight(id)));
      return sight.list === 'whole' ? 'listed' : sight.execution;
    }),
  );
}

/** Counts the customer jobs on the hosts, without the canary, which is cancelled first. */
function customerJobs(
  words: readonly (readonly string[])[],
  canaries: readonly { readonly id: string }[],
): number {
  const places = canaries.map(({ id }) => `/jobs/${id} `);
  return words.flat().filter((line) => !places.some((place) => `${line} `.includes(place))).length;
}

function lastingCause({ causes }: Examination): string | undefined {
  const [cause] = causes;
  if (cause?.time !== 'cannot_help' || cause.fixedBy === 'provision') return undefined;
  return `${cause.title} (${cause.seen})`;
}

function whatHappened(
  { view, causes }: Examination,
  record: DeploymentRecord,
  shard: Shard,
): string | undefined {
  const { lastApply, unhealthyInARow } = shardEntry(record, shard);
  const [cause] = causes;
  // If the same cause appears again after one fix, that fix did not help.
  if (cause !== undefined && cause.fixedBy === 'provision' && unhealthyInARow < 2)
    return `${cause.title}, and another provision fixes it`;
  const { machines } = view.state(shard);
  const { phase } = record.deployment;
  // From `promoting` on, no apply touches the candidate.
  const isAppliedAgain = phase === 'retreating' || isBefore(phase, 'promoting');
  if (isAppliedAgain && machines !== 'unknown' && machines.length < view.facts.settings.managers)
    return `a machine of ${shard} is missing, and the next apply builds it`;
  const since = Date.parse(lastApply?.at ?? '');
  const born = (answerOf(view.of(shard).instances) ?? []).find(
    ({ launchedAt }) => Date.parse(launchedAt) > since,
  );
  return born === undefined ? undefined : `${born.id} was started after the last apply`;
}
